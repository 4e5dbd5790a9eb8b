"""What the cards, sheets and mats of the method show."""
