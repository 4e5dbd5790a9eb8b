"""A ban list as files that agree: paper, web pages, JSON, a feed, and text for a chat."""
