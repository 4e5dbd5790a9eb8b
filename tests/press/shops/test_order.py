"""Orders for print shops: pictures with their manifest, and the PDF of a shop that takes one."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
from collections.abc import Callable
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pikepdf
import pypdfium2
import pytest
from PIL import Image

from carddb.cards.cards import Card, Pool
from carddb.core.errors import UsageError
from carddb.core.executors import InProcess
from carddb.core.units import Box
from carddb.games import folders, load
from carddb.games.schemas import texts
from carddb.layout.display_list import Face, rectangle
from carddb.layout.display_list import Path as Outline
from carddb.layout.prepress import InkSpace
from carddb.paint.pdf.prepress import Prepress
from carddb.paint.rasterizer import page_png
from carddb.press.faces.workshop import Workshop, open_workshop
from carddb.press.sheets.options import SheetOptions
from carddb.press.sheets.sheets import revision_of
from carddb.press.shops.order import ShopOrder, order_pdf, order_pictures
from carddb.press.shops.shops import profile
from carddb.read.documents.manifest_parts import OrderManifest
from tests.conftest import GAME, OUTSIDE, Told
from tests.paint.samples import bled_pdf
from tests.rows import every, usually


def chosen(pool: Pool) -> list[tuple[Card, int]]:
    """A deck of two backs, with copies, one card on two lines."""
    playing = [card for card in pool if card.type == "soldier"][:2]
    resource = next(card for card in pool if card.type == "resource")
    return [(playing[0], 2), (resource, 3), (playing[1], 1), (playing[0], 1)]


def pictured(order: ShopOrder, folder: Path) -> OrderManifest:
    """An order drawn by one process."""
    return order_pictures(order, folder, "t", InProcess())


def made(workshop: Workshop, pool: Pool, name: str, folder: Path, **options: Any) -> OrderManifest:
    order = ShopOrder(workshop, profile(name), chosen(pool), SheetOptions(**options))
    manifest = pictured(order, folder)
    assert order.findings == []
    return manifest


@usually("name, size", [("mpc-poker", (822, 1122)), ("tgc-jumbo", (1125, 1725))])
def test_every_picture_has_exactly_the_pixels_of_the_shop(
    workshop: Workshop, pool: Pool, tmp_path: Path, name: str, size: tuple[int, int]
) -> None:
    """Fronts and backs are as large as the shop wants, and say 300 dpi."""
    manifest = made(workshop, pool, name, tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {picture.file for picture in manifest.pictures}
    for picture in manifest.pictures:
        image = Image.open(tmp_path / picture.file)
        assert image.size == picture.pixels == size
        assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01) and image.mode == "RGB"


@pytest.mark.full
def test_the_manifest_says_which_file_is_which_card(workshop: Workshop, pool: Pool, tmp_path: Path) -> None:
    """Copies are summed over the lines of a deck, each different back is there once, and its copies add up."""
    manifest = made(workshop, pool, "mpc-poker", tmp_path)
    jsonschema.validate(manifest.model_dump(mode="json"), json.loads(texts()["order.schema.json"]))
    fronts = [picture for picture in manifest.pictures if picture.side == "front"]
    backs = {picture.file: picture for picture in manifest.pictures if picture.side == "back"}
    assert [(front.ref, front.copies) for front in fronts] == [
        (card.ref, count) for (card, _), count in zip(chosen(pool)[:3], (3, 3, 1), strict=True)
    ]
    assert len(backs) == 2
    for file, back in backs.items():
        assert back.copies == sum(front.copies for front in fronts if front.back == file)
    for picture in manifest.pictures:
        assert picture.sha256 == hashlib.sha256((tmp_path / picture.file).read_bytes()).hexdigest()
        assert re.fullmatch(rf"{picture.side}-\d\d\d-[\w-]+\.png", picture.file)
    revision = revision_of(card for card, _ in chosen(pool))
    assert (manifest.profile, manifest.revision, manifest.trim) == ("mpc-poker", revision, (750, 1050))


def test_without_a_flip_there_are_no_backs(workshop: Workshop, pool: Pool, tmp_path: Path) -> None:
    """Fronts only, where fronts only are asked for."""
    manifest = made(workshop, pool, "mpc-poker", tmp_path, flip="none")
    assert {(picture.side, picture.back) for picture in manifest.pictures} == {("front", "")}


def test_the_card_lies_inside_its_bleed(workshop: Workshop, pool: Pool) -> None:
    """The trim of a face is where the shop cuts: 36 pixels from each edge of the picture."""
    order = ShopOrder(workshop, profile("mpc-poker"), chosen(pool), SheetOptions())
    card = order.copies[0][0]
    face = order.bank[order.front(card)]
    assert face.size == profile("mpc-poker").trim
    edge = Face(face.size, (Outline(rectangle(Box(0, 0, face.size.width, face.size.height)), fill="#ff0000"),))
    import io

    image = Image.open(io.BytesIO(page_png(bled_pdf(edge, workshop.kit.book, {}, order.profile.bleed), 0, 300)))
    assert image.getbbox() is not None
    red = Image.eval(image.getchannel("G"), lambda tone: 255 - tone).getbbox()
    assert red == (36, 36, 786, 1086)


@pytest.mark.parametrize("size", ["tcg", "poker", "63x88mm"])
def test_a_card_a_little_smaller_goes_into_the_slot(workshop: Workshop, pool: Pool, size: str) -> None:
    """A card of 63 × 88 mm is a poker card, evenly scaled."""
    order = ShopOrder(workshop, profile("mpc-poker"), chosen(pool), SheetOptions(card_size=size))
    assert order.size == profile("mpc-poker").trim


@every("size", ["tarot", "bridge", "index-3x5", "64x89mm"])
def test_a_card_of_another_size_is_refused(workshop: Workshop, pool: Pool, size: str) -> None:
    """A card that is asked for larger, or much smaller, than the slot is a contradiction."""
    with pytest.raises(UsageError, match=r"mpc-poker is a card of 63\.5 × 88\.9 mm, not of"):
        ShopOrder(workshop, profile("mpc-poker"), chosen(pool), SheetOptions(card_size=size))


def lying(folder: Path) -> tuple[Workshop, list[tuple[Card, int]]]:
    """The toy game with cards wider than high."""
    game_folder = folder / "lanterns"
    shutil.copytree(OUTSIDE / "lanterns", game_folder)
    spec = game_folder / "game.yaml"
    spec.write_text(spec.read_text("utf-8").replace("card_size: poker", "card_size: 3.5x2.5in"), "utf-8")
    root = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 88.9 63.5">'
    for name, colour in (("card", "#ff0000"), ("back", "#0000ff")):
        (game_folder / "templates" / f"{name}.svg").write_text(
            f'{root}<rect width="20" height="20" fill="{colour}"/></svg>', "utf-8"
        )
    game, findings = load(folders([(folder, True)])["lanterns"])
    assert game is not None and not findings
    return open_workshop(game), [(game.spec.card("L-1", {"name": "Lamp", "type": "lamp", "light": 1}), 2)]


def mixed(folder: Path, size: str) -> tuple[Workshop, list[tuple[Card, int]]]:
    """The toy game, standing, whose lamps have a size of their own with a red upper left corner."""
    shutil.copytree(OUTSIDE / "lanterns", folder / "lanterns")
    spec = folder / "lanterns" / "game.yaml"
    own = "lamp: {label: Lamp, plural: Lamps, face: lamp.svg, back: back.svg, size: " + size + "}"
    spec.write_text(re.sub(r"lamp: \{label.*\}", own, spec.read_text("utf-8")), "utf-8")
    wide, high = (25.4 * float(part) for part in size.removesuffix("in").split("x"))
    (folder / "lanterns" / "templates" / "lamp.svg").write_text(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide:g} {high:g}">'
        '<rect width="20" height="20" fill="#ff0000"/></svg>', "utf-8"
    )  # fmt: skip
    game, findings = load(folders([(folder, True)])["lanterns"])
    assert game is not None and not findings
    lamp = game.spec.card("L-1", {"name": "Lamp", "type": "lamp", "light": 1})
    return open_workshop(game), [(lamp, 1), (game.spec.card("L-4", {"name": "Wind", "type": "wind"}), 1)]


@pytest.mark.parametrize(("size", "turned"), [("3.5x2.5in", 1), ("2.5x3.5in", 0), ("2.4x3.5in", 0)])
@pytest.mark.full
def test_a_type_of_its_own_size_fills_the_slot(tmp_path: Path, size: str, turned: int) -> None:
    """A lying type is turned by a quarter, not squeezed; one of nearly the shop's shape is fitted."""
    workshop, copies = mixed(tmp_path, size)
    order = ShopOrder(workshop, profile("mpc-poker"), copies, SheetOptions())
    pictures = [Image.open(tmp_path / "out" / each.file) for each in pictured(order, tmp_path / "out").pictures]
    assert {picture.size for picture in pictures} == {(822, 1122)} and order.turned == turned
    corners = (60, 60), (822 - 60, 60)
    assert pictures[0].getpixel(corners[turned]) == (255, 0, 0)
    assert pictures[0].getpixel(corners[1 - turned]) == (255, 255, 255)
    printed = order_pdf(ShopOrder(workshop, profile("drivethru-poker"), copies, SheetOptions()), "t")
    page = pypdfium2.PdfDocument(printed.data)[1].render().to_pil().convert("RGB")
    assert page.size == (198, 270) and page.getpixel((180 if turned else 20, 20)) == (255, 0, 0)


@pytest.mark.parametrize("size", ["2.75x4.75in", "4.75x2.75in", "3x3in"])
def test_a_type_of_another_shape_is_refused(tmp_path: Path, size: str) -> None:
    """A type whose ratio of width to height differs by more than 5 percent is named, with both sizes."""
    workshop, copies = mixed(tmp_path, size)
    with pytest.raises(UsageError, match="another shape than lamp"):
        ShopOrder(workshop, profile("mpc-poker"), copies, SheetOptions())
    ShopOrder(workshop, profile("mpc-poker"), copies[1:], SheetOptions())


def test_a_lying_card_is_turned_into_an_upright_slot(tmp_path: Path) -> None:
    """Cards wider than high are uploaded upright: their upper left corner is at the upper right."""
    workshop, copies = lying(tmp_path)
    order = ShopOrder(workshop, profile("mpc-poker"), copies, SheetOptions())
    manifest = pictured(order, tmp_path / "out")
    front = Image.open(tmp_path / "out" / manifest.pictures[0].file)
    assert front.size == (822, 1122)
    assert front.getpixel((822 - 60, 60)) == (255, 0, 0) and front.getpixel((60, 60)) == (255, 255, 255)
    printed = order_pdf(ShopOrder(workshop, profile("drivethru-poker"), copies, SheetOptions()), "t")
    page = pypdfium2.PdfDocument(printed.data)[1].render().to_pil().convert("RGB")
    assert page.size == (198, 270) and page.getpixel((180, 20)) == (255, 0, 0)


def inked(folder: Path, inks: str) -> tuple[Workshop, list[tuple[Card, int]]]:
    """The lying toy game with inks for its red."""
    workshop, copies = lying(folder)
    spec = workshop.game.folder.path / "game.yaml"
    spec.write_text(f'{spec.read_text("utf-8")}\ninks: {{"#FF0000": {inks}}}\n', "utf-8")
    game, findings = load(folders([(folder, True)])["lanterns"])
    assert game is not None and not findings
    return open_workshop(game), copies


def test_a_plate_has_a_mask_beside_the_picture(tmp_path: Path) -> None:
    """The mask is black where the plate prints, as large and turned as the picture; a face without it has none."""
    workshop, copies = inked(tmp_path, "{cmyk: [0, 20, 70, 20], spot: foil}")
    manifest = pictured(ShopOrder(workshop, profile("mpc-poker"), copies, SheetOptions()), tmp_path / "out")
    names = {path.name for path in (tmp_path / "out").iterdir()} - {picture.file for picture in manifest.pictures}
    assert names == {manifest.pictures[0].file.replace(".png", ".foil.png")}
    image = Image.open(tmp_path / "out" / names.pop())
    assert image.size == (822, 1122)
    assert image.getpixel((822 - 60, 60)) == (0, 0, 0) and image.getpixel((60, 60)) == (255, 255, 255)


def test_a_colour_with_too_much_ink_is_told_by_card_and_place(tmp_path: Path) -> None:
    """The finding names card, colour, place, sum and limit; a plate of its own counts to no sum."""
    workshop, copies = inked(tmp_path, "{cmyk: [90, 90, 90, 0]}")
    spec = workshop.game.spec
    assert spec.ink_amounts == {"#ff0000": (900, 900, 900, 0)} and not spec.spot_colours

    def found(spots: dict[str, str]) -> list[str]:
        space = InkSpace(lambda _: (0, 0, 0, 0), spec.ink_amounts, 2400, spots)
        press = Prepress("PDF/X-1a:2003", b"", "a press", space, lambda image: image)
        order = ShopOrder(workshop, profile("drivethru-poker"), copies, SheetOptions(), press)
        return [finding.message for finding in order.inspect() if finding.code == "ink_limit"]

    assert found({"#ff0000": "foil"}) == []
    (message,) = found({})
    assert message.startswith("Lamp [L-1]: the colour #ff0000 at ")
    assert message.endswith(" mm needs 270 % ink, but more than 240 % does not dry")


def test_the_pdf_of_a_deck_has_back_front_back_front(workshop: Workshop, pool: Pool) -> None:
    """Every copy has two pages of the shop's size, the back before the front; trim and bleed are in the file."""
    order = ShopOrder(workshop, profile("drivethru-poker"), chosen(pool), SheetOptions())
    printed = order_pdf(order, "t")
    assert (printed.cards, printed.pages, printed.findings) == (7, 14, ())
    pages = pypdfium2.PdfDocument(printed.data)
    words = [page.get_textpage().get_text_bounded() for page in pages]
    names = [card.name for card, count in chosen(pool) for _ in range(count)]
    assert all(name in words[2 * at + 1] for at, name in enumerate(names))
    assert all("EMPIRES AND GENERALS" in back for back in words[::2])
    with pikepdf.open(BytesIO(printed.data)) as pdf:
        for page in pdf.pages:
            boxes = [[float(edge) for edge in page[key]] for key in ("/MediaBox", "/BleedBox", "/TrimBox")]
            assert boxes == [[0, 0, 198, 270], [0, 0, 198, 270], [9, 9, 189, 261]]


def test_repeats_cost_next_to_nothing_in_the_pdf(workshop: Workshop, pool: Pool) -> None:
    """Thirty more copies of a card add pages, not pictures of it."""
    card = next(iter(pool))
    sizes = [
        len(order_pdf(ShopOrder(workshop, profile("drivethru-poker"), [(card, count)], SheetOptions()), "t").data)
        for count in (2, 32)
    ]
    assert sizes[1] - sizes[0] < 30 * 2 * 700


@pytest.mark.door
def test_an_order_from_the_command_line(call: Callable[..., Told]) -> None:
    """`sheets --png DIR --profile NAME` leaves pictures and a manifest with the catalogue's revision."""
    query = ("empire:mali", "--game", GAME, "--png", "out", "--profile", "mpc-poker", "--jobs", "2")
    assert call("sheets", *query).code == 0
    listed = json.loads(Path("out/manifest.json").read_text("utf-8"))
    assert listed["schema"] == "carddb.order/1" and re.fullmatch("[0-9a-f]{8}", listed["revision"])
    assert len(listed["pictures"]) > 24
    for picture in listed["pictures"]:
        assert hashlib.sha256((Path("out") / picture["file"]).read_bytes()).hexdigest() == picture["sha256"]


def test_words_outside_the_safe_area_are_told(call: Callable[..., Told]) -> None:
    """On a card too small for its template the fields near the cut are warnings."""
    told = call("sheets", "EG-CAR-001", "--png", "out", "--profile", "mpc-micro")
    assert "warning outside_safe: Hannibal Barca [EG-CAR-001], ref" in told.err
    assert "but MakePlayingCards micro requires 3.05 mm" in told.err


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("-o", "o.pdf", "--profile", "tgc-poker"), "does not take PDF"),
        (("--png", "o", "--profile", "drivethru-poker"), "does not take PNG"),
        (("--svg", "o", "--profile", "mpc-poker"), "cannot be made as SVG"),
        (("--tts", "o", "--profile", "mpc-poker"), "--profile is for print shops"),
        (("--tts", "o/x.json"), "--tts takes a folder, not o/x.json\nWrite --tts o/x."),
        (("--png", "x.PNG"), "--png takes a folder"),
        (("--svg", "x.svg"), "--svg takes a folder"),
        (("--png", "o", "--profile", "mpc-poker", "--dpi", "600"), "300 dpi, not 600"),
        (("--png", "o", "--profile", "mpc-poker", "--card-size", "tarot"), "not of 69.85 × 120.65 mm"),
        (("--png", "o", "--colour", "cmyk"), "needs the colour profile"),
        (("--png", "o", "--colour", "cmyk", "--icc", __file__), "pictures can only be in RGB; CMYK is for PDFs"),
        (("-o", "o.pdf", "--standard", "x1a"), "--standard only works with --colour cmyk"),
        (("-o", "o.pdf", "--profile", "drivethru-poker", "--colour", "cmyk"), "needs the colour profile"),
        (("-o", "o.pdf", "--profile", "drivethru-poker", "--icc", __file__), "--icc only works with --colour cmyk"),
        (
            ("-o", "o.pdf", "--profile", "drivethru-poker", "--colour", "cmyk", "--icc", __file__),
            "colour profile cannot be read",
        ),
        (("--png", "o", "--url", "https://example.org"), "--url only works with --tts"),
        (("--png", "o", "--svg", "p"), "2 places for the result are named, and one is needed"),
        (("--png", "o", "--profile", "mpc-pokr"), "Did you mean mpc-poker?"),
    ],
)
def test_what_does_not_go_together_is_misuse(call: Callable[..., Told], arguments: tuple[str, ...], why: str) -> None:
    """A contradiction is a sentence and exit 2, and nothing is left on the disk."""
    told = call("sheets", "EG-CAR-001", *arguments)
    assert told.code == 2 and why in told.err
    assert not Path("o").exists() and not Path("o.pdf").exists()


def test_an_unknown_profile_is_told_before_all_else(call: Callable[..., Told]) -> None:
    """Without a selection, too, the profiles are listed."""
    told = call("sheets", "--profile", "none-such")
    assert told.code == 2 and "tgc-tarot" in told.err


def test_the_pdf_shop_is_told_honestly(call: Callable[..., Told]) -> None:
    """The file is made, and what it lacks is said on standard error."""
    told = call("sheets", "EG-CAR-001", "-o", "deck.pdf", "--profile", "drivethru-poker")
    assert told.code == 0
    assert "PDF/X-1a:2003 in CMYK" in told.err and "RGB" in told.err
    assert Path("deck.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.full
def test_file_names_sort_as_the_deck_runs(workshop: Workshop, pool: Pool, tmp_path: Path) -> None:
    """A shop that sorts by name gets the cards in the order of the deck."""
    manifest = made(workshop, pool, "tgc-poker", tmp_path)
    fronts = [picture.file for picture in manifest.pictures if picture.side == "front"]
    assert all(one < other for one, other in pairwise(fronts))
