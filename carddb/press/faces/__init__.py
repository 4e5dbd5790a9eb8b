"""The faces of a job: their pictures, fonts and templates opened, drawn, kept for the next run."""
