"""The chapter "Your game in an evening" is run from its first command to its last, as a reader does it."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from carddb.app.games.new_project import KEY, evening_games, steps, take
from tests.conftest import Told


def examples(lines: Sequence[str]) -> Iterator[tuple[str, list[str]]]:
    """The commands of a block, each with the lines that it says."""
    starts = [at for at, line in enumerate(lines) if line.startswith("$ ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        yield lines[start].removeprefix("$ "), list(lines[start + 1 : end])


@pytest.mark.full
def test_every_step_of_the_evening_works(call: Callable[..., Told], monkeypatch: pytest.MonkeyPatch) -> None:
    """Each command says what the chapter shows, after the lines of the steps before it were written."""
    for step in steps():
        if step.file:
            take(step, Path(KEY))
            continue
        for typed, shown in examples(step.lines):
            out, worst = "", 0
            for part in typed.split(" && "):
                verb, *words = shlex.split(part)
                if verb == "cd":
                    monkeypatch.chdir(words[0])
                else:
                    told = call(*words)
                    out, worst = out + told.out, max(worst, told.code)
            assert out.rstrip("\n") == "\n".join(shown), typed
            assert worst == ("error" in out), typed
    assert all(Path(name).is_file() for name in ("sheets.pdf", "components.pdf", "rules.pdf"))


def test_the_pictures_of_the_evening_show_its_game(tmp_path: Path) -> None:
    """The game whose faces the chapter shows has the card, the limit and the frame of its steps."""
    games = evening_games(tmp_path)
    begun, later = ({card.ref for card in games[f"{KEY}-{number}"].own_cards} for number in (0, 1))
    assert later - begun == {"S-7"}
    game = games[KEY]
    assert any(card.ref == "S-7" for card in game.own_cards)
    assert game.spec.limits[0].max == 2
    assert 'parts.frame("lines"' in (tmp_path / "end" / KEY / "templates" / "card.svg").read_text("utf-8")
