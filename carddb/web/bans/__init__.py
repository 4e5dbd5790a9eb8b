"""Pages about ban lists."""
