"""Documents laid out on pages with Platypus (of ReportLab), or written as HTML."""
