"""How much ink a face takes, and how it takes less."""
