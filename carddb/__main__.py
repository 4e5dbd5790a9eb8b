"""`python -m carddb`, and where the installed command begins."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and leaves with its exit code."""
    from carddb.cli import stream
    from carddb.cli.app import run

    stream.install()
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
