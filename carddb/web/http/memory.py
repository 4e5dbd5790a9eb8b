"""What a server knows again after a restart: the key of its forms, and the organisers' sessions."""

from __future__ import annotations

import hmac
import json
from contextlib import suppress
from pathlib import Path
from secrets import token_urlsafe
from typing import Any

from carddb.core.errors import OutputError
from carddb.core.files import write_file

FILE = ".carddb-server.json"


class Memory:
    """A file that this user alone can read; without a path, or where nothing can be written, it lasts for one run."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._values: dict[str, Any] = {}
        with suppress(OSError, ValueError):
            values = json.loads(path.read_text("utf-8")) if path else {}
            self._values = values if isinstance(values, dict) else {}
        if not isinstance(self._values.get("key"), str):
            self._values = {"key": token_urlsafe(24)}
            self._write()

    def token(self, purpose: str) -> str:
        """Returns a token that is the same after a restart, and from which no other can be found."""
        return hmac.new(str(self._values["key"]).encode(), purpose.encode(), "sha256").hexdigest()

    def sessions(self, secret: str) -> dict[str, float]:
        """Returns when each session that began with the secret of this hash ends, by the hash of its cookie."""
        found = self._values.get("sessions", {})
        return {**found.get("ends", {})} if found.get("secret") == secret else {}

    def keep_sessions(self, secret: str, ends: dict[str, float]) -> None:
        """Keeps the sessions that began with the secret of this hash, and no others."""
        self._values["sessions"] = {"secret": secret, "ends": ends}
        self._write()

    def _write(self) -> None:
        if self._path:
            with suppress(OSError, OutputError):
                self._path.touch(0o600)  # a file that is written anew keeps its permissions
                write_file(self._path, json.dumps(self._values).encode())
