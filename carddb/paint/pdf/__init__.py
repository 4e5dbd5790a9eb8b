"""PDF files of drawings: operators, fonts, pictures, pages."""
