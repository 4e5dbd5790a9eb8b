"""The variables of the faces and components of Rishar."""
