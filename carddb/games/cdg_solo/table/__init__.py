"""The table of a solo session, in which every action is accepted as a whole or refused, and what players see of it."""
