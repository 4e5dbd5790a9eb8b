"""A command that runs at a pseudo-terminal: lines are typed after each prompt, what it shows is read until the next."""

from __future__ import annotations

import errno
import os
import pty
import re
import sys
from pathlib import Path

PROMPT = "> "
_STYLE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class PseudoTerminal:
    """`carddb` with some arguments at a terminal of 80 columns; `with` ends it."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self.shown = ""
        self._pid, self._file = pty.fork()
        if self._pid == 0:
            os.chdir(folder)
            os.environ.update(COLUMNS="80", TERM="xterm", PYTHONPATH=str(Path(__file__).parents[2]))
            os.execv(sys.executable, [sys.executable, "-m", "carddb", *arguments])

    def __enter__(self) -> PseudoTerminal:
        self.read()
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)
        os.waitpid(self._pid, 0)

    def type(self, line: str = "") -> str:
        """Types a line and Enter; what is shown up to the next prompt, the typed line itself where it is echoed."""
        os.write(self._file, f"{line}\n".encode())
        return self.read()

    def read(self) -> str:
        """What is shown up to the next prompt, or up to the end of the program."""
        said = b""
        while not said.endswith(PROMPT.encode()):
            try:
                part = os.read(self._file, 4096)
            except OSError as fault:
                if fault.errno != errno.EIO:
                    raise
                break
            if not part:
                break
            said += part
        text = _STYLE.sub("", said.decode()).replace("\r\n", "\n")
        self.shown += text
        return text
