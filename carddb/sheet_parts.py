"""Parts of a `game.yaml` for what is read: whose game it is, and how a sheet tells what was decided for it."""

from carddb.frozen import Frozen

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
    by: str = ""
    """All who made it; the game's own `by` is the short form for titles."""
    version: str = ""
    date: str = ""
    copyright: str = ""
    story: str = ""
    aims: tuple[str, ...] = ()
    mottoes: tuple[str, ...] = ()
    thanks: tuple[str, ...] = ()
    contact: str = ""


class SheetWords(Frozen):
    """The words that carddb adds to the sheets of a game; a game in another language has its own."""

    footnote: str = "decided for this printing, see the last pages"
    card_footnote: str = "decided for this printing"
    decided: str = "Decided for this printing"
    decided_intro: str = (
        "Where the game’s author leaves something open, or says two things, this printing reads it as told here. "
        "These are no words of the author’s, and a table may agree on another reading."
    )
    rule: str = "Rule"
    reading: str = "Read here as"
    why: str = "Why, and what changes it"
    option: str = "Option"
    own_reading: str = "This table’s own reading; otherwise"
    printed_with: str = "Printed with"
    own_intro: str = "This table’s own readings. Where a sentence below tells such a rule otherwise, they go before it."
    credits: str = "Credits"
    subtitle: str = "Subtitle"
    by: str = "By"
    version: str = "Version"
    date: str = "Date"
    copyright: str = "Copyright"
    story: str = "The story"
    aims: str = "Aims"
    mottoes: str = "Mottoes"
    thanks: str = "Thanks"
    contact: str = "Contact"
