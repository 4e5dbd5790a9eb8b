"""The variables of the cards, sheets and mats of the method."""
