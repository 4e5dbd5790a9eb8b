"""Fonts of a game of one's own: files in its folder, or font packages by their plain names; nothing is imported."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from carddb.core import assets
from carddb.core.errors import FontError, InputError
from carddb.game.parts import FontSpec
from carddb.games import folders, load
from carddb.press.faces.workshop import fonts_of, load_family
from carddb.read.documents.strict_models import checked
from tests.rows import every

TTF = assets.font_file("fontpkg_cardo", "files/Cardo-Regular.ttf").read_bytes()

Writer = Callable[[str, str], Path]


@pytest.fixture
def game(tmp_path: Path) -> Writer:
    """A function that writes the smallest game, with one font."""

    def write(package: str, file: str) -> Path:
        folder = tmp_path / "own"
        (folder / "fonts").mkdir(parents=True, exist_ok=True)
        (folder / "fonts" / "Own.ttf").write_bytes(TTF)
        font = f"fonts: {{Own: {{package: '{package}', files: {{'400': '{file}'}}}}}}"
        text = f"key: own\nname: Own\nprefix: own\ntypes: {{plain: {{label: Plain}}}}\n{font}\n"
        (folder / "game.yaml").write_text(text, "utf-8")
        return folder

    return write


@pytest.mark.parametrize(
    "package", ["this.x", "this", "os.path", "carddb.games", "..fontpkg_cardo", "fontpkg_x.y", "FONTPKG_X"]
)
def test_a_package_is_a_font_package(package: str, game: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any other name is a finding of the game, and nothing is imported to find it out."""
    monkeypatch.delitem(sys.modules, "this", raising=False)
    spec, findings = load(folders([(game(package, "x.ttf"), False)])["own"])
    assert spec is None
    assert "is not a font package" in " ".join(finding.message for finding in findings)
    assert "this" not in sys.modules


def test_the_working_folder_is_no_installed_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`python -m carddb` looks into the working folder first; a package that lies there is not found, and not run."""
    (tmp_path / "fontpkg_mine").mkdir()
    (tmp_path / "fontpkg_mine" / "__init__.py").write_text("raise SystemExit('run')", "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.syspath_prepend("")
    assert assets.package_folder("fontpkg_mine") is None


@pytest.mark.parametrize(
    "file", ["/etc/passwd.ttf", "../other.ttf", "fonts/../../x.ttf", "C:\\x.ttf", "fonts\\x.ttf", "fonts/x.py", "fonts"]
)
def test_a_file_lies_in_the_folder(file: str, game: Writer) -> None:
    """Absolute paths, paths that lead upwards and files of other kinds are findings."""
    spec, findings = load(folders([(game("", file), False)])["own"])
    assert spec is None and findings


def test_a_font_of_the_game(game: Writer) -> None:
    """A file in the game's folder is a font of its documents."""
    own, findings = load(folders([(game("", "fonts/Own.ttf"), False)])["own"])
    assert own and not findings
    assert fonts_of(own).book.pick("Own").file.data == TTF


def test_what_is_no_font_is_refused(tmp_path: Path) -> None:
    """A text, an empty file, a missing file, a folder and a link that leads out are errors that name the file."""
    (tmp_path / "text.ttf").write_text("print('hello')" * 100, "utf-8")
    (tmp_path / "empty.ttf").touch()
    (tmp_path / "folder.ttf").mkdir()
    (tmp_path / "link.ttf").symlink_to(assets.font_file("fontpkg_cardo", "files/Cardo-Regular.ttf"))
    for name in ("text", "empty", "folder", "link", "missing"):
        spec = checked(FontSpec, {"files": {"400": f"{name}.ttf"}})
        with pytest.raises(FontError, match=f"{name}.ttf"):
            load_family("Own", spec, tmp_path)


def test_a_font_that_becomes_a_link_is_not_followed(tmp_path: Path) -> None:
    """A font is read inside the game's folder when it is used, not only when the game is opened."""
    path = tmp_path / "own.ttf"
    path.write_bytes(TTF)
    (font,) = load_family("Own", checked(FontSpec, {"files": {"400": path.name}}), tmp_path)
    path.unlink()
    path.symlink_to(assets.font_file("fontpkg_cardo", "files/Cardo-Regular.ttf"))
    with pytest.raises(InputError, match="leads out of"):
        assert font.file.data


@every(
    "written, style",
    [
        ("400", "400"),
        ("400i", "400 italic"),
        ("italic", "400 italic"),
        ("bold", "700"),
        ("Regular", "400"),
        ("Semi Bold Italic", "600 italic"),
        ("700-oblique", "700 italic"),
    ],
)
def test_a_style_is_a_weight_or_its_name(written: str, style: str) -> None:
    """Weights of CSS, their names, `i`, `italic` and `oblique` are understood as the style of a file."""
    spec = checked(FontSpec, {"package": "fontpkg_cardo", "files": {written: "files/Cardo-Regular.ttf"}})
    (font,) = load_family("Own", spec)
    assert font.style == style and font.italic == style.endswith("italic")


@pytest.mark.parametrize("styles", [["fancy"], ["0"], ["1001"], ["400 400"], ["400i", "italic"]])
def test_another_style_is_refused_with_the_form_that_is_right(styles: list[str], game: Writer) -> None:
    """A name that is no style, and two names of one style, are findings that say what to write."""
    folder = game("", "fonts/Own.ttf")
    written = ", ".join(f"'{style}': fonts/Own.ttf" for style in styles)
    path = folder / "game.yaml"
    path.write_text(path.read_text("utf-8").replace("'400': 'fonts/Own.ttf'", written), "utf-8")
    spec, findings = load(folders([(folder, False)])["own"])
    assert spec is None
    assert any("style" in finding.message and finding.fix for finding in findings)
