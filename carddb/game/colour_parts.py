"""The colours of a `game.yaml` that carry a meaning."""

from carddb.game.frozen import Frozen


class ColourCodeSpec(Frozen):
    """Colours that carry a meaning: those by which types, factions or sides are told apart."""

    colours: str
    """Where they are in `data`: `faces.paths`; a last `.*` means that each entry there is a code of its own."""
    shade: str = ""
    """The key of the colour in each entry; without it the entry is the colour."""
    sign: str = ""
    """The key of what else tells the entries apart, such as a hatching: no two have the same."""
    signs: tuple[str, ...] = ()
    """The same in place of a key, a sign for each entry: `#path-steel` is a shared symbol, `square` a word."""
