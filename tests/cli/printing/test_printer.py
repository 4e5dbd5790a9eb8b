from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest

from carddb.layout.calibration import NONE, Calibration, Correction
from carddb.layout.stock import paper_size
from tests.conftest import Told
from tests.layout.misprint import drawn

Call = Callable[..., Told]
READ = "E6,E2,E7,F14,E4,E18"
LETTER = paper_size("letter")


@pytest.fixture(autouse=True)
def settings(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A settings file of one's own."""
    path = folder / "settings" / "printers.json"
    monkeypatch.setenv("CARDDB_PRINTERS", str(path))
    return path


def code(correction: Correction = NONE, name: str = "home", tray: str = "1", flip: str = "long-edge") -> str:
    return Calibration(LETTER, flip, correction, name, tray).code


def correction(call: Call, name: str = "home") -> Correction:
    """What is in force for a printer with one entry."""
    [entry] = call("printer", "show", name, "--json").json()["printers"]
    return Correction(entry["x_um"], entry["y_um"], entry["angle_urad"], *entry["back_ppm"], *entry["scale_ppm"])


def calibrated(call: Call) -> Correction:
    told = call("printer", "set", "home", "--page", code(), "--read", READ, "--measured", "99.6mm,100.2mm")
    assert told.code == 0, told.err
    return correction(call)


def words_of(path: Path) -> str:
    import pypdfium2

    document = pypdfium2.PdfDocument(path)
    return "\n".join(page.get_textpage().get_text_bounded() for page in document)


def test_from_a_page_to_numbers(call: Call, folder: Path) -> None:
    """calibrate prints a page with a command; that command stores a correction; the next page is drawn with it."""
    told = call("printer", "calibrate", "home", "-o", "page.pdf")
    assert told.code == 0 and "drawn with x +0.00 mm" in told.err
    assert f"carddb printer set home --page {code()} --read" in words_of(folder / "page.pdf")
    found = calibrated(call)
    assert (found.x, found.y) == pytest.approx((-900, 1400), abs=10) and (found.scale_x, found.scale_y) == (4016, -1996)
    told = call("printer", "calibrate", "home", "-o", "again.pdf")
    assert "x −0.90 mm, y +1.40 mm" in told.err
    assert f"--page {code(found)}" in words_of(folder / "again.pdf")


def test_a_reading_adds_to_the_page_it_was_read_on(call: Call) -> None:
    """The code says which page was read: the same reading of the first page replaces, of the second adds."""
    once = calibrated(call)
    call("printer", "set", "home", "--page", code(), "--read", READ)
    assert correction(call) == Correction(once.x, once.y, once.angle, once.back_x, once.back_y)
    told = call("printer", "set", "home", "--page", code(once).lower(), "--read", READ)
    assert told.code == 0
    twice = correction(call)
    assert abs(twice.x - 2 * once.x) < 30 and abs(twice.y - 2 * once.y) < 30
    assert (twice.scale_x, twice.scale_y) == (once.scale_x, once.scale_y)


def test_two_readings_tell_a_move(call: Call) -> None:
    """The first and the last scale alone move the back, and leave its angle and scale as they are."""
    assert call("printer", "set", "home", "--read", "C7,F2").code == 0
    moved = correction(call)
    assert moved == Correction(x=moved.x, y=moved.y) and moved.x and moved.y
    calibrated(call)
    before = correction(call)
    assert call("printer", "set", "home", "--page", code(before), "--read", "F10,F10").code == 0
    assert correction(call) == before


def test_the_newest_page_needs_no_code(call: Call) -> None:
    """Without a code what was read is what a page drawn with the correction in force reads."""
    once = calibrated(call)
    assert call("printer", "set", "home", "--read", READ).code == 0
    later = correction(call)
    call("printer", "forget", "home")
    calibrated(call)
    call("printer", "set", "home", "--page", code(once), "--read", READ)
    assert correction(call) == later


def test_measuring_alone_is_enough_for_fronts(call: Call) -> None:
    """Without readings the rulers alone correct the scale; a bare number is millimetres."""
    assert call("printer", "set", "home", "--page", code(), "--measured", "9.96cm, 100.2").code == 0
    assert correction(call) == Correction(scale_x=4016, scale_y=-1996)


def test_a_page_without_a_name_serves_any_printer(call: Call, folder: Path) -> None:
    """The page of no printer in particular can be read for any."""
    assert call("printer", "calibrate", "-o", "page.pdf").code == 0
    assert "carddb printer set NAME" in words_of(folder / "page.pdf")
    assert call("printer", "set", "attic", "--page", code(name=""), "--read", READ).code == 0
    assert [entry["name"] for entry in call("printer", "list", "--json").json()["printers"]] == ["attic"]


def test_trays_papers_and_flips_are_kept_apart(call: Call) -> None:
    """Each has its own correction, listed in order."""
    for tray, flip in (("2", "short-edge"), ("1", "long-edge"), ("2", "long-edge")):
        page = code(tray=tray, flip=flip)
        assert call("printer", "set", "home", "--page", page, "--tray", tray, "--read", READ).code == 0
    told = call("printer", "show", "--json").json()
    assert told["schema"] == "carddb.printers/1"
    kept = [(entry["tray"], entry["paper"], entry["flip"]) for entry in told["printers"]]
    assert kept == [("1", "letter", "long-edge"), ("2", "letter", "long-edge"), ("2", "letter", "short-edge")]
    assert "tray 1, Letter, long-edge; tray 2" in call("printer", "list").out
    assert call("printer", "forget", "home").code == 0
    assert call("printer", "list").out == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--page", "XXXX", "--read", READ), "no page 'XXXX' was made for home"),
        (("--page", code(), "--paper", "a4", "--read", READ), "with its --paper and --tray"),
        (("--page", code(), "--tray", "2", "--read", READ), "with its --paper and --tray"),
        (("--page", code(name="attic"), "--read", READ), "was made for home"),
        (("--page", code(), "--read", "E6,E2,E7"), f"--read {READ}"),
        (("--page", code(), "--read", "E6"), "Scales 1 and 6 are enough"),
        (("--page", code(), "--read", f"{READ},F10"), "6 readings are needed, not 7"),
        (("--page", code(), "--read", READ.replace("E2", "I2")), f"--read {READ}"),
        (("--page", code(), "--read", READ.replace("E2", "E21")), f"--read {READ}"),
        (("--page", code(), "--read", READ.replace("E2", "B2")), "cannot all be right"),
        (("--page", code(), "--read", ""), f"--read {READ}"),
        (("--page", code()), f"--read {READ}"),
        (("--page", code(), "--measured", "97mm,104mm"), "differs by more than 3 % from the rulers, 100 and 100 mm"),
        (("--page", code(), "--measured", "0,0"), "more than 3 %"),
        (("--page", code(), "--measured", "99.6mm"), "--measured 99.6mm,100.2mm"),
        (("--page", code(), "--measured", "long,short"), "--measured 99.6mm,100.2mm"),
    ],
)
def test_wrong_input_is_misuse_and_stores_nothing(
    call: Call, settings: Path, arguments: tuple[str, ...], said: str
) -> None:
    """A page that is not known, readings that no scale gives, and rulers of a fitted page: a sentence, and no file."""
    told = call("printer", "set", "home", *arguments)
    assert told.code == 2 and said in told.err
    assert not settings.exists()


def test_names_are_short_words(call: Call) -> None:
    """A name with a stroke, or none at all, is misuse; an unknown one is answered with the nearest."""
    assert call("printer", "calibrate", "my/home", "-o", "page.pdf").code == 2
    assert call("printer", "calibrate", "", "-o", "page.pdf").code == 2
    calibrated(call)
    for verb in ("show", "forget"):
        told = call("printer", verb, "hone")
        assert told.code == 2 and "Did you mean home?" in told.err


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        "\xff",
        '{"schema": "carddb.printers/2", "printers": {}}',
        '{"schema": "carddb.printers/1", "printers": {"home": [{}]}}',
        "[" * 5000,
    ],
)
def test_a_damaged_file_is_left_as_it_is(call: Call, settings: Path, text: str) -> None:
    """No verb writes over a file that it cannot read, and each says so."""
    settings.parent.mkdir()
    settings.write_bytes(text.encode("latin-1"))
    for arguments in (
        ("list",),
        ("show",),
        ("set", "home", "--page", code(), "--read", READ),
        ("forget", "home"),
        ("calibrate", "home", "-o", "page.pdf"),
    ):
        told = call("printer", *arguments)
        assert told.code == 3 and "damaged, or was written by a newer carddb" in told.err
    assert settings.read_bytes() == text.encode("latin-1")


@pytest.mark.parametrize(
    ("field", "value"),
    [("paper", "a99"), ("flip", "none"), ("corrections", []), ("tray", 1), ("more", 1)],
)
def test_every_field_of_the_file_is_checked(call: Call, settings: Path, field: str, value: object) -> None:
    """A file with one wrong value is not used."""
    calibrated(call)
    file = json.loads(settings.read_text("utf-8"))
    file["printers"]["home"][0][field] = value
    settings.write_text(json.dumps(file), "utf-8")
    assert call("printer", "list").code == 3


def test_numbers_that_no_printer_needs_are_not_used(call: Call, settings: Path) -> None:
    """A move of half a metre in the file is damage, not a correction."""
    calibrated(call)
    file = json.loads(settings.read_text("utf-8"))
    for wrong in (500_000, 0.5, "1", None):
        file["printers"]["home"][0]["corrections"][0]["x"] = wrong
        settings.write_text(json.dumps(file), "utf-8")
        assert call("printer", "list").code == 3


def test_the_file_is_written_whole_or_not_at_all(call: Call, settings: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the file cannot be replaced the old one stands."""
    calibrated(call)
    before = settings.read_bytes()

    def refuse(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", refuse)
    told = call("printer", "set", "home", "--page", code(), "--read", "F10,F10,F10,F10,F10,F10")
    assert told.code == 3 and "No space left" in told.err
    assert settings.read_bytes() == before and [path.name for path in settings.parent.iterdir()] == [settings.name]


def test_settings_stand_where_settings_stand(call: Call, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without CARDDB_PRINTERS the file is under XDG_CONFIG_HOME, else under .config at home."""
    monkeypatch.delenv("CARDDB_PRINTERS")
    monkeypatch.setenv("XDG_CONFIG_HOME", str(folder / "xdg"))
    calibrated(call)
    assert (folder / "xdg" / "carddb" / "printers.json").is_file()
    monkeypatch.setenv("XDG_CONFIG_HOME", "relative")
    monkeypatch.setenv("HOME", str(folder / "me"))
    calibrated(call)
    assert (folder / "me" / ".config" / "carddb" / "printers.json").is_file()


def adjustments(path: Path) -> list[list[float] | None]:
    """The second matrix of each page, where it is not that of a card."""
    found: list[list[float] | None] = []
    with pikepdf.open(path) as file:
        for page in file.pages:
            operations = list(pikepdf.parse_content_stream(page))
            after = operations[[str(each.operator) for each in operations].index("cm") + 2]
            found.append([float(n) for n in after.operands] if str(after.operator) == "cm" else None)
    return found


@pytest.mark.full
def test_sheets_are_drawn_for_a_printer(call: Call, folder: Path) -> None:
    """Backs get the whole correction and fronts the scale, in the file as in the settings; boxes and words follow."""
    found = calibrated(call)
    cards = ("EG-CAR-001", "EG-CAR-002")
    assert call("sheets", *cards, "-o", "plain.pdf").code == 0
    assert call("sheets", *cards, "-o", "home.pdf", "--printer", "home").code == 0
    assert adjustments(folder / "plain.pdf") == [None, None]
    for side, matrix in zip(("front", "back"), adjustments(folder / "home.pdf"), strict=True):
        assert matrix == pytest.approx(drawn(found, LETTER, side), abs=1e-6)
    assert words_of(folder / "home.pdf").count("x −0.90 mm y +1.40 mm") == 2
    with pikepdf.open(folder / "plain.pdf") as plain, pikepdf.open(folder / "home.pdf") as home:
        boxes = [[float(n) for n in file.pages[1].TrimBox] for file in (plain, home)]
    left, bottom, right, top = (after - before for before, after in zip(*boxes, strict=True))
    assert (left + right) / 2 < 0 and (bottom + top) / 2 < 0  # to the left and down, as x and y say


@pytest.mark.full
def test_components_are_drawn_for_a_printer(call: Call, folder: Path) -> None:
    """Components take the same correction; pages that lie the other way get the scale alone."""
    found = calibrated(call)
    told = call("components", "empires-and-generals", "-o", "home.pdf", "--printer", "home")
    assert told.code == 0, told.err
    with pikepdf.open(folder / "home.pdf") as file:
        sizes = [tuple(float(n) for n in page.MediaBox[2:]) for page in file.pages]
    for size, matrix in zip(sizes, adjustments(folder / "home.pdf"), strict=True):
        assert matrix is not None
        upright = size == (612, 792)
        scales = (found.scale_x, found.scale_y) if upright else (found.scale_y, found.scale_x)
        if matrix[1] == 0:
            assert (matrix[0], matrix[3]) == pytest.approx([1 + part / 1e6 for part in scales], abs=1e-6)


@pytest.mark.full
def test_fronts_alone_take_the_scale_of_any_flip(call: Call, folder: Path) -> None:
    """With --flip none nothing but the printer's scale is applied."""
    calibrated(call)
    assert call("sheets", "EG-CAR-001", "-o", "home.pdf", "--printer", "home", "--flip", "none").code == 0
    [matrix] = adjustments(folder / "home.pdf")
    assert matrix is not None and matrix[:4] == pytest.approx([1.004016, 0, 0, 0.998004])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--printer", "hone"), "Did you mean home?"),
        (("--printer", "home", "--tray", "2"), "no correction for tray 2, Letter, long-edge"),
        (("--printer", "home", "--paper", "a4"), "carddb printer calibrate home -o page.pdf --paper a4"),
        (("--printer", "home", "--flip", "short-edge"), "It has corrections for: tray 1, Letter, long-edge"),
        (("--printer", "home", "--stock", "index-3x5"), "3 × 5 in"),
        (("--tray", "2"), "--printer NAME"),
    ],
)
def test_a_printer_must_be_calibrated_for_the_job(call: Call, arguments: tuple[str, ...], said: str) -> None:
    """Another tray, paper or flip than was calibrated is misuse that says what there is and how to get the other."""
    calibrated(call)
    told = call("sheets", "EG-CAR-001", "-o", "home.pdf", *arguments)
    assert told.code == 2 and said in told.err
