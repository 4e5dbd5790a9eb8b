"""Pictures drawn by an executor: jobs of several pictures each, and the files that they become."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator

from carddb.core.executors import Executor
from carddb.paint.raster_job import PngFile, RasterJob, RasterPage, write_picture

MOST_AT_ONCE = 48
"""Pictures a job: enough that what they begin with and their fonts serve several, few enough that the first are soon
there."""
_WORTH = 24
"""Pictures for which a process is worth its start."""


def job_count(pictures: int) -> int:
    """How many jobs so many pictures are worth: for fewer in each, a further process does not pay."""
    return -(-pictures // _WORTH)


def share(executor: Executor, pictures: int) -> int:
    """How many of so many pictures to put into a job, so that all workers have as much to do."""
    workers = max(1, executor.workers)
    rounds = max(1, -(-pictures // (workers * MOST_AT_ONCE)))
    return max(1, -(-pictures // (workers * rounds)))


def draw_files(executor: Executor, jobs: Iterable[RasterJob]) -> Iterator[PngFile]:
    """Draws and writes the pictures of all jobs, in their order, whoever draws them. Raises CarddbError.

    Processes of this machine write the files themselves; from elsewhere come the bytes.
    """
    if not executor.is_remote:
        yield from executor.map(_write, None, jobs)
        return
    pages: deque[RasterPage] = deque()

    def noted() -> Iterator[RasterJob]:
        for job in jobs:
            pages.extend(job.pages)
            yield job

    for data in executor.map(_draw, None, noted()):
        yield write_picture(pages.popleft(), data)


def _write(_: None, job: RasterJob) -> Iterator[PngFile]:
    for page, data in zip(job.pages, _draw(None, job), strict=True):
        yield write_picture(page, data)


def _draw(_: None, job: RasterJob) -> Iterator[bytes]:
    from carddb.paint.rasterizer import png_images  # PDFium, 50 ms, in the workers where there are any

    return png_images(job)
