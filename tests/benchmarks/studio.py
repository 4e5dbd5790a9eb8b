"""What the studio costs: `python -m tests.benchmarks.studio`.

From a template or a card file saved on disk to the new picture in the page of a real Chromium, with the 178 cards of
a copy of Empires and Generals open; and from a cell that is left to its message. Times of the clock, so the machine has
to be idle.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import sync_playwright

from carddb.app.games.new_project import new_project
from carddb.door import Project
from carddb.games import folders
from tests.web.front import serving

GAME, CARD = "empires-and-generals", "EG-CAR-001"
TIMES = 7
_CHANGED = """address => new Promise(done => { const image = document.querySelector("#after img");
    const look = () => image.getAttribute("src") === address ? requestAnimationFrame(look) : done(Date.now());
    look(); })"""


def main() -> None:
    """Prints the figures."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        folder = Path(name)
        project = Project(folder, games=[own_game(folder)])
        os.environ["CARDDB_GAMES"] = str(folder / "empires_and_generals")
        new_project(project, folder, GAME, bare=False)
        chromium = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        with serving(folder) as server:
            page = chromium.new_page(viewport={"width": 1400, "height": 900})
            page.goto(f"{server.address}/studio?token={server.front.entry()}")
            page.wait_for_selector("#looked:has-text('error')", timeout=120_000)
            template = folder / "empires_and_generals" / "templates" / "unit.svg"
            good = template.read_text("utf-8")
            show("from a template to its picture", page, lambda n: template.write_text(f"{good}{{# {n} #}}", "utf-8"))
            cards = folder / "cards.csv"
            rows = cards.read_text("utf-8")
            show(
                "from a card file to a picture",
                page,
                lambda n: cards.write_text(rows.replace("218–202 BCE", f"{n}"), "utf-8"),
            )
            cards.write_text(rows, "utf-8")
            print(f"from leaving a cell to its message: {1000 * median(cell(page, n) for n in range(TIMES)):.0f} ms")
        chromium.close()


def own_game(folder: Path) -> Path:
    """A copy of the game whose templates may be changed."""
    path = folder / "empires_and_generals"
    bundled = folders()[GAME]
    shutil.copytree(bundled.path, path)
    shutil.copytree(bundled.template_folder, path / "templates")
    return path


def show(what: str, page: Any, save: Callable[[int], object]) -> None:
    """Saves a file again and again, each time when all faces are drawn, and prints how long the picture takes."""
    spent = []
    for number in range(TIMES):
        page.wait_for_selector("#looked:has-text('error')", timeout=120_000)
        page.wait_for_timeout(200)
        address = page.get_attribute("#after img", "src")
        saved = time.time()
        save(number)
        spent.append(page.evaluate(_CHANGED, address) / 1000 - saved)
    print(f"{what}: {1000 * median(spent):.0f} ms  {1000 * min(spent):.0f} to {1000 * max(spent):.0f} ms")


def cell(page: Any, number: int) -> float:
    """Seconds from leaving a cell with a wrong value to the answer."""
    page.locator(f'tr[data-ref="{CARD}"] td[data-f="life"]').click()
    page.keyboard.press("Enter")
    page.keyboard.type(f"x{number}")
    begin = time.perf_counter()
    with page.expect_response("**/studio/edit"):
        page.keyboard.press("Enter")
    return time.perf_counter() - begin


if __name__ == "__main__":
    main()
