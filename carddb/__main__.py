"""`python -m carddb`, and where the installed command begins."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line and leaves with its exit code."""
    try:
        from carddb.cli import stream
        from carddb.cli.app import run

        stream.install()
        code = run(sys.argv[1:])
    except KeyboardInterrupt:  # before the program could even begin
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
