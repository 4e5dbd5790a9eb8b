"""Files from the web: what is reached, what is refused, and that nothing gets round it."""

from __future__ import annotations

import ipaddress
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from carddb.core.errors import InputError
from carddb.read import source
from carddb.read.source import Reach, as_table, fetch, is_public

pytestmark = pytest.mark.door

CARDS = b"ref,name\nA-1,Rider\n"


class _Pages(BaseHTTPRequestHandler):
    """Answers by path."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", self.headers["Host"].join(["https://", "/cards.csv"]) if path == "/to/cards"
                             else {"/to/plain": "http://localhost/", "/to/inside": "https://192.168.1.1/",
                                   "/to/self": "/to/self"}[path])  # fmt: skip
            self.end_headers()
            return
        kind = {"/page": "text/html"}.get(path, "text/csv; charset=utf-8")
        if path == "/missing":
            self.send_error(404)
            return
        body = b"x" * 10_000_001 if path == "/large" else CARDS
        self.send_response(200)
        self.send_header("Content-Type", kind)
        if path == "/named":
            self.send_header("Content-Disposition", 'attachment; filename="My game - Cards.csv"')
        if path != "/slow":
            self.send_header("Content-Length", str(len(body) + (5 if path == "/broken" else 0)))
        self.end_headers()
        if path == "/slow":
            self.wfile.write(body)
            self.wfile.flush()
            self.server.gate.wait(20)
        else:
            self.wfile.write(body)
        self.close_connection = path in ("/slow", "/broken")

    def log_message(self, *_: Any) -> None:
        pass


class _Server(ThreadingHTTPServer):
    gate: threading.Event


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, Reach]]:
    """A server of TLS on the loopback, and how tests reach it."""
    folder = tmp_path_factory.mktemp("tls")
    key, certificate = folder / "key.pem", folder / "cert.pem"
    subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subprocess.run(
        [*command, *subject, "-keyout", key, "-out", certificate, "-days", "1"], check=True, capture_output=True
    )
    running = _Server(("127.0.0.1", 0), _Pages)
    running.gate = threading.Event()
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    running.socket = context.wrap_socket(running.socket, server_side=True)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    reach = Reach(_is_loopback, lambda: ssl.create_default_context(cafile=str(certificate)), 3.0)
    yield f"https://localhost:{running.server_address[1]}", reach
    running.gate.set()
    running.shutdown()


def _is_loopback(address: source.Address) -> bool:
    return address.is_loopback


@pytest.mark.parametrize(
    ("path", "name"),
    [("/cards.csv", "cards.csv"), ("/to/cards", "cards.csv"), ("/named", "My game - Cards.csv"),
     ("/export", "export.csv")],
)  # fmt: skip
def test_a_file_is_read_with_the_name_that_its_server_gives(server: tuple[str, Reach], path: str, name: str) -> None:
    """The bytes, by redirects too; the name comes from the answer, else from the address and the kind."""
    file = fetch(server[0] + path, server[1])
    assert (file.read(), file.name) == (CARDS, name)


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/to/plain", "only https"),
        ("/to/inside", "not on the public internet"),
        ("/to/self", "more than 5 times"),
        ("/missing", "404"),
        ("/page", "web page"),
        ("/large", "larger than"),
        ("/broken", "ended too early"),
    ],
)
def test_what_is_refused(server: tuple[str, Reach], path: str, words: str) -> None:
    """Each redirect is held to what the first address is; errors, pages, large and broken files are no files."""
    with pytest.raises(InputError, match=words):
        fetch(server[0] + path, server[1])


def test_a_slow_server_is_left_at_the_deadline(server: tuple[str, Reach]) -> None:
    """A body that never ends is cut at the deadline of the whole, and what came of it is not taken for the file."""
    with pytest.raises(InputError, match="longer than"):
        fetch(server[0] + "/slow", server[1]._replace(seconds=0.3))


def test_the_loopback_is_refused_without_the_tests_own_reach(server: tuple[str, Reach]) -> None:
    """The same server is no public address; a certificate that nobody signed is refused too."""
    with pytest.raises(InputError, match="not on the public internet"):
        fetch(server[0] + "/cards.csv")
    with pytest.raises(InputError, match="certificate"):
        fetch(server[0] + "/cards.csv", Reach(_is_loopback))


def test_the_checked_address_is_the_one_connected_to(
    server: tuple[str, Reach], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The name is asked for once a request: a second answer, to another address, would never be used."""
    real, asked = socket.getaddrinfo, []

    def once(host: str, *rest: Any, **more: Any) -> Any:
        if host == "localhost":
            asked.append(host)
            host = "127.0.0.1"
        return real(host, *rest, **more)

    monkeypatch.setattr(socket, "getaddrinfo", once)
    assert fetch(server[0] + "/cards.csv", server[1]).read() == CARDS
    assert len(asked) == 1


def test_one_private_address_among_several_is_enough_to_refuse(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that means a public and a private address is refused whole."""
    answers = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, 443)) for each in ("93.184.216.34", "10.0.0.7")]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: answers)
    with pytest.raises(InputError, match="not on the public internet"):
        fetch("https://cards.example/cards.csv")


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.0.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
     "255.255.255.255", "::1", "::", "fe80::1", "fec0::1", "fc00::1", "ff02::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
     "64:ff9b::7f00:1", "2002:7f00:1::", "2002:a00:1::"],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    """Loopback, private, link-local, shared, multicast and reserved ones, also within an IPv6 address."""
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1:248:1893:25c8:1946", "::ffff:93.184.216.34"])
def test_addresses_that_are_public(address: str) -> None:
    """Addresses of the open internet may be reached."""
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    ["http://cards.example/a.csv", "ftp://cards.example/a.csv", "file:///etc/passwd", "https:///a.csv",
     "https://user:word@cards.example/a.csv", "https://[::1]/a.csv", "https://127.1/a.csv", "https://2130706433/",
     "https://localhost/a.csv", "https://0x7f000001/", "https://[::ffff:127.0.0.1]/"],
)  # fmt: skip
def test_addresses_that_are_never_asked(url: str) -> None:
    """Other schemes, passwords, and every way to write an address that is not public."""
    with pytest.raises(InputError):
        fetch(url)


@pytest.mark.parametrize(
    ("link", "table"),
    [
        ("d/1AbC/edit#gid=42", "d/1AbC/export?format=csv&gid=42"),
        ("d/1AbC/edit?usp=sharing", "d/1AbC/export?format=csv"),
        ("u/1/d/1AbC/edit?gid=7#gid=7", "d/1AbC/export?format=csv&gid=7"),
        ("d/e/2PACX-1v/pubhtml", "d/e/2PACX-1v/pub?output=csv"),
        ("d/e/2PACX-1v/pubhtml?gid=9&single=true", "d/e/2PACX-1v/pub?output=csv&single=true&gid=9"),
    ],
)
def test_the_link_of_a_sheet_means_its_table(link: str, table: str) -> None:
    """A Google Sheet's link, as it is shared or published, becomes that of its CSV; other links stay."""
    place = "https://docs.google.com/spreadsheets/"
    assert as_table(place + link) == place + table
    assert as_table("https://cards.example/spreadsheets/" + link) == "https://cards.example/spreadsheets/" + link


def test_which_texts_are_addresses() -> None:
    """Anything with a scheme is an address, and is refused as one; a path is none."""
    texts = {text: source.is_address(text) for text in ("https://a/b", "http://a", "cards.csv", "C:/cards.csv", "-")}
    assert texts == {"https://a/b": True, "http://a": True, "cards.csv": False, "C:/cards.csv": False, "-": False}
    assert not source.is_address(str(Path("/games/cards.csv")))
