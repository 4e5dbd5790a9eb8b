import subprocess
import sys
from pathlib import Path as FilePath

import pikepdf
import pypdfium2
import pytest

import carddb
from carddb.layout.display_list import Face, Group, Path, Stroke
from carddb.paint.pdf.sheets import faces_pdf
from tests.paint.content import drawn, near, opened
from tests.paint.pdf.test_sheets import FACES, pages, pdf
from tests.paint.samples import CARD, book, face, images


def heavy(title: str = "Hannibal Barca", lines: int = 100) -> Face:
    """A face of every kind of shape with so many lines that its copies are worth a form."""
    rays = (
        Path((("M", (38000, 60000)), ("L", (700 * i, 90000 + i * i))), stroke=Stroke("#7b3294", 30 + i))
        for i in range(lines)
    )
    return Face(CARD, (*face(title).shapes, *rays), title)


def forms(file: pikepdf.Pdf) -> list[pikepdf.Stream]:
    """The forms of a file that are not groups seen through."""
    streams = [item for item in file.objects if isinstance(item, pikepdf.Stream) and item.get("/Subtype") == "/Form"]
    return [stream for stream in streams if "/Group" not in stream]


def test_a_heavy_face_of_many_pages_is_in_the_file_once() -> None:
    """Its operators are a form that each page draws, with the pictures, groups and fonts it needs."""
    bare = [page._replace(furniture=()) for page in pages(40)]
    file = opened(pdf(bare, [heavy(), face("War Elephants"), FACES[2]]))
    [form] = forms(file)
    assert form.read_bytes().count(b"/O400 gs") == 1
    assert {str(stream.Subtype) for stream in form.Resources.XObject.values()} == {"/Form", "/Image"}
    assert form.Resources.Font.keys() == file.pages[0].Resources.Font.keys()
    assert form.Resources.ExtGState.keys() == {"/O400"}
    assert all(page.Contents.read_bytes().count(b" Do") >= 2 for page in file.pages[::2])
    assert file.check_pdf_syntax() == []


def test_a_heavy_sign_of_several_faces_is_a_form_from_its_second_use_on() -> None:
    """It looks as where every face writes it anew; a light one is written each time."""
    for lines, count in ((100, 1), (9, 0)):
        rays = tuple(shape for shape in heavy(lines=lines).shapes if isinstance(shape, Path))
        once, anew = (
            faces_pdf([Face(CARD, (*face(name).shapes, sign), name) for name in "ABC"], book(), images())
            for sign in (Group(rays, shared=True), Group(rays))
        )
        assert len(forms(opened(once))) == count
        for page, other in zip(pypdfium2.PdfDocument(once), pypdfium2.PdfDocument(anew), strict=True):
            assert page.render(scale=1).to_pil().tobytes() == other.render(scale=1).to_pil().tobytes()


@pytest.mark.full
def test_copies_of_a_heavy_face_cost_next_to_nothing() -> None:
    """A hundred pages of it take little more than two."""
    few, many = (len(pdf(pages(count), [heavy()] * 2 + FACES[2:])) for count in (8, 400))
    assert many < few + 198 * 1500


def test_a_heavy_face_of_one_page_is_a_form_only_where_its_copies_do_not_fold() -> None:
    """Copies side by side are repeated as long as deflate can look back to the one before."""
    assert forms(opened(pdf(pages(4), [heavy()] * 2 + FACES[2:]))) == []
    assert len(forms(opened(pdf(pages(4), [heavy(lines=1000), heavy("Other", 999), FACES[2]])))) == 2
    assert forms(opened(pdf(pages(2), [heavy(lines=1000), heavy("Other", 999), FACES[2]]))) == []


def test_a_form_looks_and_reads_as_its_face_does() -> None:
    """Where a face is a form, the page has the same lines in the same places, the same words, the same pixels."""
    faces = [heavy(), heavy("War Elephants"), FACES[2]]
    for stock, flip in (("plain", "long-edge"), ("avery-5388", "short-edge")):
        alone = [page._replace(furniture=()) for page in pages(9, stock, flip)]
        together = pdf(alone, faces)
        assert len(forms(opened(together))) == 2
        for number, page in enumerate(alone):
            single = pdf([page], faces)
            assert forms(opened(single)) == []
            (paths, starts), (other_paths, other_starts) = (
                drawn(opened(together).pages[number]),
                drawn(opened(single).pages[0]),
            )
            assert [name for name, _ in paths] == [name for name, _ in other_paths]
            assert all(
                near(a, b)
                for (_, one), (_, two) in zip(paths, other_paths, strict=True)
                for a, b in zip(one, two, strict=True)
            )
            assert all(near(a, b) for a, b in zip(starts, other_starts, strict=True))
            shown, plain = (pypdfium2.PdfDocument(data)[at] for data, at in ((together, number), (single, 0)))
            assert shown.get_textpage().get_text_range().split() == plain.get_textpage().get_text_range().split()
            assert shown.render(scale=1).to_pil().tobytes() == plain.render(scale=1).to_pil().tobytes()


def test_a_change_inside_a_form_changes_the_file_id() -> None:
    """The ID follows what is drawn, also where the pages only name it."""
    one, other = (opened(pdf(pages(8), [heavy(lines=n)] * 2 + FACES[2:])).trailer.ID for n in (100, 101))
    assert one != other


SCRIPT = """
import hashlib, sys
sys.path[:0] = [{root!r}]
from tests.paint.pdf.test_forms import FACES, heavy, pages, pdf
print(hashlib.sha256(pdf(pages(9), [heavy(), heavy("Other"), FACES[2]])).hexdigest())
"""


@pytest.mark.full
@pytest.mark.door
def test_forms_are_the_same_bytes_in_every_process() -> None:
    """The hash seed changes nothing where faces are forms."""
    code = SCRIPT.format(root=str(FilePath(carddb.__file__).parent.parent))
    answers = {
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "77")
    }
    assert len(answers) == 1
