"""Runs a server with uvicorn, on the owner's machine or for others."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from dataclasses import replace
from ipaddress import ip_address
from typing import cast

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.web.http.front import LOOPBACK, Front, FrontOptions, environment_hosts
from carddb.web.server.application import application

_HEAD_SECONDS = 10.0
"""The seconds within which the head of a request must arrive, from the connection or from its first byte."""
_MOST, _MOST_OF_ONE = 320, 64
"""The most connections, of all addresses and of one; a further one closes an idle connection.

They are many more than a hall of players opens at once, since a phone that has just connected has asked nothing yet.
"""


class Connection(H11Protocol):
    """A connection that ends if no request comes in time, and that may be closed to make room while it is idle."""

    _late: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Takes a connection. If there are too many, closes the one that has been idle for longest."""
        super().connection_made(cast(asyncio.Transport, transport))
        self._late = self.loop.call_later(_HEAD_SECONDS, self.transport.abort)
        others = [each for each in self.connections if isinstance(each, Connection) and each is not self]
        address = self.client[0] if self.client else ""
        own = [each for each in others if each.client and each.client[0] == address]
        # From this machine itself come a proxy's connections, for all of its clients.
        is_one = bool(address) and not ip_address(address.partition("%")[0]).is_loopback
        crowded = own if is_one and len(own) >= _MOST_OF_ONE else others if len(others) >= _MOST else []
        idle = [each for each in crowded if each._late or each.timeout_keep_alive_task]
        if idle:
            oldest = min(idle, key=lambda each: each._since)
            self.connections.discard(oldest)  # at once, since many connections may come before it is lost
            oldest.transport.abort()
        elif crowded is own and crowded:
            self.transport.abort()
        self._since = self.loop.time()

    def data_received(self, data: bytes) -> None:
        """Takes a part of a request. After the first byte, the rest of the head must arrive in time."""
        super().data_received(data)
        if self.conn.their_state is not h11.IDLE:
            self._forget()
        elif self._late is None:
            self._late = self.loop.call_later(_HEAD_SECONDS, self.transport.abort)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stops waiting for a request of the connection."""
        self._forget()
        super().connection_lost(exc)

    def _forget(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


USUAL_PORT = 8765
_PORTS = 20
"""The number of ports that are tried, beginning with the usual one."""


def serve(
    project: Workspace, host: str, port: int | None, options: FrontOptions, ready: Callable[[str, str], None]
) -> None:
    """Serves a project until it is interrupted.

    As soon as it can be opened, calls `ready` with two values: its URL, and the URL that a browser is to open at once
    or, at an event, the code with which the organiser signs in.

    Without `port`, takes the usual port or the next free one. Raises UsageError if others could reach `host` although
    the server is neither public nor for an event, and if the port is taken.
    """
    is_local, is_own = host in ("127.0.0.1", "localhost", "::1"), not (options.public or options.event)
    if not is_local and is_own:
        remedy = "Add --public, which serves others read-only and without your files."
        raise UsageError(f"others could reach your files at the address {host}", remedy)
    names = () if is_own else environment_hosts()
    front = Front(project, replace(options, hosts=(*LOOPBACK, _host_name(host), *names)))
    with _listening(host, port) as listener:
        address = f"http://{_host_name(host)}:{listener.getsockname()[1]}/"
        config = uvicorn.Config(
            application(front), log_level="warning", access_log=False, server_header=False, date_header=False,
            timeout_graceful_shutdown=2, timeout_keep_alive=15, limit_concurrency=480,
            h11_max_incomplete_event_size=65_536, http=Connection, ws="none",
        )  # fmt: skip
        server = _Server(config, front)
        own = f"{address}?token="
        ready(*((own + front.token, own + front.entry()) if is_own else (address, front.entry())))
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A uvicorn server that ends the event streams before it shuts down, because it would wait for them."""

    def __init__(self, config: uvicorn.Config, front: Front) -> None:
        super().__init__(config)
        self._front = front

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._front.streams.end()
        await super().shutdown(sockets)


def _host_name(host: str) -> str:
    """Returns `host` as it is written in a URL, where `::1` is `[::1]`."""
    return f"[{host}]" if ":" in host else host.lower()


def _listening(host: str, port: int | None) -> socket.socket:
    """Returns a socket listening on `port` or, for None, on the usual or next free port. Raises UsageError for none."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = range(USUAL_PORT, USUAL_PORT + _PORTS) if port is None else (port,)
    reason = OSError()
    for each in ports:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, each))
            listener.listen(128)
            return listener
        except OSError as fault:
            listener.close()
            reason = fault
    raise UsageError(f"{host}:{ports[-1]} cannot be listened on: {reason.strerror}", "Name another --port or --host.")
