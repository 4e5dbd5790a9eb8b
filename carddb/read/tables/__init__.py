"""Tables as files: CSV, XLSX and ODS to grids of cells, and single cells written in place."""
