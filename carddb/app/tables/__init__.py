"""Tables that games are played at: begun, joined, saved, and seen from a seat."""
