"""The address of a Dask scheduler, and whether it may be used as it is."""

from __future__ import annotations

from ipaddress import ip_address
from urllib.parse import urlsplit

from carddb.core.errors import UsageError

_EXAMPLE = "An address is tls://HOST:8786, on this machine also tcp://127.0.0.1:8786."


def check_address(address: str) -> None:
    """Raises UsageError for what is no address, and for `tcp://` to another machine.

    Whoever can reach a scheduler without certificates may run programs on it and on all its workers.
    """
    parts = urlsplit(address)
    try:
        is_whole = parts.scheme in ("tcp", "tls") and bool(parts.hostname) and parts.port is not None
    except ValueError:  # a port that is no number
        is_whole = False
    if not is_whole or parts.path or parts.query or parts.fragment:
        raise UsageError(f"{address!r} is not the address of a Dask scheduler", _EXAMPLE)
    if parts.scheme == "tcp" and not _is_loopback(parts.hostname or ""):
        raise UsageError(
            f"{address} leaves this machine without encryption, and whoever reaches that port can run programs there",
            f"Use tls:// with certificates: tls://{parts.netloc}. The handbook says how they are made.",
        )


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False
