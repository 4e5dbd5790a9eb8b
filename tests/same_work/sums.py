"""Sums of what a command wrote: of words, of decoded objects and of pixels, never of compressed bytes.

A file has one or several sums, each of a kind that says what differs: the text of page 3, its pixels, the fonts of a
PDF. What another compressor may change (lengths, filters, the bytes of a PNG) is in none of them.
"""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from base64 import b64decode
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import pikepdf
import pypdfium2
from PIL import Image

DPI = 100
"""The resolution at which pages are compared."""
_OF_COMPRESSION = ("/Length", "/Filter", "/DecodeParms", "/DL")
_DATA_PICTURE = re.compile(rb"data:image/(?:png|webp|jpeg);base64,([A-Za-z0-9+/=]+)")
_FILE_DIGEST = re.compile(rb'("sha256": )"[0-9a-f]{64}"')
_PICTURES = (".png", ".webp", ".jpg", ".jpeg")
_ARCHIVES = (".xlsx", ".ods", ".zip")


class Sum(NamedTuple):
    """What was summed, and its sum; a number where a number says more, such as how many pages there are."""

    kind: str
    value: str


def digest(data: bytes | str) -> str:
    """Returns the first 12 hexadecimal digits of SHA-256."""
    return hashlib.sha256(data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data).hexdigest()[:12]


def file_sums(name: str, data: bytes, pages: bool = True) -> Iterator[Sum]:
    """Yields the sums of a file, by what its name says it is; of a PDF each page where `pages` are looked at."""
    ending = PurePath(name).suffix.lower()
    if ending == ".pdf":
        yield from _pdf_sums(data, pages)
    elif ending in _PICTURES:
        yield Sum("pixels", _pixels(data))
    elif ending in _ARCHIVES:
        with zipfile.ZipFile(BytesIO(data)) as archive:
            parts = {info.filename: archive.read(info) for info in archive.infolist()}
        yield Sum("entries", digest("\n".join(f"{part} {_plain(content)}" for part, content in parts.items())))
    elif b"\0" in data:
        yield Sum("bytes", digest(data))
    else:
        yield Sum("text", _plain(data))


def is_text(name: str, data: bytes) -> bool:
    """Tells whether a file is summed as a text."""
    return PurePath(name).suffix.lower() not in (".pdf", *_PICTURES, *_ARCHIVES) and b"\0" not in data


def plain_text(data: bytes) -> bytes:
    """Returns a text with every picture in it, and every digest of a file, in the place of its compressed bytes."""
    data = _DATA_PICTURE.sub(lambda found: b"picture " + _pixels(b64decode(found[1])).encode(), data)
    return _FILE_DIGEST.sub(rb'\1"..."', data)


def page_pictures(data: bytes) -> Iterator[Image.Image]:
    """Draws each page of a PDF."""
    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            yield page.render(scale=DPI / 72).to_pil()


def page_texts(data: bytes) -> Iterator[str]:
    """Reads the words of each page of a PDF."""
    with pypdfium2.PdfDocument(data) as document:
        for page in document:
            text = page.get_textpage()
            yield text.get_text_range()


def pdf_objects(data: bytes) -> Iterator[tuple[str, str, bytes]]:
    """Yields number, kind and decoded content of the objects of a PDF: each stream, and each as a dictionary."""
    with pikepdf.open(BytesIO(data)) as document:
        contents = {part.objgen for page in document.pages for part in _contents(page)}
        for item in document.objects:
            if isinstance(item, pikepdf.Stream):
                kind = _stream_kind(item, contents)
                if kind:
                    yield _number(item), kind, _stream_data(item)
                    yield _number(item), "dictionaries", _written(item).encode()
            else:
                yield _number(item), "dictionaries", _written(item).encode()
        trailer = {key: value for key, value in document.trailer.items() if key in ("/Root", "/Info")}
        yield "trailer", "dictionaries", _written(trailer).encode()


def _pdf_sums(data: bytes, pages: bool) -> Iterator[Sum]:
    with pikepdf.open(BytesIO(data)) as document:
        boxes = [
            " ".join(_written(page.get(box)) for box in ("/MediaBox", "/CropBox", "/BleedBox", "/TrimBox", "/ArtBox"))
            for page in document.pages
        ]
    yield Sum("pages", str(len(boxes)))
    yield Sum("boxes", digest("\n".join(boxes)))
    found: dict[str, Any] = {}
    for name, kind, content in pdf_objects(data):
        found.setdefault(kind, hashlib.sha256()).update(f"{name} {len(content)} ".encode() + content)
    for kind, total in sorted(found.items()):
        yield Sum(kind, total.hexdigest()[:12])
    if pages:
        for number, (words, picture) in enumerate(zip(page_texts(data), page_pictures(data), strict=True), 1):
            yield Sum(f"page {number} text", digest(words))
            yield Sum(f"page {number} pixels", digest(picture.tobytes()))


def _contents(page: pikepdf.Page) -> list[pikepdf.Object]:
    contents = page.obj.get("/Contents")
    if contents is None:
        return []
    return list(contents) if isinstance(contents, pikepdf.Array) else [contents]


def _number(item: pikepdf.Object) -> str:
    return str(item.objgen[0])


def _stream_kind(item: pikepdf.Stream, contents: set[tuple[int, int]]) -> str:
    """Returns what a stream is; nothing for those that only hold other objects."""
    kind, subtype = str(item.get("/Type", "")), str(item.get("/Subtype", ""))
    if kind in ("/ObjStm", "/XRef"):
        return ""
    if item.objgen in contents:
        return "contents"
    named = {"/Form": "forms", "/Image": "images"}.get(subtype)
    if named:
        return named
    return "fonts" if {"/Length1", "/Length3"} & set(item.keys()) or subtype == "/CIDFontType0C" else "streams"


def _stream_data(item: pikepdf.Stream) -> bytes:
    try:
        return item.read_bytes(pikepdf.StreamDecodeLevel.generalized)
    except pikepdf.PdfError:  # a JPEG, whose own bytes are the picture
        return item.read_raw_bytes()


def _written(item: Any) -> str:
    """Writes an object without what depends on compression; an object of its own is named by its number."""
    if isinstance(item, dict):
        return " ".join(f"{key} {_inner(value)}" for key, value in sorted(item.items()) if key not in _OF_COMPRESSION)
    if isinstance(item, pikepdf.Stream | pikepdf.Dictionary):
        return f"<< {_written(dict(item.items()))} >>"
    if isinstance(item, pikepdf.Array):
        return f"[{' '.join(map(_inner, item))}]"
    if isinstance(item, pikepdf.Object):
        return item.unparse().decode("latin-1")
    return repr(item)


def _inner(item: Any) -> str:
    return f"{item.objgen[0]} R" if isinstance(item, pikepdf.Object) and item.is_indirect else _written(item)


def _pixels(data: bytes) -> str:
    with Image.open(BytesIO(data)) as picture:
        said = {key: value for key, value in picture.info.items() if isinstance(value, str | int | float | tuple)}
        return digest(f"{picture.mode} {picture.size} {sorted(said.items())} ".encode() + picture.tobytes())


def _plain(data: bytes) -> str:
    return digest(plain_text(data))


def keep(folder: Path, name: str, data: bytes) -> None:
    """Writes a file, and of a PDF its pages as pictures and its words and objects as text beside it."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    if path.suffix.lower() != ".pdf":
        return
    beside: Callable[[str], Path] = lambda what: path.with_name(f"{path.name}.{what}")  # noqa: E731
    beside("words.txt").write_text("\n\f\n".join(page_texts(data)), "utf-8")
    objects = (f"{number} {kind}\n{_shown(content)}\n" for number, kind, content in pdf_objects(data))
    beside("objects.txt").write_text("\n".join(objects), "utf-8")
    for number, picture in enumerate(page_pictures(data), 1):
        picture.save(beside(f"{number}.png"), compress_level=1)


def _shown(content: bytes) -> str:
    """Returns content that is text, else how long it is and its sum."""
    text = content.decode("latin-1")
    readable = sum(character.isprintable() or character in "\n\r\t" for character in text) >= 0.95 * len(text)
    return text if readable else json.dumps({"bytes": len(content), "sum": digest(content)})
