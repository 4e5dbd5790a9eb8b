"""Commands that print: sheets, components, proof, preflight, printer."""
