"""The print room: forms, previews, printers."""
