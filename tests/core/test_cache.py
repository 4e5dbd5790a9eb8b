"""What is kept between two runs: it is found again, or it is as if it had never been kept."""

from __future__ import annotations

import marshal
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from carddb.core import cache
from carddb.core.errors import TemplateError
from carddb.games import Game, folders, load
from carddb.games.opening import spec_reader
from carddb.layout.templates.renderer import Sandbox
from carddb.layout.templates.template import Templates
from carddb.press.templates.bytecode_cache import BytecodeCache
from tests.conftest import OUTSIDE, Calls

KEY = cache.key_of(["a", b"b"])
OTHERS = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="no rights of files here")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, anew: None) -> Path:
    """A folder for the cache, not made yet."""
    monkeypatch.setenv("CARDDB_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def only_file(folder: Path) -> Path:
    """The one file of a folder."""
    (path,) = folder.iterdir()
    return path


def test_what_is_kept_is_found_again(kept: Path) -> None:
    """Bytes come back under their kind and key, and under no other; the folder is the user's alone."""
    cache.keep("game", KEY, b"data")
    assert bytes(cache.fetch("game", KEY) or b"") == b"data"
    assert cache.fetch("face", KEY) is None and cache.fetch("game", cache.key_of(["a"])) is None
    assert not kept.stat().st_mode & 0o077


def test_a_value_comes_back_as_it_was(kept: Path) -> None:
    """Bytes and tuples stay what they are, and an entry that is no value is not there."""
    value = {"face": (1, b"webp", ["q", ("picture", "lamp", -0.5)])}
    cache.keep_value("faces", KEY, value)
    assert cache.fetch_value("faces", KEY) == value
    for data in (b"", b"no value", marshal.dumps(value)[:-9]):
        cache.keep("faces", KEY, data)
        assert cache.fetch_value("faces", KEY) is None
    cache.keep_value("faces", KEY, object())
    assert cache.fetch_value("faces", KEY) is None


def test_keys_tell_parts_apart() -> None:
    """The same bytes cut otherwise are another key, and so are those of another version."""
    keys = {cache.key_of(parts) for parts in (["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""])}
    assert len(keys) == 4 and cache.key_of(["a", "b"]) == KEY


@pytest.mark.parametrize(
    ("named", "base", "where"), [(None, None, "home/.cache/carddb"), (None, "x", "x/carddb"), ("own", "x", "own")]
)
def test_where_it_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str | None, base: str | None, where: str
) -> None:
    """CARDDB_CACHE, else XDG_CACHE_HOME, else the home's .cache."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    for name, value in (("CARDDB_CACHE", named), ("XDG_CACHE_HOME", base)):
        monkeypatch.delenv(name, raising=False)
        if value:
            monkeypatch.setenv(name, str(tmp_path / value))
    cache.keep("game", KEY, b"data")
    assert only_file(tmp_path / where).name == f"game-{KEY}"


def test_an_empty_name_turns_it_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an empty CARDDB_CACHE nothing is written and nothing found."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setenv("CARDDB_CACHE", "")
    cache.keep("game", KEY, b"data")
    assert cache.fetch("game", KEY) is None and not list(tmp_path.iterdir())


@pytest.mark.parametrize("data", [b"", b"foreign", b"\0" * 40])
def test_foreign_bytes_are_not_there(kept: Path, data: bytes) -> None:
    """A file that is cut or was written by another hand is ignored."""
    cache.keep("game", KEY, b"data" * 9)
    only_file(kept).write_bytes(data)
    assert cache.fetch("game", KEY) is None
    cache.keep("game", KEY, b"new")
    assert bytes(cache.fetch("game", KEY) or b"") == b"new"


@OTHERS
def test_a_folder_of_everybody_is_not_used(kept: Path) -> None:
    """Where others could put something in, nothing is read and nothing written."""
    cache.keep("game", KEY, b"data")
    kept.chmod(0o777)
    cache.keep("game", cache.key_of(["c"]), b"data")
    assert cache.fetch("game", KEY) is None and len(list(kept.iterdir())) == 1


def test_what_cannot_be_kept_is_not_and_nobody_hears_of_it(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file where the folder should be, or a disk that is full, leaves nothing behind and raises nothing."""
    kept.write_text("a file")
    cache.keep("game", KEY, b"data")
    assert cache.fetch("game", KEY) is None
    kept.unlink()

    def full(*_: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "replace", full)
    cache.keep("game", KEY, b"data")
    assert not list(kept.iterdir())


def test_the_oldest_make_room(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only so many are kept; a file that is not ours is left alone."""
    monkeypatch.setattr(cache, "MOST", 3)
    kept.mkdir(mode=0o700)
    (kept / "letter.txt").write_text("mine")
    os.utime(kept / "letter.txt", (0, 0))
    keys = [cache.key_of([str(number)]) for number in range(5)]
    for age, key in enumerate(keys):
        cache.keep("game", key, b"data")
        os.utime(kept / f"game-{key}", (age, age))
    assert [cache.fetch("game", key) is not None for key in keys] == [False, False, True, True, True]
    assert (kept / "letter.txt").exists()


@pytest.fixture
def lanterns(tmp_path: Path) -> Path:
    """The folder of a game that can be changed."""
    shutil.copytree(OUTSIDE / "lanterns", tmp_path / "games" / "lanterns")
    return tmp_path / "games" / "lanterns"


def loaded(path: Path) -> Game:
    game, findings = load(folders([(path, True)])["lanterns"])
    assert game is not None and not findings
    return game


def test_a_game_is_read_once(lanterns: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second time a game is what it was the first time, without its files being read as YAML."""
    first = loaded(lanterns)
    monkeypatch.setattr(spec_reader, "read_spec", None)
    again = loaded(lanterns)
    assert again.spec == first.spec and repr(again.spec) == repr(first.spec)
    assert again.rule_book == first.rule_book


def test_a_changed_game_is_read_anew(lanterns: Path, kept: Path) -> None:
    """A change of any file of a game is seen at once, and so is a fault, every time."""
    loaded(lanterns)
    (lanterns / "tables.yaml").write_text("lamps: 3\n", "utf-8")
    assert loaded(lanterns).spec.data["tables"] == {"lamps": 3}
    file = lanterns / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("sections:", "sektions:"), "utf-8")
    for _ in range(2):
        game, findings = load(folders([(lanterns, True)])["lanterns"])
        assert game is None and findings


def test_a_warning_is_told_every_time(lanterns: Path, kept: Path) -> None:
    """A game with a finding is not kept."""
    file = lanterns / "game.yaml"
    file.write_text(file.read_text("utf-8").replace("rules: [L-2]", "rules: [L-22]"), "utf-8")
    for _ in range(2):
        game, findings = load(folders([(lanterns, True)])["lanterns"])
        assert game is not None and [finding.code for finding in findings] == ["rule_unknown"]


@pytest.mark.parametrize("value", [[], {}, {"key": "lanterns"}, {"sections": 5}, {"colour": 1}, b"\xff"])
def test_a_game_kept_in_another_shape_is_read_anew(lanterns: Path, kept: Path, value: Any) -> None:
    """What is whole and yet no game is ignored."""
    first = loaded(lanterns)
    cache.keep_value("game", only_file(kept).name.removeprefix("game-"), value)
    assert loaded(lanterns).spec == first.spec


def test_a_program_that_changed_reads_anew(lanterns: Path, kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What another version of the program kept is not what this one reads."""
    loaded(lanterns)
    monkeypatch.setattr(cache, "__version__", "0")
    monkeypatch.setattr(spec_reader, "read_spec", lambda _: (None, []))
    assert load(folders([(lanterns, True)])["lanterns"]) == (None, [])


TEMPLATE = "{% for n in range(3) %}{{ n * 2 }} {{ word }}\n{% endfor %}"


def drawn(source: str = TEMPLATE, **context: object) -> str:
    return Templates({"a.svg": source}, BytecodeCache).render("a.svg", {"word": "<", **context})


def test_a_template_is_compiled_once(kept: Path, calls_to: Calls) -> None:
    """The second run draws the same without compiling; a changed source is compiled."""
    compiled = calls_to(Sandbox, "compile")
    first = drawn()
    assert drawn() == first == "0 &lt;\n2 &lt;\n4 &lt;\n" and [source for _, source, *_ in compiled] == [TEMPLATE]
    assert drawn(TEMPLATE + "!") == first + "!" and len(compiled) == 2


def test_kept_code_stays_in_its_sandbox(kept: Path) -> None:
    """Code from the cache is bounded and strict as the template that it was made from, and names the same lines."""
    for _ in range(2):
        for source, said in (
            ("{{ [0] * 10 ** 6 }}", "400,000"),
            ("{{ word.__class__ }}", "unsafe"),
            ("{% for n in range(10 ** 6) %}{% endfor %}", "too big"),
        ):
            with pytest.raises(TemplateError, match=said):
                drawn(source)
        with pytest.raises(TemplateError, match=r"a\.svg:2: .*nobody"):
            drawn("<svg>\n{{ nobody }}")


@pytest.mark.parametrize("data", [b"", b"x", marshal.dumps([1]), marshal.dumps(compile("1", "", "eval"))[:-9]])
def test_kept_code_that_is_none_is_compiled_anew(kept: Path, data: bytes) -> None:
    """What is whole and yet no code is ignored."""
    first = drawn()
    cache.keep("template", only_file(kept).name.removeprefix("template-"), data)
    assert drawn() == first
