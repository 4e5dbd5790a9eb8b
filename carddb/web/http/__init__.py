"""Parts shared by all pages: the running server, its guard and modes, forms, answers, templates and static files."""
