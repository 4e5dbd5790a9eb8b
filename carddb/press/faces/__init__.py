"""The faces of a job: opening their pictures, fonts and templates, drawing them, and caching them for the next run."""
