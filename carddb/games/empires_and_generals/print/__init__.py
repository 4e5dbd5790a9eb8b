"""The variables of the faces and components of Empires and Generals."""
