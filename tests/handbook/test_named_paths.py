"""Every path and module that README, CONTRIBUTING and the handbook name exists."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from tests.rows import every

ROOT = Path(__file__).parents[2]
OURS = ("README.md", ".github/CONTRIBUTING.md")
"""The documents that speak of the checkout; the handbook speaks of it too, but `templates/` there is a user's own."""
DOCUMENTS = [ROOT / name for name in OURS] + sorted((ROOT / "carddb" / "handbook").rglob("*.md"))
_PATH = re.compile(r"(?<![\w/.~-])((?:carddb|tests|templates|schema|\.ci)/[\w./<>*-]*[\w/>*])")
_SHORT = re.compile(r"`((?:[a-z_]+/)+[a-z_]*\.?[a-z]*)`")
_MODULE = re.compile(r"\bpython -m ((?:carddb|tests)(?:\.\w+)*)")
_LINE = re.compile(r"( *)(\S+(?: \S+)*?)(?: {2,}|$)")


def named_paths(document: Path) -> Iterator[str]:
    """The paths of the checkout that a document names, `<...>` as `*`."""
    text = document.read_text("utf-8")
    for match in _PATH.finditer(text):
        own = document.relative_to(ROOT).as_posix() in OURS
        if own or match[1].startswith(("carddb/", "tests/")):
            yield re.sub(r"<\w+>", "*", match[1])
    if document.name == "CONTRIBUTING.md":
        rooms = {path.name for path in (ROOT / "carddb").iterdir()}
        yield from (f"carddb/{match[1]}" for match in _SHORT.finditer(text) if match[1].partition("/")[0] in rooms)


def mapped_paths(text: str) -> Iterator[str]:
    """The paths of the map in the README: names at the beginning of its lines, each within the line less indented."""
    block = re.search(r"```text\n(carddb/.*?)```", text, re.DOTALL)
    assert block, "the README has no map"
    above: list[tuple[int, str]] = []
    for line in block[1].splitlines():
        match = _LINE.match(line)
        if not match:
            continue
        depth = len(match[1])
        while above and above[-1][0] >= depth:
            above.pop()
        inside = "".join(name for _, name in above)
        for name in match[2].split():
            yield inside + name
        above.append((depth, match[2].split()[0]))


def exists(path: str) -> bool:
    """Whether a path of the checkout is there, with `*` for any name."""
    return any(ROOT.glob(path.rstrip("/"))) if "*" in path else (ROOT / path).exists()


@every("document", DOCUMENTS)
def test_every_path_that_a_document_names_exists(document: Path) -> None:
    """A path in a document leads somewhere: no file moved away under it."""
    assert [path for path in named_paths(document) if not exists(path)] == []


@every("document", DOCUMENTS)
def test_every_module_that_a_document_runs_exists(document: Path) -> None:
    """What a document calls by `python -m` is a module."""
    names = _MODULE.findall(document.read_text("utf-8"))
    assert [name for name in names if find_spec(name) is None] == []


def test_the_map_of_the_house_is_true() -> None:
    """Every folder and file of the README's map exists, and every room stands on it."""
    text = (ROOT / "README.md").read_text("utf-8")
    mapped = list(mapped_paths(text))
    assert [path for path in mapped if not exists(path)] == []
    rooms = {f"carddb/{path.name}/" for path in (ROOT / "carddb").iterdir() if path.is_dir() and path.name[0] != "_"}
    assert rooms - set(mapped) == set()
