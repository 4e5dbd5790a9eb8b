"""A fault of carddb's own in words: what could not be done, and where to report it. The contents stay out of it."""

from __future__ import annotations

from carddb.core.version import __version__


def crash_words(task: str, fault: Exception, evidence: str) -> tuple[str, str]:
    """The error and the remedy for a task that raised a fault; `evidence` is what a report should have with it."""
    if isinstance(fault, MemoryError):
        return f"{task} needs more memory than there is", "Do less at once, or close other programs."
    if isinstance(fault, RecursionError):
        return f"{task} met something that is nested too deeply", "Flatten the file, if it is yours."
    error = f"{task} could not be done: a fault of carddb's own ({type(fault).__name__})"
    return error, f"Please report it to those you have carddb {__version__} from, with {evidence}."
