"""Records of faces: from a process to another, and from a run to the next."""

from __future__ import annotations

import marshal
import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from carddb.core.units import Box
from carddb.layout.display_list import Cluster, Glyph, Gradient, Picture, Stop
from carddb.paint.pdf.content_stream import ContentStream, GlyphText, GradientFill, StreamItem, TransparentGroup
from carddb.press.faces.cache import FaceRecord, record_of, stream_of
from tests.paint.samples import CARD

NUMBERS = st.integers(-9, 9)
BOXES = st.builds(Box, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
CLUSTERS = st.builds(
    Cluster,
    st.text(max_size=3),
    st.lists(st.tuples(st.builds(Glyph, NUMBERS, NUMBERS, NUMBERS, NUMBERS), NUMBERS), max_size=3).map(tuple),
)
LEAVES = st.one_of(
    st.text(min_size=1, max_size=8),
    st.builds(Picture, st.text("ab", max_size=4), BOXES, BOXES, NUMBERS, st.text("xy", max_size=3)),
    st.builds(GlyphText, st.just("1 0 0 -1 0 0"), st.booleans(), st.just("F1"), NUMBERS, st.lists(CLUSTERS).map(tuple)),
    st.just(
        GradientFill("0 0 9 9 re\nW n\n", Gradient((0, 0, 1, 0), (1, 0, 0, 1, 0, 0), (Stop(0, "#000000", 9),) * 2))
    ),
)


def within(items: st.SearchStrategy[Any]) -> st.SearchStrategy[StreamItem]:
    return st.builds(TransparentGroup, st.lists(items, max_size=3).map(tuple), st.integers(0, 1000))


ITEMS = st.lists(st.recursive(LEAVES, within, max_leaves=6), max_size=6).map(tuple)
STREAMS = st.builds(
    ContentStream, st.just(CARD), ITEMS, st.dictionaries(st.text("AB", max_size=2), st.integers(0, 2**128 - 1))
)


@given(STREAMS)
def test_a_face_is_the_same_after_its_record_was_kept(stream: ContentStream) -> None:
    """Whatever it shows, with marshal between two runs and with pickle between two processes."""
    record = record_of(stream)
    values: tuple[Any, ...] = tuple(record)
    assert stream_of(FaceRecord(*marshal.loads(marshal.dumps(values)))) == stream
    assert stream_of(pickle.loads(pickle.dumps(record))) == stream and record.digest == stream.digest
