"""What stands around the cards of a job's pages, with the words of its game and the ink of its faces."""

from __future__ import annotations

from carddb.layout.imposition import Page
from carddb.layout.sheet_furniture import Caption, furnish
from carddb.press.face_bank import ink_saver
from carddb.press.sheet_options import SheetOptions
from carddb.press.workshop import Workshop


class PageFurniture:
    """Puts marks, ruler and words around cards. One serves all pages of a job: what they share is made once."""

    def __init__(self, workshop: Workshop, options: SheetOptions) -> None:
        self._label, self._aside = workshop.label("label"), workshop.label("aside")
        self._marking = options.marking
        self._ink_saver = ink_saver(options.ink)

    def around(self, page: Page, caption: Caption) -> Page:
        """The page with its furniture. Raises UsageError where a stamp has no room."""
        page = furnish(page, caption, self._label, self._aside, self._marking)
        if not self._ink_saver:
            return page
        return page._replace(furniture=self._ink_saver.shapes(page.furniture, page.size))
