"""carddb: a card database and print-and-play generator that knows the rules of its games.

    import carddb

    club = carddb.open("mygame")                            # a folder with carddb.toml, or one below it
    report = club.check("river.deck", event="2026-06-20")   # every finding at once
    club.sheets("river.deck", paper="a4").write("river.pdf")

This is the only public interface: the names in `__init__.pyi` are what a script may rely on, and the chapter "Python"
of the handbook says what each of them is. A module is imported when one of its names is first used. Lengths are whole
micrometres, days are `datetime.date`. What carddb cannot do is a `CarddbError`; what is wrong with data are `Finding`
values. Nothing here starts a process unless `processes` asks for it, or a game that is not trusted is drawn.
"""

from __future__ import annotations

import re
from functools import cache
from importlib import import_module
from typing import Any

from carddb.core.version import __version__ as __version__


@cache
def _module_of() -> dict[str, str]:
    """Returns the module of each public name, as `__init__.pyi` has them for type checkers."""
    stub = __spec__.loader.get_data(f"{__file__}i").decode()
    return {name: module for module, name in re.findall(r"(?m)^from (\S+) import ([A-Za-z]\w*) as \2$", stub)}


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return sorted(_module_of())
    if name not in _module_of():
        raise AttributeError(f"carddb has no public name {name!r}")
    return getattr(import_module(_module_of()[name]), name)


def __dir__() -> list[str]:
    return sorted(_module_of())
