"""The method die: six results and the faces that stand for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal, get_args

from carddb.game.game import GameSpec
from carddb.games.cdg_solo.play.display import SPACES, Space
from carddb.play.question import Answer, BadInput, Words, operation, refuse

_Faces = Literal["C_JR", "AB", "DE", "ABC", "CDE", "UP"]
Result = Annotated[_Faces, Words("results")]
RESULTS: tuple[Result, ...] = get_args(_Faces)
FACES = tuple(str(face) for face in range(1, 7))


def result_of(spec: GameSpec, word: Any) -> Any:
    """Returns the code of the result whose code or printed text is `word`; any other value unchanged."""
    return (spec.vocabulary(RESULTS, "results").find(word) or word) if isinstance(word, str) else word


def letters(result: Result) -> list[Space]:
    """Returns the spaces that a result names, which are the letters of its code; none for `UP`."""
    return [space for space in SPACES if space in result]


def has_c(result: Result) -> bool:
    """Returns whether the letters of a result include C."""
    return "C" in letters(result)


@operation("S-4", "S-16", "S-17", "S-37", "SR-9")
def die_result(face: int, die_table: dict[str, Result] | None = None, *, spec: GameSpec) -> Answer:
    """The result that a face stands for, by the usual table or another one."""
    refuse(die_face_invalid=str(face) not in FACES)
    template = spec.data["modules"][spec.data["template"]]
    usual: Mapping[str, Any] = spec.options["die_table"].default or template["die_table"]
    table = die_table or {face: result_of(spec, word) for face, word in usual.items()}
    if str(face) not in table:
        raise BadInput(f"die_table.{face}")
    result = table[str(face)]
    return {
        "result": result,
        "letters": letters(result),
        "jolly_roger": result == "C_JR",
        "c_result": has_c(result),
    }
