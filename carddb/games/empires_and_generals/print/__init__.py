"""What the faces and components of Empires and Generals show."""
