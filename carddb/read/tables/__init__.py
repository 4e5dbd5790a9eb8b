"""Table files: reading CSV, XLSX and ODS as grids of cells, and changing single cells in place."""
