"""What every page needs: the front, who may pass, forms, answers, templates, files."""
