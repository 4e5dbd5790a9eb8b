"""What all pages share: the running server, its guard and modes, forms, answers, templates and static files."""
