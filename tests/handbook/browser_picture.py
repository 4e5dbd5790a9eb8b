"""The deck checker's picture in the README: `python -m tests.handbook.browser_picture` takes it anew, in Chromium."""

from __future__ import annotations

import io
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

from PIL import Image
from playwright.sync_api import sync_playwright

from carddb.core import assets
from tests.web.front import serving

DECK = """\
Name: Roads to the Granary
Game: cahrd
Format: battle

// Main deck
1 Amina of Zazzau
1 Emiliano Zapata
1 Grace O'Malley
1 Hanibal Barca
2 Scaling Ladders
4 Trebuchet
1 Forced March
2 Cavalry Pursuit
1 Siege in Depth
"""
WIDTH, HEIGHT = 1280, 1180
"""Pixels of the window; the picture is as large."""


def picture(folder: Path) -> bytes:
    """The checker with a deck that has faults, as PNG."""
    with serving(folder) as server, sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
        page.goto(f"{server.address}/check?token={server.front.entry()}")
        page.fill("#text", DECK)
        page.wait_for_selector("#word")
        page.evaluate("document.activeElement.blur()")
        shot = page.screenshot()
        browser.close()
    out = io.BytesIO()
    Image.open(io.BytesIO(shot)).convert("RGB").quantize(64, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


if __name__ == "__main__":
    with TemporaryDirectory() as folder:
        (assets.handbook() / "pictures" / "browser.png").write_bytes(picture(Path(folder)))
