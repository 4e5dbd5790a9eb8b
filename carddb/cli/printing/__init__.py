"""Commands that print: sheets, components, box, table, proof, preflight, printer, changes, watch."""
