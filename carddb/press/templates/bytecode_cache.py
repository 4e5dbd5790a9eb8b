"""Keeps compiled templates between runs, in the user's own cache."""

from __future__ import annotations

import marshal
import sys
from contextlib import suppress
from types import CodeType

import jinja2
from jinja2.bccache import Bucket

from carddb.core import cache
from carddb.layout.templates import renderer

_KIND = "template"


class BytecodeCache(jinja2.BytecodeCache):
    """A cache of compiled templates, by name and source, valid for this Python, this Jinja and this sandbox.

    The cached code is executed later, so a cache that others could write to is never read (see `carddb.core.cache`).
    """

    def load_bytecode(self, bucket: Bucket) -> None:
        data = cache.fetch(_KIND, _key(bucket))
        if data is not None:
            with suppress(EOFError, TypeError, ValueError):
                code = marshal.loads(data)
                bucket.code = code if isinstance(code, CodeType) else None

    def dump_bytecode(self, bucket: Bucket) -> None:
        if bucket.code is not None:
            cache.keep(_KIND, _key(bucket), marshal.dumps(bucket.code))


def _key(bucket: Bucket) -> str:
    try:
        program = cache.source_stamps(renderer, jinja2)
    except OSError:
        return ""
    return cache.key_of([bucket.key, bucket.checksum, sys.version, jinja2.__version__, *program])
