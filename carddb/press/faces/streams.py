"""The content streams of a job's faces, page by page; other processes may draw some of them ahead."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from typing import NamedTuple

from carddb.core.errors import CarddbError
from carddb.core.executors import MOST
from carddb.findings import Finding
from carddb.layout.sheets.imposition import Page
from carddb.paint.pdf.content_stream import ContentStream, DrawnPage
from carddb.paint.pdf.stream_builder import StreamBuilder
from carddb.press.faces.bank import FaceBank, keep_recent
from carddb.press.faces.records import FaceRecord, record_of, stream_of

_WORTH = 100
"""Faces for which it pays to start workers."""
_STRETCH = 8
"""Faces that a worker draws one after the other, and sends together."""
_MOST_STREAMS = 128
"""Content streams that are kept, those of the last pages and of their backs; they take more room than faces."""


class _WorkerFace(NamedTuple):
    """A face as a worker drew it, and the keys of its pictures by name."""

    number: int
    findings: Sequence[Finding]
    record: FaceRecord
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
        self._ahead: Iterator[_WorkerFace] = iter(())
        self._expected: set[int] = set()
        """Faces that workers draw and that were not asked for yet."""
        self._arrived: dict[int, _WorkerFace] = {}

    def __getitem__(self, number: int) -> ContentStream:
        """The operators of a face: at hand, of an earlier run, of another process, or drawn now.

        Raises TemplateError, FontError.
        """
        stream = self._streams.get(number)
        if stream is None:
            record = self.bank.cached(number) or self._from_workers(number)
            if record is None:
                stream = self._builder.face(self.bank[number])
                record = record_of(stream)
                self.bank.cache(number, record)
            else:
                stream = stream_of(record)
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
        return DrawnPage(
            page, {number: self[number] for number in dict.fromkeys(placed.face for placed in page.placed)}
        )

    @contextmanager
    def drawn_ahead(self, numbers: Sequence[int], processes: int) -> Iterator[None]:
        """Lets up to `processes` draw faces meanwhile; `numbers` are in the order that they are asked for.

        Without so many that it pays, and where a process cannot be copied, none are started. It makes no difference to
        a face who drew it.
        """
        bank = self.bank
        ahead = [number for number in numbers if bank.findings_of(number) is None and not bank.is_cached(number)]
        with ExitStack() as stack:
            if processes > 1 and len(ahead) >= _WORTH:
                from carddb.core.executors.pool import ProcessPool, can_copy  # a short job is spared the 30 ms of these

                with suppress(CarddbError):  # without processes this one draws all
                    if can_copy():
                        stretches = (ahead[start : start + _STRETCH] for start in range(0, len(ahead), _STRETCH))
                        faces = ProcessPool(min(processes, MOST)).map(_worker_faces, self, stretches)
                        self._ahead = stack.enter_context(closing(faces))
                        self._expected = set(ahead)
                        stack.callback(self._expected.clear)
            yield

    def worker_face(self, number: int) -> _WorkerFace:
        """Draws a face for another process. Raises TemplateError, FontError."""
        bank = self.bank
        record = record_of(self._builder.face(bank[number]))
        return _WorkerFace(number, bank.findings_of(number) or (), record, bank.pictures_of(number))

    def _from_workers(self, number: int) -> FaceRecord | None:
        """A face that another process has drawn."""
        if number not in self._expected or self.bank.findings_of(number) is not None:
            return None
        while number not in self._arrived:
            try:
                face = next(self._ahead)
            except CarddbError:  # this process draws the rest, and meets what is wrong with a face itself
                self._expected.clear()
                return None
            self._arrived[face.number] = face
        face = self._arrived.pop(number)
        self._expected.remove(number)
        self.bank.add_findings(number, face.findings)
        self.bank.add_pictures(number, face.pictures)
        self.bank.cache(number, face.record)
        return face.record


def _worker_faces(streams: FaceStreams, numbers: Sequence[int]) -> Iterator[_WorkerFace]:
    """Draws faces in another process, which has all that they need."""
    return map(streams.worker_face, numbers)
