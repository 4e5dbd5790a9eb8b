"""The tags of a PDF, which tell screen readers in reading order what is a heading, a list, a table cell and so on."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from reportlab.pdfbase import pdfdoc


class Tag:
    """An element of the tag tree; `name` is a standard structure type, such as H2. `scope` of a TH is Row or Column."""

    def __init__(self, tree: Tags, name: str, parent: Tag | None = None, scope: str = "") -> None:
        self.tree = tree
        self.name = name
        self.parent = parent
        self.scope = scope
        self.alternative = ""
        """The alternative text of a picture."""
        self.inside: list[Tag | tuple[int, int]] = []
        """The contents in order: tags, and marked contents as (index of the page, number of the mark on that page)."""
        if parent:
            parent.inside.append(self)

    def tag(self, name: str, scope: str = "") -> Tag:
        """Returns a new tag, added at the end of this one."""
        return Tag(self.tree, name, self, scope)

    @contextmanager
    def marked(self, canvas: Any) -> Iterator[None]:
        """A context manager that marks everything drawn within it as this tag's content."""
        here = self.tree.pages.setdefault(canvas.getPageNumber() - 1, [])
        canvas._code.append(f"/{self.name} <</MCID {len(here)}>> BDC")
        self.inside.append((canvas.getPageNumber() - 1, len(here)))
        here.append(self)
        yield
        canvas._code.append("EMC")


class Tags:
    """The tag tree of one document."""

    def __init__(self) -> None:
        self.root = Tag(self, "Document")
        self.pages: dict[int, list[Tag]] = {}
        """`{index of the page: tags of its marks, in order of their numbers}`."""

    def write(self, document: Any) -> None:
        """Adds the tree to a ReportLab document whose pages are complete."""
        pages = document.Pages.pages
        for number, page in enumerate(pages):
            page.__NoDefault__ = [*page.__NoDefault__, "StructParents"]
            page.StructParents = number
            page.Tabs = pdfdoc.PDFName("S")
        references: dict[int, Any] = {}
        root = pdfdoc.PDFDictionary({"Type": pdfdoc.PDFName("StructTreeRoot")})
        reference = document.Reference(root, "Tags")
        root["K"] = self._element(self.root, reference, document, references)
        lists = [
            pdfdoc.PDFArray([references[id(tag)] for tag in self.pages.get(number, ())]) for number in range(len(pages))
        ]
        numbered = [part for number, tags in enumerate(lists) for part in (number, tags)]
        root["ParentTree"] = pdfdoc.PDFDictionary({"Nums": pdfdoc.PDFArray(numbered)})
        document.Catalog.StructTreeRoot = reference
        document.Catalog.MarkInfo = pdfdoc.PDFDictionary({"Marked": "true"})

    def _element(self, tag: Tag, parent: Any, document: Any, references: dict[int, Any]) -> Any:
        entries = {"Type": pdfdoc.PDFName("StructElem"), "S": pdfdoc.PDFName(tag.name), "P": parent}
        if tag.scope:
            table, scope = pdfdoc.PDFName("Table"), pdfdoc.PDFName(tag.scope)
            entries["A"] = pdfdoc.PDFDictionary({"O": table, "Scope": scope})
        if tag.alternative:
            entries["Alt"] = pdfdoc.PDFString(tag.alternative)
        element = pdfdoc.PDFDictionary(entries)
        reference = references[id(tag)] = document.Reference(element, f"Tag{len(references)}")
        element["K"] = pdfdoc.PDFArray(
            [
                self._element(part, reference, document, references) if isinstance(part, Tag) else _mark(part, document)
                for part in tag.inside
            ]
        )
        return reference


@contextmanager
def artifact(canvas: Any) -> Iterator[None]:
    """A context manager that marks everything drawn within it as no content: lines, bullets, headers and footers."""
    canvas._code.append("/Artifact BMC")
    yield
    canvas._code.append("EMC")


def _mark(mark: tuple[int, int], document: Any) -> Any:
    page, number = mark
    reference = document.Reference(document.Pages.pages[page])
    return pdfdoc.PDFDictionary({"Type": pdfdoc.PDFName("MCR"), "Pg": reference, "MCID": number})
