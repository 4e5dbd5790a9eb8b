"""The front as a server: its routes, its worker, how it runs."""
