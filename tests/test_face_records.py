"""Records of faces: from a process to another, and from a run to the next."""

from __future__ import annotations

import marshal
import pickle
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from paint_samples import CARD

from carddb.layout.display_list import Cluster, Glyph, Picture
from carddb.paint.content_stream import ContentStream, GlyphText, SharedStream, StreamItem, TransparentGroup, digest
from carddb.press.face_records import FaceRecord, FaceRecords
from carddb.units import Box

NUMBERS = st.integers(-9, 9)
BOXES = st.builds(Box, NUMBERS, NUMBERS, NUMBERS, NUMBERS)
CLUSTERS = st.builds(
    Cluster,
    st.text(max_size=3),
    st.lists(st.tuples(st.builds(Glyph, NUMBERS, NUMBERS, NUMBERS, NUMBERS), NUMBERS), max_size=3).map(tuple),
)
LEAVES = st.one_of(
    st.text(max_size=8),
    st.builds(Picture, st.text("ab", max_size=4), BOXES, BOXES, NUMBERS, st.text("xy", max_size=3)),
    st.builds(GlyphText, st.just("1 0 0 -1 0 0"), st.booleans(), st.just("F1"), NUMBERS, st.lists(CLUSTERS).map(tuple)),
)


def within(items: st.SearchStrategy[Any]) -> st.SearchStrategy[StreamItem]:
    several = st.lists(items, max_size=3).map(tuple)
    shared = several.map(lambda some: SharedStream(some, digest(some)))
    return st.one_of(shared, st.builds(TransparentGroup, several, st.integers(0, 999)))


ITEMS = st.lists(st.recursive(LEAVES, within, max_leaves=6), max_size=6).map(tuple)
STREAMS = st.builds(
    ContentStream, st.just(CARD), ITEMS, st.dictionaries(st.text("AB", max_size=2), st.integers(0, 2**128 - 1))
)


@given(st.lists(STREAMS, min_size=1, max_size=4))
def test_a_face_is_the_same_after_its_record_was_kept(streams: list[ContentStream]) -> None:
    """Whatever it shows, with marshal between two runs, what faces share kept apart."""
    records = FaceRecords()
    entry = [tuple(records.record(stream)) for stream in streams], records.shared
    kept, shared = marshal.loads(marshal.dumps(entry))
    again = FaceRecords(shared)
    assert [again.stream(FaceRecord(*values)) for values in kept] == streams
    assert [FaceRecord(*values).digest for values in kept] == [stream.digest for stream in streams]


@given(st.lists(STREAMS, min_size=1, max_size=4))
def test_what_is_new_is_enough_for_another_process(streams: list[ContentStream]) -> None:
    """What a record was the first to share goes with it; those who have all that came before can read it."""
    sender, receiver = FaceRecords(), FaceRecords()
    for stream in streams:
        record, shared = pickle.loads(pickle.dumps((sender.record(stream), sender.new_shared())))
        receiver.shared.update(shared)
        assert receiver.stream(record) == stream
    assert sender.new_shared() == {} and receiver.shared == sender.shared
