"""The content streams of a job's faces, page by page; other processes may draw some of them ahead."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from carddb.findings import Finding
from carddb.layout.imposition import Page
from carddb.paint.content_stream import ContentStream
from carddb.paint.drawn_page import DrawnPage
from carddb.paint.stream_builder import StreamBuilder
from carddb.press.face_bank import FaceBank, keep_recent
from carddb.press.face_records import FaceRecord, SharedItems
from carddb.press.forked_workers import ForkedWorkers, forked_worker_count

_MOST_STREAMS = 128
"""Content streams that are kept, those of the last pages and of their backs; they take more room than faces."""


class _WorkerFace(NamedTuple):
    """A face as a worker drew it, what it shares with others, and the keys of its pictures by name."""

    findings: Sequence[Finding]
    record: FaceRecord
    shared: SharedItems
    pictures: Mapping[str, str]


class FaceStreams:
    """The content streams of a bank's faces by number.

    With `digesting` the digest of every face that is drawn stays in `digests`, by number.
    """

    def __init__(self, bank: FaceBank, *, digesting: bool = False) -> None:
        self.bank = bank
        self.digests: dict[int, str] = {}
        self._digesting = digesting
        self._builder = StreamBuilder(bank.workshop.studio.book)
        self._streams: dict[int, ContentStream] = {}
        self._workers: ForkedWorkers[_WorkerFace] | None = None

    def __getitem__(self, number: int) -> ContentStream:
        """The operators of a face. Raises TemplateError, FontError."""
        stream = self._at_hand(number)
        if stream is None:
            stream = self._builder.face(self.bank[number])
            record = self.bank.records.record(stream)
            self.bank.cache(number, record)
            self._keep(number, stream, record.digest)
        return stream

    def _at_hand(self, number: int) -> ContentStream | None:
        """A face that need not be drawn."""
        stream = self._streams.get(number)
        if stream is None:
            record = self.bank.cached(number) or self._from_workers(number)
            if record is None:
                return None
            stream = self.bank.records.stream(record)
            self._keep(number, stream, record.digest)
        return stream

    def _keep(self, number: int, stream: ContentStream, digest: str) -> None:
        if self._digesting:
            self.digests[number] = digest
        keep_recent(self._streams, number, stream, _MOST_STREAMS)

    def digest(self, number: int) -> str:
        """What a face looks like, in short; empty without `digesting`. Raises TemplateError, FontError."""
        if self._digesting and number not in self.digests:
            self[number]
        return self.digests.get(number, "")

    def drawn(self, page: Page) -> DrawnPage:
        """A page with the content streams of its faces. Raises TemplateError, FontError."""
        return DrawnPage(page, self.together(placed.face for placed in page.placed))

    def together(self, numbers: Iterable[int]) -> dict[int, ContentStream]:
        """The operators of some faces by number, each once. Raises TemplateError, FontError."""
        at_hand = {number: self._at_hand(number) for number in dict.fromkeys(numbers)}
        self.bank.render(number for number, stream in at_hand.items() if stream is None)
        return {number: stream or self[number] for number, stream in at_hand.items()}

    @contextmanager
    def drawn_ahead(self, numbers: Sequence[int], processes: int) -> Iterator[None]:
        """Meanwhile up to `processes` draw, with this one: `numbers` are in the order that they are asked for."""
        bank = self.bank
        ahead = [number for number in numbers if bank.findings_of(number) is None and not bank.is_cached(number)]
        if ahead:
            bank.workshop.studio.templates.prepare()
        count = forked_worker_count(processes, len(ahead))
        self._workers = ForkedWorkers(self._worker_faces, ahead, count, received=self._receive)
        try:
            yield
        finally:
            self._workers.end()
            self._workers = None

    def _worker_faces(self, numbers: Sequence[int]) -> list[_WorkerFace]:
        """What a worker sends of some faces."""
        self.bank.render(numbers)
        return [self._worker_face(number) for number in numbers]

    def _worker_face(self, number: int) -> _WorkerFace:
        bank = self.bank
        record = bank.records.record(self._builder.face(bank[number]))
        return _WorkerFace(bank.findings_of(number) or (), record, bank.records.new_shared(), bank.pictures_of(number))

    def _receive(self, face: _WorkerFace) -> None:
        """Takes what the faces after this one share with it, even where it is drawn here already."""
        self.bank.records.shared.update(face.shared)

    def _from_workers(self, number: int) -> FaceRecord | None:
        """A face that another process has drawn."""
        if not self._workers or self.bank.findings_of(number) is not None:
            return None
        face = self._workers.take(number)
        if not face:
            return None
        self.bank.add_findings(number, face.findings)
        self.bank.add_pictures(number, face.pictures)
        self.bank.cache(number, face.record)
        return face.record
