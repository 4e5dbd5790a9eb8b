"""A page ready to be written: where everything lies on it, and the operators of its faces."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from carddb.layout.sheets.imposition import Page
from carddb.paint.pdf.content_stream import ContentStream

_NO_STREAMS: Mapping[int, ContentStream] = MappingProxyType({})


class DrawnPage(NamedTuple):
    """An imposed page with the content stream of every face on it, by `Placed.face`."""

    page: Page
    streams: Mapping[int, ContentStream] = _NO_STREAMS
