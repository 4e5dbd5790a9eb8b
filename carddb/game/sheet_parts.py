"""Parts of a `game.yaml` for what is read: whose game it is, and how a sheet tells what was decided for it."""

from carddb.game.frozen import Frozen

SIGN = "°"
"""Stands behind the id of a rule, or a sentence, that rests on a ruling, wherever it is printed or shown."""

DECIDED = "decided"
"""The table of a game's data that holds the ids of the rules with a ruling, for components."""


def marked(rule: str, ruling: object) -> str:
    """The id of a rule, with the sign where there is a ruling for it."""
    return rule + SIGN if ruling else rule


class CreditsSpec(Frozen):
    """Whose game it is and what its makers say of it, in the order in which it is printed."""

    subtitle: str = ""
    """What stands under its name."""
    by: str = ""
    """All who made it; the game's own `by` is the short form for titles."""
    version: str = ""
    """Its version."""
    date: str = ""
    """When that was made."""
    copyright: str = ""
    """Whose it is."""
    story: str = ""
    """How it came about."""
    aims: tuple[str, ...] = ()
    """What its makers want it to be."""
    mottoes: tuple[str, ...] = ()
    """What they say of it."""
    thanks: tuple[str, ...] = ()
    """Whom they thank."""
    contact: str = ""
    """How they are reached."""


class SheetWords(Frozen):
    """The words that carddb adds to the sheets of a game; a game in another language has its own."""

    footnote: str = "decided for this printing, see the last pages"
    """The note for a sign on a sheet."""
    card_footnote: str = "decided for this printing"
    """The note for a sign on a card."""
    decided: str = "Decided for this printing"
    """The title of the table of rulings."""
    decided_intro: str = (
        "Where the game’s author leaves something open, or says two things, this printing reads it as told here. "
        "These are no words of the author’s, and a table may agree on another reading."
    )
    """What stands under that title."""
    rule: str = "Rule"
    """The head of its column of rules."""
    reading: str = "Read here as"
    """The head of its column of readings."""
    why: str = "Why, and what changes it"
    """The head of its column of reasons."""
    option: str = "Option"
    """The word before the option that changes a reading."""
    own_reading: str = "This table’s own reading; otherwise"
    """What marks a reading of the table that plays."""
    printed_with: str = "Printed with"
    """The title of the options that a sheet was printed with."""
    own_intro: str = "This table’s own readings. Where a sentence below tells such a rule otherwise, they go before it."
    """What stands under that title."""
    credits: str = "Credits"
    """The title of the credits."""
    subtitle: str = "Subtitle"
    """The word for the subtitle there."""
    by: str = "By"
    """The word for the makers."""
    version: str = "Version"
    """The word for the version."""
    date: str = "Date"
    """The word for the date."""
    copyright: str = "Copyright"
    """The word for the copyright."""
    story: str = "The story"
    """The word for the story."""
    aims: str = "Aims"
    """The word for the aims."""
    mottoes: str = "Mottoes"
    """The word for the mottoes."""
    thanks: str = "Thanks"
    """The word for the thanks."""
    contact: str = "Contact"
    """The word for the contact."""
