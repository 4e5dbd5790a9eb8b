"""The key of a server's forms and cookies, and the organisers' sessions, kept so that they survive a restart."""

from __future__ import annotations

import hmac
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from secrets import token_urlsafe
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from carddb.core.cache import is_ours
from carddb.core.errors import InputError, OutputError
from carddb.core.files import read_file, settings_folder, write_file

_MOST_BYTES = 65_536


class _Stored(BaseModel):
    """The content of the file: the key, and when each session ends that began with the secret of the hash `secret`."""

    model_config = ConfigDict(strict=True, extra="forbid")
    key: Annotated[str, Field(min_length=32)]
    secret: str = ""
    ends: dict[str, float] = {}


def memory_path(catalogue: Path) -> Path | None:
    """Returns the path of the file for a catalogue, in the user's settings; None if he has no home folder.

    It is not beside the catalogue, because a project that comes from somebody else could bring a key that he knows.
    """
    folder = settings_folder()
    return folder / "servers" / f"{sha256(str(catalogue.absolute()).encode()).hexdigest()}.json" if folder else None


class Memory:
    """The key and the sessions of a server, in a file that only its user can read.

    Without a path, or if others may write to its folder, they last for one run.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        if path:
            with suppress(OSError):
                path.parent.mkdir(0o700, parents=True, exist_ok=True)
            self._path = path if is_ours(path.parent) else None
        stored = self._read()
        self._stored = stored or _Stored(key=token_urlsafe(24))
        if stored is None:
            self._write()

    def token(self, purpose: str) -> str:
        """Returns a token that is the same after a restart, and from which no other can be found."""
        return hmac.new(self._stored.key.encode(), purpose.encode(), "sha256").hexdigest()

    def sessions(self, secret: str) -> dict[str, float]:
        """Returns when each session that began with the secret of this hash ends, by the hash of its cookie."""
        return dict(self._stored.ends) if self._stored.secret == secret else {}

    def keep_sessions(self, secret: str, ends: dict[str, float]) -> None:
        """Keeps the sessions that began with the secret of this hash, and no others."""
        self._stored = _Stored(key=self._stored.key, secret=secret, ends=ends)
        self._write()

    def _read(self) -> _Stored | None:
        """Returns the content of the file; None if there is no such file, or it is of another shape."""
        with suppress(OSError, ValueError, InputError):
            return _Stored.model_validate_json(read_file(self._path, _MOST_BYTES)) if self._path else None
        return None

    def _write(self) -> None:
        if self._path:
            with suppress(OSError, OutputError):
                self._path.touch(0o600)  # a file that is written anew keeps its permissions
                write_file(self._path, self._stored.model_dump_json().encode())
