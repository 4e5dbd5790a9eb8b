"""Every example of the chapter "Rules as data" gives the finding that it is there for."""

from __future__ import annotations

import yaml

from carddb.game.frozen import Frozen, fields_of
from carddb.game.rule_parts import KINDS
from carddb.games.schemas import descriptions
from tests.handbook.rules import PARTS, Example, data, examples, findings
from tests.rows import every


@every("example", list(examples()))
def test_an_example_gives_its_finding(example: Example) -> None:
    """Each deck, or each file, raises the one code that the chapter shows, and a remedy where there is one."""
    assert [finding.code for finding in findings(example)] == ([example.code] if example.code else [])


def test_every_kind_has_an_example() -> None:
    """No kind of limit and no kind of filter is without an example."""
    games = [yaml.safe_load(example.game) or {} for example in examples()]
    limits = [limit for game in games for limit in game.get("limits", ())]
    assert set(KINDS) == {kind for kind in KINDS for limit in limits if kind in limit}
    filters = {each["type"] for game in games for each in game.get("filters", {}).values()}
    assert filters == {"boolean", "integer", "list"}


@every("name", PARTS)
def test_every_key_is_told(name: str) -> None:
    """The tables of keys leave none out."""
    part = PARTS[name]
    keys = fields_of(part) if issubclass(part, Frozen) else part.model_fields
    assert set(descriptions(part)) == set(keys)
    assert name in {each for chapter in data()["chapters"] for each in chapter["parts"]}
