"""What the faces and components of Rishar show."""
