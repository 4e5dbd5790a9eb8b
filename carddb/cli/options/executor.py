"""The options by which work goes to further processes or to a cluster."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from carddb.core.executors import ExecutorRequest

Verb = TypeVar("Verb", bound=Callable[..., Any] | click.Command)
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


def executor_options(work: str) -> Callable[[Verb], Verb]:
    """The options of a verb whose processes do this `work`."""

    def add(command: Verb) -> Verb:
        for option in (
            click.option("--tls-key", type=_FILE, metavar="FILE", help="The key of --tls-cert."),
            click.option("--tls-cert", type=_FILE, metavar="FILE", help="What the cluster knows you by."),
            click.option("--tls-ca", type=_FILE, metavar="FILE", help="What you know the cluster by."),
            click.option("--cluster", default="", metavar="ADDRESS", help="A Dask scheduler: tls://HOST:8786."),
            click.option(
                "--jobs",
                "processes",
                type=click.IntRange(1, 64),
                help=f"Processes that {work} (default: the cores, at most 4).",
            ),
        ):
            command = option(command)
        return command

    return add


trust_option = click.option("--trust", is_flag=True, help="The cluster may run the rules.py of games of one's own.")


def executor_request(options: dict[str, Any]) -> ExecutorRequest:
    """Who does the work, from the options of a verb."""
    names = ("processes", "cluster", "tls_ca", "tls_cert", "tls_key", "trust")
    request = ExecutorRequest(**{name: options.pop(name) for name in names if name in options})
    request.check()
    return request
