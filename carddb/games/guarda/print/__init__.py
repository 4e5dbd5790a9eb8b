"""What the faces and components of Guarda show."""
