"""Sets texts in lines: markup, scripts, shaping, line breaking, and fitting into boxes."""
