"""What `sheets` makes besides sheets: pictures, for a print shop too, SVG faces, decks for Tabletop Simulator."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import click

from carddb.cli import show
from carddb.cli.show import amount
from carddb.errors import UsageError
from carddb.findings import Finding

if TYPE_CHECKING:
    from collections.abc import Callable

    from carddb.cli.job import Job
    from carddb.cli.session import Session
    from carddb.press.card_pictures import Pages
    from carddb.press.shops import Profile

_DPI = 300


def _known_profile(_ctx: click.Context, _param: click.Parameter, name: str) -> str:
    """An unknown profile is told before all else, with those that there are. Raises UsageError."""
    if name:
        from carddb.press.shops import profile

        profile(name)
    return name


def picture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The places and manners of pictures, as options of a verb."""
    folder = click.Path(path_type=Path, file_okay=False)
    for option in (
        click.option("--url", default="", metavar="PREFIX", help="Where Tabletop Simulator will find the sheets."),
        click.option(
            "--jobs", type=click.IntRange(1, 64), help="Processes that draw pictures (default: the cores, at most 4)."
        ),
        click.option("--dpi", type=click.IntRange(30, 1200), help=f"Of the pictures (default: {_DPI}, or the shop's)."),
        click.option("--colour", type=click.Choice(["rgb", "cmyk"]), help="Of what a print shop gets; cmyk later."),
        click.option(
            "--profile",
            default="",
            metavar="NAME",
            callback=_known_profile,
            help="A print shop's card, such as mpc-poker, tgc-tarot, drivethru-poker: its size, bleed and order.",
        ),
        click.option("--tts", type=folder, metavar="DIR", help="Sheets and an object for Tabletop Simulator instead."),
        click.option("--svg", type=folder, metavar="DIR", help="An SVG of each card instead."),
        click.option("--png", type=folder, metavar="DIR", help="A picture of each card instead."),
    ):
        command = option(command)
    return command


class Asked(NamedTuple):
    """Where the faces go, one place of the four, and how."""

    output: Path | None
    png: Path | None
    svg: Path | None
    tts: Path | None
    profile: str
    colour: Literal["rgb", "cmyk"] | None
    dpi: int | None
    jobs: int | None
    url: str

    def check(self) -> None:
        """Raises UsageError for what does not go together."""
        if sum(place is not None for place in (self.output, self.png, self.svg, self.tts)) != 1:
            raise UsageError("name one place for the result", "Use -o FILE.pdf, --png DIR, --svg DIR or --tts DIR.")
        if self.url and self.tts is None:
            raise UsageError("--url goes with --tts", "It is where Tabletop Simulator finds the sheets.")
        shop = self.shop
        if shop is None:
            if self.colour == "cmyk":
                raise UsageError("CMYK is not written yet", "Leave out --colour.")
            return
        if self.tts is not None:
            raise UsageError("--profile is for print shops", "Leave it out: --tts has its own sizes.")
        shop.accepts("png" if self.png else "svg" if self.svg else "pdf", self.colour)
        if self.dpi not in (None, shop.shop.dpi):
            raise UsageError(f"{shop.name} takes {shop.shop.dpi} dpi, not {self.dpi}", "Leave out --dpi.")

    @property
    def shop(self) -> Profile | None:
        if not self.profile:
            return None
        from carddb.press.shops import profile

        return profile(self.profile)

    @property
    def place(self) -> Path | None:
        """Where the result goes."""
        return self.output or self.png or self.svg or self.tts

    @property
    def sheets(self) -> Path | None:
        """The PDF where print sheets are asked for."""
        return None if self.profile else self.output


def make(session: Session, job: Job, asked: Asked) -> list[Finding]:
    """Draws and writes whatever is not print sheets, unless faces are refused; gives what is wrong with them."""
    if asked.shop:
        return _order(session, job, asked, asked.shop)
    if asked.png is not None:
        return _pngs(session, job, asked, asked.png)
    if asked.svg is not None:
        return _svgs(session, job, asked.svg)
    assert asked.tts is not None
    return _tabletop(session, job, asked, asked.tts)


def _pngs(session: Session, job: Job, asked: Asked, folder: Path) -> list[Finding]:
    from carddb.press.worker_pool import worker_count, worker_pool

    dpi, cards = asked.dpi or _DPI, job.cards
    with worker_pool(worker_count(asked.jobs, len(cards))) as hands:
        from carddb.press.card_pictures import card_pngs  # while the helpers get ready

        pages = _pages(session, job, dpi)
        if faults := job.refused(session, lambda: pages.look(map(pages.bank.front, cards))):
            return faults
        with show.counted("drawing", len(cards), session.quiet) as step:
            card_pngs(pages, cards, folder, hands, job.options.bleed or 0, step)
    session.say(f"{folder}: {amount(len(cards), 'picture')} at {dpi} dpi")
    return pages.findings


def _svgs(session: Session, job: Job, folder: Path) -> list[Finding]:
    from carddb.press.card_pictures import card_svgs

    pages, cards = _pages(session, job, dpi=0), job.cards
    if faults := job.refused(session, lambda: pages.look(map(pages.bank.front, cards))):
        return faults
    with show.counted("drawing", len(cards), session.quiet) as step:
        for name, data in card_svgs(pages.bank, cards, job.options.lang):
            session.write(folder / name, data)
            step()
    session.say(f"{folder}: {amount(len(cards), 'drawing')}")
    return pages.findings


def _pages(session: Session, job: Job, dpi: int) -> Pages:
    from carddb.press.card_pictures import Pages
    from carddb.press.card_sheets import face_bank

    return Pages(face_bank(job.workshop(session), job.options), dpi)


def _order(session: Session, job: Job, asked: Asked, profile: Profile) -> list[Finding]:
    """Pictures and their manifest, or the PDF of a shop that takes one."""
    from carddb.press.shop_order import ShopOrder, order_pdf, order_pictures
    from carddb.press.worker_pool import worker_count, worker_pool
    from carddb.read.shop_order import FILE

    order = ShopOrder(job.workshop(session), profile, job.copies, job.options)
    if asked.output is not None:
        if faults := job.refused(session, order.look):
            return faults
        with show.progress(f"drawing {len(order.cards)} cards", session.quiet):
            printed = order_pdf(order, f"{job.game.spec.name}: {job.title}")
        session.write(asked.output, printed.data)
        what = f"{amount(printed.cards, 'card')} on {printed.pages} pages of {profile.upload}, backs before fronts"
        session.say(f"{asked.output}: {what}; {profile.label}")
        found = list(printed.findings)
    else:
        assert asked.png is not None
        backs = len(set(order.backs.values()))
        faces = len(order.cards) + backs
        with worker_pool(worker_count(asked.jobs, faces)) as hands:
            if faults := job.refused(session, order.look):
                return faults
            with show.counted("drawing", faces, session.quiet) as step:
                manifest = order_pictures(order, asked.png, job.title, hands, step)
        session.write(asked.png / FILE, _json(manifest.model_dump(mode="json")))
        what = f"{amount(len(order.cards), 'front')} and {amount(backs, 'back')} of {profile.upload}"
        session.say(f"{asked.png}: {what} for {profile.label}, and {FILE}")
        found = order.findings
    if profile.shop.caution:
        session.say(profile.shop.caution)
    return found


def _tabletop(session: Session, job: Job, asked: Asked, folder: Path) -> list[Finding]:
    from carddb.press.tabletop import DPI, file_stem, tabletop_deck

    pages = _pages(session, job, DPI)
    bank = pages.bank
    backs = dict.fromkeys(back for back in map(bank.back, job.cards) if back is not None)
    if faults := job.refused(session, lambda: pages.look([*map(bank.front, job.cards), *backs])):
        return faults
    with show.progress(f"drawing {amount(len(job.cards), 'card')}", session.quiet):
        deck, files = tabletop_deck(pages, job.copies, folder, job.title, asked.jobs, asked.url)
    session.write(folder / f"{file_stem(job.title)}.json", _json(deck))
    session.say(f"{folder}: {amount(sum(count for _, count in job.copies), 'card')} in {', '.join(files)}, as PNG")
    if not asked.url:
        session.say("Upload the pictures, and name the place with --url, before the game loads the object.")
    return pages.findings


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
