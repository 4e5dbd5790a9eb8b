"""Publishes a ban list in several forms that agree: on paper, as web pages, JSON, a feed and chat messages."""
