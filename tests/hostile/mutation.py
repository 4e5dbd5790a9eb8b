"""Mutations: of bytes, of the values of a JSON text, of the parts of an archive; values that programs stumble over."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile
from collections.abc import Callable, Sequence
from typing import Any

_NUMBER = re.compile(rb"-?\d+(?:\.\d+)?")
_WORD = re.compile(rb"[A-Za-z_][\w-]*")
_NUMBERS = (
    b"0", b"-1", b"1e308", b"-1e999", b"NaN", b"Infinity", b"9" * 40, b"9" * 4301, b"-9223372036854775809",
    b"2147483648", b"1.5", b"0x1F", b"1_000", "٣".encode(), b"", b"9999-12-31", b"0001-01-01",
)  # fmt: skip
_WORDS = (
    b"null", b"true", b"[]", b"{}", b'""', b"~", b"\x00", b"\x1b[2J", "\u202e".encode(), b"\xff\xfe", b"A" * 5000,
    b"../../../etc/passwd", b"con", b"{{ 7*7 }}", b"{% macro a(x,x) %}", b"<!DOCTYPE a [<!ENTITY b 'c'>]>", b"&b;",
    b"__class__", b"%s%n", b"=1+1", b"\r", b"\n", b"\t", b"'", b'"', b"]]>", b"\xed\xa0\x80", "é".encode(),
    "e\u0301".encode(),
)  # fmt: skip

_SIGNS = (
    b"\n", b"\t", b" ", b"1,", b",", b".", b"(", b"[", b"[[", b"{", b"<a ", b"<", b"/*", b"*", b"_", b"`", b":", b"=",
    b"a=", b"/", b"-", b"1x", b"&", b'"', b"'", b"\\", b"#", b"|", b"9", b"a.", b"scale(1.1)", b"From: (",
)  # fmt: skip

_VALUES: tuple[Any, ...] = (
    None, True, 0, -1, 1.5, 10**40, 1e300, "", "x", "A" * 5000, "\u202e", "\x1b[2J", "__class__", "{{ 7*7 }}", [], {},
    [[]], [None], {"": ""}, {"base": "x"}, "../../../etc/passwd", "2026-13-45", "=1+1", "e\u0301",
)  # fmt: skip

Mutation = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


def mutated(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """One of the seeds with one to four mutations."""
    data = choose.choice(seeds)
    for _ in range(choose.choice((1, 1, 1, 2, 2, 4))):
        data = choose.choice(_MUTATIONS)(data, choose, seeds)
    return data[: 1 << 20]


def mutated_json(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """One of the seeds with one to four values changed, taken out or put in twice; in turns with one of other bytes."""
    if choose.random() < 0.3:
        return mutated(seeds, choose)
    value = json.loads(choose.choice(seeds))
    for _ in range(choose.choice((1, 1, 1, 2, 4))):
        value = _other_value(value, choose)
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogatepass")


def _other_value(value: Any, choose: random.Random) -> Any:
    """The value with another one somewhere within."""
    if not (isinstance(value, dict | list) and value) or choose.random() < 0.08:
        return choose.choice(_VALUES)
    value = value.copy()
    key = choose.choice(list(value)) if isinstance(value, dict) else choose.randrange(len(value))
    match choose.randrange(12):
        case 0:
            del value[key]
        case 1 if isinstance(value, list):
            value.insert(key, value[choose.randrange(len(value))])
        case 1:
            value[choose.choice(list(value))] = value[key]
        case 2 if isinstance(value, dict):
            value[choose.choice(("x", "", "__class__", "id", "e\u0301"))] = value.pop(key)
        case _:
            value[key] = _other_value(value[key], choose)
    return value


def repeated(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """The beginning of a seed or a word, a few of its bytes or signs up to 60,000 bytes, once or in many lines.

    What takes more than linear work shows here: the expressions of a reader are tried with what they look for.
    """
    data = choose.choice(seeds)
    head = data[: choose.choice((0, 0, choose.randrange(200), _place(data, choose)))]
    start = _place(data, choose)
    unit = choose.choice((choose.choice(_SIGNS), data[start : start + choose.randrange(1, 7)] or b"\n"))
    unit += choose.choice((b"", b"", choose.choice(_SIGNS)))
    width, lines = choose.choice(((60_000, 1), (1_900, 30), (100, 600)))
    line = choose.choice((b"", b"1 ", b"a", unit)) + unit * (width // len(unit))
    return head + b"\n".join([line] * lines) + choose.choice((b"", data[start:], b"\n"))


def mutated_archive(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """A zip of which a part is mutated within; in turns with one of other bytes."""
    if choose.random() < 0.3:
        return mutated(seeds, choose)
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(choose.choice(seeds))) as archive, zipfile.ZipFile(stream, "w") as out:
        names = archive.namelist()
        chosen = choose.choice([name for name in names if name.endswith(".xml")])
        for name in names:
            data = archive.read(name)
            # an entry of no day: the clock is no part of an input of a number
            out.writestr(zipfile.ZipInfo(name), mutated([data], choose) if name == chosen else data)
    return stream.getvalue()


def swollen_archive(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """A workbook of a few kB with a part of up to 9 MB: one attribute, comment or text, many names, depth or cells."""
    size = 10 ** choose.randrange(3, 7) * choose.randrange(1, 10)
    names = range(min(size // 8, 100_000))
    match choose.randrange(8):
        case 0:
            inside = b'<si a="' + b"x" * size + b'"/>'
        case 1:
            inside = b"<!--" + b"x" * size + b"-->"
        case 2:
            inside = b"<si><t>" + b"x" * size + b"</t></si>"
        case 3:
            inside = b"<a>" * (size // 3)
        case 4:
            inside = b"<si/>" * (size // 5)
        case 5:
            inside = b"".join(b"<a%d/>" % number for number in names)
        case 6:
            inside = b"".join(b'<si a%d=""/>' % number for number in names)
        case _:
            inside = b"<si " + b" ".join(b'a%d=""' % number for number in names) + b"/>"
    stream = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(choose.choice(seeds))) as archive, zipfile.ZipFile(stream, "w") as out:
        parts = [name for name in archive.namelist() if name.endswith(".xml")]
        chosen = choose.choice(("xl/sharedStrings.xml", *parts))
        for name in dict.fromkeys((*archive.namelist(), chosen)):
            data = archive.read(name) if name in archive.namelist() else b"<sst></sst>"
            if name == chosen:
                at = max(data.find(b">", choose.randrange(len(data))), data.find(b"<sst>") + 4)
                data = data[: at + 1] + inside + data[at + 1 :]
            out.writestr(zipfile.ZipInfo(name), data, zipfile.ZIP_DEFLATED)
    return stream.getvalue()


def _place(data: bytes, choose: random.Random) -> int:
    return choose.randrange(len(data) + 1)


def _flip(data: bytes, choose: random.Random, _seeds: Sequence[bytes]) -> bytes:
    out = bytearray(data)
    for _ in range(choose.choice((1, 1, 3, 10))):
        if out:
            out[choose.randrange(len(out))] ^= 1 << choose.randrange(8)
    return bytes(out)


def _cut(data: bytes, choose: random.Random, _seeds: Sequence[bytes]) -> bytes:
    start, length = _place(data, choose), choose.choice((1, 1, 4, 20, 300, 1 << 20))
    return data[:start] + data[start + length :]


def _double(data: bytes, choose: random.Random, _seeds: Sequence[bytes]) -> bytes:
    start, length = _place(data, choose), choose.choice((1, 4, 20, 300))
    return data[:start] + data[start : start + length] * choose.choice((2, 2, 50)) + data[start + length :]


def _spliced(data: bytes, choose: random.Random, seeds: Sequence[bytes]) -> bytes:
    other = choose.choice(seeds)
    start, length = _place(other, choose), choose.choice((4, 20, 300))
    at = _place(data, choose)
    return data[:at] + other[start : start + length] + data[at:]


def _inserted(data: bytes, choose: random.Random, _seeds: Sequence[bytes]) -> bytes:
    at = _place(data, choose)
    return data[:at] + choose.choice(_WORDS) + data[at:]


def _lines(data: bytes, choose: random.Random, _seeds: Sequence[bytes]) -> bytes:
    lines = data.split(b"\n")
    one, other = choose.randrange(len(lines)), choose.randrange(len(lines))
    lines[one], lines[other] = lines[other], lines[one]
    return b"\n".join(lines)


def _replaced(pattern: re.Pattern[bytes], values: Sequence[bytes]) -> Mutation:
    def mutation(data: bytes, choose: random.Random, _seeds: Sequence[bytes]) -> bytes:
        found = list(pattern.finditer(data, choose.randrange(len(data) + 1))) or list(pattern.finditer(data))
        if not found:
            return data
        match = choose.choice(found[:40])
        return data[: match.start()] + choose.choice(values) + data[match.end() :]

    return mutation


_MUTATIONS: tuple[Mutation, ...] = (
    _flip, _cut, _double, _spliced, _inserted, _lines, _replaced(_NUMBER, _NUMBERS), _replaced(_WORD, _WORDS),
)  # fmt: skip


def of_unknown_names(seeds: Sequence[bytes], choose: random.Random) -> bytes:
    """The head of a seed over up to 300 lines, most of cards that nobody knows, some almost like known ones."""
    seed = choose.choice(seeds)
    names = re.findall(rb"(?m)^\d+ (.+)$", seed) or [b"Nobody"]
    lines = []
    for _ in range(choose.randrange(1, 300)):
        name = bytearray(choose.choice(names))
        for _ in range(choose.randrange(12)):
            name[choose.randrange(len(name))] = choose.randrange(97, 123)
        lines.append(b"%d %s\n" % (choose.randrange(1, 10 ** choose.randrange(1, 4)), bytes(name)))
    return b"".join(re.findall(rb"(?m)^[A-Z]\w+: .*\n", seed)) + b"\n" + b"".join(lines)
