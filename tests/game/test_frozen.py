"""Parts: frozen values of named fields, from plain data and back, tested by the models that are made from them."""

import json
from collections.abc import Mapping
from typing import Annotated, Any

import pytest
from pydantic import ValidationError

from carddb.game.frozen import AtLeast, Frozen, as_plain, build, fields_of, replaced
from carddb.game.game import GameSpec
from carddb.games import folders
from carddb.games.referee import open_game
from carddb.read.documents.strict_models import checked, model_of
from tests.conftest import OUTSIDE
from tests.rows import every


class Leg(Frozen):
    length: int
    marks: tuple[str, ...] = ()


class Lamp(Leg):
    """A lamp."""

    legs: tuple[Leg, ...] = ()
    named: Mapping[str, Leg] = {}
    span: tuple[int, int | None] = (0, None)
    only: tuple[str, ...] | None = None
    count: Annotated[int, AtLeast(1)] = 1
    data: Mapping[str, Any] = {}


SAID = {
    "length": 3,
    "marks": ["a"],
    "legs": [{"length": 1, "marks": ["b"]}],
    "named": {"x": {"length": 2}},
    "span": [1, None],
    "only": ["c"],
    "data": {"list": [1, 2.5, None, {"deep": True}]},
}
LAMP = Lamp(
    length=3,
    marks=("a",),
    legs=(Leg(length=1, marks=("b",)),),
    named={"x": Leg(length=2)},
    span=(1, None),
    only=("c",),
    data={"list": [1, 2.5, None, {"deep": True}]},
)


@pytest.mark.parametrize("make", [build, checked])
def test_plain_data_and_parts_are_one(make: Any) -> None:
    """A part made from plain data is the part, with or without a test; back it gives what it was made from."""
    assert make(Lamp, SAID) == LAMP and repr(make(Lamp, SAID)) == repr(LAMP)
    assert json.loads(json.dumps(as_plain(LAMP))) == SAID
    assert as_plain(LAMP, whole=True) == {**SAID, "named": {"x": {"length": 2, "marks": []}}, "count": 1}


def test_a_part_is_a_value() -> None:
    """Parts are equal where all fields are, can be replaced in part, and are not changed."""
    assert Leg(length=1) == Leg(length=1, marks=()) != Leg(length=2)
    assert hash(Leg(length=1)) == hash(Leg(length=1, marks=()))
    assert Leg(length=1) != Lamp(length=1)
    assert replaced(LAMP, length=9).length == 9 and replaced(LAMP, length=3) == LAMP
    assert list(fields_of(Lamp))[:3] == ["length", "marks", "legs"]
    with pytest.raises(AttributeError, match=r"Leg\.length cannot be changed"):
        Leg(length=1).length = 2  # type: ignore[misc]
    with pytest.raises(AttributeError, match="cannot be removed"):
        del Leg(length=1).length


@pytest.mark.parametrize("given", [{}, {"length": 1, "lenght": 2}])
def test_a_part_knows_its_fields(given: dict[str, Any]) -> None:
    """A missing or an unknown field is refused, with its name."""
    with pytest.raises(TypeError, match=r"Leg: .*leng"):
        Leg(**given)


@every("data", [{"legs": 5}, {"legs": [3]}, {"named": []}, {"lost": 1}])
def test_data_of_another_shape_are_no_part(data: dict[str, Any]) -> None:
    """Foreign data raise one of three exceptions, and never make half a part."""
    with pytest.raises((TypeError, ValueError, AttributeError)):
        build(Lamp, {"length": 1, **data})


def test_bounds_stand_in_the_model() -> None:
    """The smallest that a number may be is tested, and told in the schema."""
    assert model_of(Lamp).model_json_schema()["properties"]["count"]["minimum"] == 1
    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        checked(Lamp, {"length": 1, "count": 0})


def test_annotations_of_parts_are_no_texts() -> None:
    """A part with annotations that nobody can read is refused where it is written."""
    with pytest.raises(TypeError, match="annotations of a part"):
        type("Late", (Frozen,), {"__annotations__": {"name": "str"}})


@every("folder", folders([(OUTSIDE, True)]).values())
def test_every_game_survives_as_plain_data(folder: Any) -> None:
    """A game that is written down as JSON and read again is the same to the last field and type."""
    spec = open_game(folder).spec
    again = build(GameSpec, json.loads(json.dumps(as_plain(spec))))
    assert again == spec and repr(again) == repr(spec)
