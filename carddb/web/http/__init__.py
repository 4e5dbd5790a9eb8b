"""The parts that all pages share: the front, its guard and modes, forms, answers, templates, files."""
