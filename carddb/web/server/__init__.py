"""Running the web server: its routes, its worker process, and uvicorn."""
