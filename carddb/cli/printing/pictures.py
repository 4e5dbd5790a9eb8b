"""The options of `sheets` for pictures: PNG and SVG of each card, a print shop, Tabletop Simulator."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from carddb.app.printing.image_request import ImageRequest
from carddb.cli.options.executor import executor_options, executor_request
from carddb.press.shops.shops import profile

_DPI = 300


def _profile_name(_ctx: click.Context, _param: click.Parameter, name: str) -> str:
    """Refuses an unknown profile before all else, with those that there are. Raises UsageError."""
    if name:
        profile(name)
    return name


def picture_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The places and manners of pictures, as options of a verb."""
    folder = click.Path(path_type=Path, file_okay=False)
    command = executor_options("draw pictures")(command)
    for option in (
        click.option("--url", default="", metavar="PREFIX", help="Where Tabletop Simulator will find the sheets."),
        click.option("--dpi", type=click.IntRange(30, 1200), help=f"Of the pictures (default: {_DPI}, or the shop's)."),
        click.option("--colour", type=click.Choice(["rgb", "cmyk"]), help="Of what a print shop gets; cmyk later."),
        click.option(
            "--profile",
            default="",
            metavar="NAME",
            callback=_profile_name,
            help="A print shop's card, such as mpc-poker, tgc-tarot, drivethru-poker: its size, bleed and order.",
        ),
        click.option("--tts", type=folder, metavar="DIR", help="Sheets and an object for Tabletop Simulator instead."),
        click.option("--svg", type=folder, metavar="DIR", help="An SVG of each card instead."),
        click.option("--png", type=folder, metavar="DIR", help="A picture of each card instead."),
    ):
        command = option(command)
    return command


def image_request(options: dict[str, Any], output: Path | None) -> ImageRequest:
    """Where pictures go, from the options of a verb; `output` is a PDF for a print shop."""
    names = ("png", "svg", "tts", "profile", "colour", "dpi", "url")
    executor = executor_request(options)
    return ImageRequest(pdf=output, executor=executor, **{name: options.pop(name) for name in names})
