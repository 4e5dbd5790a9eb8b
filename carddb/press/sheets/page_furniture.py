"""What stands around the cards of a job's pages, with the words of its game and the ink of its faces."""

from __future__ import annotations

from carddb.core.units import mm, points
from carddb.layout.display_list import Group
from carddb.layout.sheets.furniture import Caption, furnish
from carddb.layout.sheets.imposition import Page
from carddb.press.faces.bank import ink_saver
from carddb.press.faces.workshop import Workshop
from carddb.press.sheets.options import SheetOptions

_LINE, _TYPE = mm(5), points(6.5)
"""The line of a bare page: above the paper's lower edge, and its size."""


class PageFurniture:
    """Puts marks, ruler and words around cards. One serves all pages of a job: what they share is made once."""

    def __init__(self, workshop: Workshop, options: SheetOptions) -> None:
        self._label, self._aside = workshop.label("label"), workshop.label("aside")
        self._marking = options.marking
        self._ink_saver = ink_saver(options.ink)

    def around(self, page: Page, caption: Caption, bare: str = "") -> Page:
        """The page with its furniture; `bare` is the one line that a page has which is the card itself.

        Raises UsageError where a stamp has no room.
        """
        page = furnish(page, caption, self._label, self._aside, self._marking)
        if bare and page.grid.bare:
            line = self._aside(bare, page.size.width // 2, page.size.height - _LINE, _TYPE, "middle", 0)
            page = page._replace(furniture=(*page.furniture, Group(line)))
        if not self._ink_saver:
            return page
        return page._replace(furniture=self._ink_saver.shapes(page.furniture, page.size))
