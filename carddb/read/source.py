"""From bytes to text: reading named files and files from the web, decoding them, and reporting hidden characters."""

from __future__ import annotations

import codecs
import http.client
import ipaddress
import os
import re
import socket
import ssl
import stat
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from contextlib import closing, nullcontext, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from urllib.parse import parse_qs, unquote, urlencode, urljoin, urlsplit

from carddb.core.errors import InputError
from carddb.core.files import NamedBytes, read_file, unreadable
from carddb.core.plain_text import control_at
from carddb.findings import Finding, Place, Severity, error

_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_UTF16 = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}


def is_address(text: str) -> bool:
    """Returns whether a text is a URL, of any scheme."""
    return bool(_ADDRESS.match(text))


def name_of(source: Path | BinaryIO) -> str:
    """Returns the name by which findings call a source: its path, the name of a file in memory, or `-` for a stream."""
    return source.name if isinstance(source, NamedBytes) else str(source) if isinstance(source, Path) else "-"


def read_bytes(source: Path | BinaryIO, limit: int) -> tuple[bytes, list[Finding]]:
    """Returns a file's or stream's content, and no finding; if longer than `limit` bytes, none and `file_too_large`.

    Raises InputError if it cannot be opened or read, or is neither a regular file nor the standard input.
    """
    name = name_of(source)
    try:
        if isinstance(source, NamedBytes):
            data = source.getvalue()[: limit + 1]
        elif isinstance(source, Path) and not _is_stream(source):
            data = read_file(source, limit)
        else:
            with source.open("rb") if isinstance(source, Path) else nullcontext(source) as stream:
                data = stream.read(limit + 1)
    except (OSError, ValueError) as fault:
        raise unreadable(name, fault) from fault
    if len(data) <= limit:
        return data, []
    message = f"the file is larger than the {size_in_words(limit)} that are read"
    return b"", [error("file_too_large", message, Place(name), data={"limit": limit}, fix="Split it into parts.")]


def _is_stream(path: Path) -> bool:
    """Returns whether a path is standard input or a shell's `<(...)`. No other pipe or device counts as a stream."""
    status = path.stat()
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return False
    try:
        is_standard_input = os.path.samestat(status, os.fstat(0))
    except OSError:
        is_standard_input = False
    return is_standard_input or path.parent == Path("/dev/fd")


def size_in_words(size: int) -> str:
    """Returns a number of bytes as text: `16777216` is `16 MB`."""
    return f"{size >> 20} MB" if size >= 1 << 20 else f"{size >> 10} kB"


def encoding_of(data: bytes) -> tuple[bytes, str]:
    """Returns the byte order mark at the beginning of a text (may be empty), and the encoding that it means."""
    if data.startswith(codecs.BOM_UTF8):
        return codecs.BOM_UTF8, "utf-8"
    return (data[:2], _UTF16[data[:2]]) if data[:2] in _UTF16 else (b"", "utf-8")


def decode(data: bytes, file: str) -> tuple[str | None, list[Finding]]:
    """Returns the text of UTF-8, with or without a byte order mark, or of UTF-16 with one.

    For anything else, returns None and the finding `wrong_encoding` with the byte offset (from 0) and the line.
    """
    mark, encoding = encoding_of(data)
    start = len(mark)
    try:
        return data[start:].decode(encoding), []
    except UnicodeDecodeError as fault:
        before = data[start : start + fault.start].decode(encoding, "replace")
        offset, line = start + fault.start, before.count("\n") + 1
        place = Place(file, line, len(before) - before.rfind("\n"), f"0x{data[offset]:02x}")
        message = f"byte {offset}, in line {line}, is not {encoding.upper()} text"
        fix = "Save the file as UTF-8 (in a spreadsheet program: CSV UTF-8)."
        return None, [error("wrong_encoding", message, place, data={"offset": offset, "line": line}, fix=fix)]


def standard_input() -> BinaryIO:
    """Returns standard input as a binary stream. Raises InputError if the program was started without one."""
    if sys.stdin is None:
        raise InputError("there is no standard input to read from", "Name a file, or pipe something in.")
    return sys.stdin.buffer


_MOST = 20
"""The most places that a finding names."""
_SHOWN = 200


def control_characters(texts: Iterable[tuple[str, Place]], severity: Severity = Severity.WARNING) -> list[Finding]:
    """Returns a list with one finding for all control characters in the texts, with their places, or an empty list."""
    places, names = [], []
    for text, place in texts:
        if character := control_at(text):
            places.append(place)
            names.append(character[1])
    if not places:
        return []
    where = f" (the first of {len(places)})" if len(places) > 1 else ""
    message = f"the text contains the control character {names[0]}{where}, which is never shown"
    data = {"places": len(places)}
    return [Finding("control_character", severity, message, tuple(places[:_MOST]), data=data, fix="Remove it.")]


def lines_with_places(lines: Iterable[str], file: str) -> Iterator[tuple[str, Place]]:
    """Yields (line, place of its first control character) for those lines of a file that have one."""
    for number, line in enumerate(lines, start=1):
        if character := control_at(line):
            yield line, Place(file, number, character[0] + 1, line.strip()[:_SHOWN])


def texts_of(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Yields (path, text) for the keys and texts in plain data; the path is the keys and indices that lead there."""
    if isinstance(value, str):
        yield path, value
    elif isinstance(value, dict):
        for key, part in value.items():
            yield (*path, str(key)), str(key)
            yield from texts_of(part, (*path, str(key)))
    elif isinstance(value, list | tuple):
        for number, part in enumerate(value):
            yield from texts_of(part, (*path, number))


MAX_BYTES = 10_000_000
SECONDS = 10.0
_MAX_REDIRECTS = 5
_LOAD_YOURSELF = "Download the file yourself, then load it from your computer."
_SHEET = re.compile(r"/spreadsheets/(?:u/\d+/)?d/(e/)?([\w-]+)(?:/.*)?")
_SHEETS_HOST = "docs.google.com"
_NAT64 = ipaddress.ip_network("64:ff9b::/96")
_ENDINGS = {
    "text/csv": ".csv",
    "text/tab-separated-values": ".tsv",
    "application/json": ".json",
    "application/yaml": ".yaml",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": ".xlsx",
    "application/vnd.oasis.opendocument.spreadsheet": ".ods",
}

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


def is_public(address: Address) -> bool:
    """Returns whether an address is on the public internet; for an IPv4 address inside an IPv6 one, whether that is."""
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo and address.teredo[1])
        if address in _NAT64:
            inner = ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
        if inner:
            return is_public(inner)
        if address.is_site_local:  # fec0::/10, which once was for private networks and is_global does not know
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


class Reach(NamedTuple):
    """The limits for reading from the web; `allows` returns whether an address is allowed. Only tests change them."""

    allows: Callable[[Address], bool] = is_public
    context: Callable[[], ssl.SSLContext] = ssl.create_default_context
    seconds: float = SECONDS


_OPEN = Reach()


def as_table(url: str) -> str:
    """Returns the address of a Google Sheet as CSV for its shared or published link; other addresses are unchanged."""
    parts = urlsplit(url)
    match = _SHEET.fullmatch(parts.path) if parts.hostname == _SHEETS_HOST else None
    if not match:
        return url
    parameters = parse_qs(parts.query) | parse_qs(parts.fragment)
    sheet = {"gid": parameters["gid"][0]} if "gid" in parameters else {}
    if match[1]:
        fields = {"output": "csv", "single": "true", **sheet} if sheet else {"output": "csv"}
        return f"https://{_SHEETS_HOST}/spreadsheets/d/e/{match[2]}/pub?{urlencode(fields)}"
    return f"https://{_SHEETS_HOST}/spreadsheets/d/{match[2]}/export?{urlencode({'format': 'csv', **sheet})}"


def fetch(url: str, reach: Reach = _OPEN) -> NamedBytes:
    """Returns the file at an address, named as the server names it. A published Google Sheet is read as CSV.

    Redirects must also lead to https and public addresses. It takes at most MAX_BYTES and SECONDS in all. Raises
    InputError if the file cannot be read within these limits.
    """
    visit = _Visit(as_table(url), reach)
    result: Future[NamedBytes] = Future()

    def work() -> None:
        try:
            result.set_result(visit.file())
        except Exception as fault:
            result.set_exception(fault)

    # A thread can be left at the deadline, whatever it waits for: a name, a connection, or the rest of a file.
    threading.Thread(target=work, daemon=True).start()
    try:
        return result.result(reach.seconds)
    except TimeoutError:
        message = f"{visit.url} took longer than {reach.seconds:g} seconds"
        raise InputError(message, _LOAD_YOURSELF) from None
    finally:
        visit.end()


class _Visit:
    """One attempt to read a file from the web.

    The host is looked up once, and exactly the address that was checked is connected to. So a host that answers with
    another address the second time gains nothing.
    """

    def __init__(self, url: str, reach: Reach) -> None:
        self.url = url
        """The current URL, after redirects."""
        self._reach = reach
        self._socket: socket.socket | None = None
        self._is_over = False

    def end(self) -> None:
        """Closes the connection. A server that sends a byte now and then would never let a read time out."""
        self._is_over = True
        if self._socket:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def file(self) -> NamedBytes:
        """Returns the file. Raises InputError if it cannot be read, or after too many redirects."""
        first = self.url
        for _ in range(_MAX_REDIRECTS + 1):
            try:
                answer = self._answer()
            except (OSError, http.client.HTTPException, UnicodeError, ValueError) as fault:
                cause = getattr(fault, "reason", None) or getattr(fault, "strerror", None)
                reason = str(cause or fault) or "it does not answer"
                raise InputError(f"{self.url} cannot be read: {reason.lower()}", "Check the address.") from fault
            if isinstance(answer, NamedBytes):
                return answer
            self.url = urljoin(self.url, answer)
        raise InputError(f"{first} redirects more than {_MAX_REDIRECTS} times", "Write the address of the file itself.")

    def _answer(self) -> NamedBytes | str:
        """Returns the file at the current URL, or the URL to which it redirects."""
        try:
            parts = urlsplit(self.url)
            host, port = parts.hostname, parts.port or 443
        except ValueError as fault:
            raise InputError(f"{self.url} is not an address: {fault}", "Write it as https://host/file.") from fault
        if parts.scheme != "https" or not host:
            message = f"{self.url} cannot be read: only https addresses can"
            raise InputError(message, "Write an address that begins with https://.")
        if parts.username or parts.password:
            raise InputError(f"the address of {parts.hostname} may not have a user or password", "Remove them.")
        address = self._address(host, port)
        with closing(http.client.HTTPConnection(host, port)) as connection:
            connection.sock = socket.create_connection((str(address), port), timeout=self._reach.seconds)
            secure = self._reach.context().wrap_socket(
                connection.sock, server_hostname=host, do_handshake_on_connect=False
            )
            connection.sock = self._socket = secure  # before the handshake, which then can be interrupted
            if self._is_over:
                raise TimeoutError
            secure.do_handshake()
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            headers = {"Host": parts.netloc, "Accept-Encoding": "identity", "User-Agent": "carddb"}
            connection.request("GET", path.replace(" ", "%20"), headers=headers)
            with connection.getresponse() as response:
                place = response.getheader("Location") if response.status in (301, 302, 303, 307, 308) else None
                return _file(response, self.url) if place is None else place

    def _address(self, host: str, port: int) -> Address:
        """Returns the IP address to connect to. Raises InputError for an unknown host or a forbidden address."""
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as fault:
            raise InputError(f"{host} cannot be found", "Check the address.") from fault
        addresses = [ipaddress.ip_address(str(answer[4][0]).partition("%")[0]) for answer in answers]
        if not all(map(self._reach.allows, addresses)):
            message = f"{host} is not on the public internet, so carddb does not fetch from it"
            raise InputError(message, _LOAD_YOURSELF)
        return addresses[0]


def _file(response: http.client.HTTPResponse, url: str) -> NamedBytes:
    """Returns the body of a response. Raises InputError for an error, a web page or too much, OSError if cut short."""
    if response.status != http.client.OK:
        message = f"{url} answers {response.status} {response.reason.lower()}"
        raise InputError(message, "Check the address, and that everybody may read the file.")
    kind = response.headers.get_content_type()
    if kind == "text/html":
        message = f"{url} is a web page, not a file of cards"
        raise InputError(message, "Write the address of the file itself; publish a Google Sheet to the web as CSV.")
    data = response.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise InputError(f"{url} is larger than the {size_in_words(MAX_BYTES)} that are fetched", _LOAD_YOURSELF)
    if response.length:
        raise OSError("the connection ended too early")
    # The name is the server's, else the end of the address, with a suffix for its kind.
    last = unquote(urlsplit(url).path.rpartition("/")[2])
    name = re.sub(r"[^\w.() -]+", "-", response.headers.get_filename() or last or "cards").strip(".- ") or "cards"
    has_ending = re.search(r"\.(csv|tsv|txt|xlsx|ods|json|ya?ml)$", name, re.IGNORECASE)
    return NamedBytes(data, name if has_ending else name + _ENDINGS.get(kind, ""))
