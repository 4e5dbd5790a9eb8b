"""Pages in a real Chromium: how tests open them, and what fails a test wherever it happens."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from tests.web.front import Server

playwright = pytest.importorskip("playwright.sync_api")
axe = pytest.importorskip("axe_playwright_python.sync_playwright")
playwright.expect.set_options(timeout=20_000)  # a machine that does much else is slow
IN_CHROMIUM = [
    pytest.mark.door,
    pytest.mark.skipif(shutil.which("chromium") is None, reason="Chromium is not installed"),
]
"""The marks of a file whose tests need Chromium."""
PHONE, TABLET, WIDE = 390, 800, 1400
"""The widths in pixels that pages are looked at in."""
LOOKS = [(width, look) for width in (PHONE, TABLET, WIDE) for look in ("light", "dark")]


@contextmanager
def launched() -> Iterator[Any]:
    """A Chromium while the block runs."""
    with playwright.sync_playwright() as driver:
        chromium = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        yield chromium
        chromium.close()


@contextmanager
def watched_page(
    browser: Any, server: Server, width: int = WIDE, *, expected: str = "", **options: Any
) -> Iterator[Any]:
    """A page in a browser of its own; a message of the console, an error or a request elsewhere fails the test.

    `expected` is a pattern of messages that Chromium itself writes: of a refusal that the test provokes.
    """
    faults: list[str] = []
    context = browser.new_context(viewport={"width": width, "height": 900}, accept_downloads=True, **options)
    page = context.new_page()
    own = (server.address, "blob:")

    def is_expected(text: str) -> bool:
        return bool(expected and re.search(expected, text))

    def told(message: Any) -> None:
        if not is_expected(message.text):
            faults.append(f"console: {message.text}")

    def asked(request: Any) -> None:
        if not request.url.startswith(own):
            faults.append(request.url)

    page.on("console", told)
    page.on("pageerror", lambda error: faults.append(f"error: {error}"))
    page.on("request", asked)
    try:
        yield page
    finally:
        context.close()
    assert not faults, faults


def assert_readable(page: Any, looks: Iterable[tuple[int, str]]) -> None:
    """No violation of accessibility in these widths and colours, and nothing is wider than the window."""
    for width, look in looks:
        page.emulate_media(color_scheme=look)
        page.set_viewport_size({"width": width, "height": 900})
        result = axe.Axe().run(page)
        assert result.violations_count == 0, result.generate_report()
        assert page.evaluate("document.documentElement.scrollWidth") <= width, f"too wide at {width}"
