"""The entry point of the command line, both for `python -m carddb` and for the installed command."""

from __future__ import annotations

import gc
import sys

from carddb.cli import terminal
from carddb.core.errors import OutputError
from carddb.core.version import __version__


def main() -> None:
    """Runs the command line, and ends the process with its exit code."""
    try:
        terminal.install()
        code = _version() if sys.argv[1:] == ["--version"] else _run()
    except KeyboardInterrupt:  # before the program has begun
        code = 130
    # The memory ends with the process: a last search of it for cycles would take a tenth of a short run.
    gc.freeze()
    sys.exit(code)


def _version() -> int:
    """Prints the version without importing what other commands need, and returns the exit code."""
    try:
        print(f"carddb {__version__}", flush=True)
    except OutputError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return 0


def _run() -> int:
    # A run keeps most objects to its end and makes few cycles: searching for these often takes a twentieth of it.
    gc.set_threshold(500_000)
    from carddb.cli.main import run  # Click and all else, not for --version

    return run(sys.argv[1:])


if __name__ == "__main__":
    main()
