"""Deck lists as people paste them: out of mails, forums, chats and web pages."""
