"""Drawings as PDF files: operators, fonts, pictures, pages."""
