"""The pages of a ban list in a browser: from a folder and from a web server, on a phone and on a desk."""

from __future__ import annotations

import functools
import html
import json
import re
import shutil
import subprocess
import threading
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from carddb.games import folders, load
from carddb.press.bans.issue import collect
from carddb.press.bans.publish import publish
from carddb.press.bans.wording import Publication
from carddb.press.faces.workshop import open_workshop
from tests.press.bans import readers, samples
from tests.press.bans.test_publish import ON
from tests.rows import usually

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
WIDTHS = (390, 1200)
FRAMES = """\
<!doctype html><meta charset="utf-8"><pre id="told"></pre><script>
const told = {}, pages = PAGES, widths = WIDTHS;
const next = () => {
  const width = widths[Object.keys(told).length % widths.length], path = pages[0];
  if (!path) { document.getElementById("told").textContent = JSON.stringify(told); return; }
  const frame = document.createElement("iframe");
  frame.style = `width:${width}px;height:800px;border:0`;
  frame.onload = () => {
    const found = frame.contentDocument, root = found.documentElement;
    told[`${path} ${width}`] = [root.scrollWidth, found.styleSheets.length, found.body.innerText];
    if (width == widths[widths.length - 1]) pages.shift();
    frame.remove();
    next();
  };
  frame.src = path;
  document.body.append(frame);
};
onload = next;
</script>
"""
"""A page that opens each page of the site at each width and tells how wide it is, its style sheets, and its words."""

pytestmark = [pytest.mark.door, pytest.mark.skipif(BROWSER is None, reason="there is no browser")]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample site in a folder, with the page that opens its pages."""
    folder = tmp_path_factory.mktemp("site")
    game, _ = load(folders()["cahrd"])
    assert game
    issue = collect(samples.log(), ("short", "long"), samples.NAMES, Publication(game.spec, True), ON)
    pages = []
    for path, data in publish(open_workshop(game), issue, ()).files.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(data)
        if path.endswith(".html"):
            pages.append(path)
    frames = FRAMES.replace("PAGES", json.dumps(pages)).replace("WIDTHS", json.dumps(WIDTHS))
    (folder / "frames.html").write_text(frames, "utf-8")
    return folder


@pytest.fixture(scope="module")
def address(site: Path) -> Iterator[str]:
    """Where a web server has the site."""
    handler = functools.partial(Quiet, directory=str(site))
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(SimpleHTTPRequestHandler):
    """A web server that says nothing."""

    def log_message(self, *args: object) -> None:
        """Nothing."""


def opened(address: str, profile: Path) -> dict[str, list[object]]:
    """What a browser tells of every page at every width."""
    assert BROWSER
    done = subprocess.run(
        [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
         "--allow-file-access-from-files", f"--user-data-dir={profile}", "--window-size=1400,900",
         "--virtual-time-budget=60000", "--dump-dom", address],
        capture_output=True, text=True, check=True, timeout=180,
    )  # fmt: skip
    told = re.search(r'<pre id="told">(.*?)</pre>', done.stdout, re.S)
    assert told, done.stdout[-500:]
    found: dict[str, list[object]] = json.loads(html.unescape(told[1]))
    return found


@usually("served", [False, True])
@pytest.mark.full
def test_a_browser_shows_every_page(site: Path, address: str, served: bool, tmp_path: Path) -> None:
    """Each page has its style and its words and is no wider than the window, from a folder and from a web server."""
    start = f"{address}/frames.html" if served else f"file://{site}/frames.html"
    found = opened(start, tmp_path / "browser")
    pages = [path for path in site.rglob("*.html") if path.name != "frames.html"]
    assert len(found) == len(pages) * len(WIDTHS) > 40
    for place, (wide, styles, words) in found.items():
        path, _, width = place.rpartition(" ")
        assert (wide, styles) == (int(width), 1), place
        assert isinstance(words, str) and "no script on this page" in words, place
        if path in ("short/index.html", "long/index.html"):
            rows = readers.html_pairs((site / path).read_bytes())
            assert rows and all(ref in words for ref, _ in rows), place
