"""Runs a front with uvicorn: on one's own machine, or for others."""

from __future__ import annotations

import socket
from collections.abc import Callable
from dataclasses import replace

import uvicorn

from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.web.http.front import LOOPBACK, Front, FrontOptions, environment_hosts
from carddb.web.server.application import application

USUAL_PORT = 8765
_PORTS = 20
"""Ports that are tried after the usual one."""


def serve(project: Workspace, host: str, port: int | None, options: FrontOptions, ready: Callable[[str], None]) -> None:
    """Serves a project until it is interrupted; `ready` gets the address once it can be opened.

    Without a port the usual one is taken, or one of the next that is free. Raises UsageError for a host beyond one's
    own machine without `public` or an event, and for a port that is taken.
    """
    is_local, is_own = host in ("127.0.0.1", "localhost", "::1"), not (options.public or options.event)
    if not is_local and is_own:
        raise UsageError(f"{host} can be reached by others", "Add --public: read-only, without your files.")
    names = () if is_own else environment_hosts()
    front = Front(project, replace(options, hosts=(*LOOPBACK, _host_name(host), *names)))
    with _listening(host, port) as listener:
        address = f"http://{_host_name(host)}:{listener.getsockname()[1]}/"
        config = uvicorn.Config(
            application(front), log_level="warning", access_log=False, server_header=False, date_header=False,
            timeout_graceful_shutdown=2, timeout_keep_alive=15, limit_concurrency=200,
            h11_max_incomplete_event_size=65_536,
        )  # fmt: skip
        server = _Server(config, front)
        ready(f"{address}?token={front.token}" if is_own else address)
        server.run(sockets=[listener])


class _Server(uvicorn.Server):
    """A server that ends the streams of its front first: it would wait for them."""

    def __init__(self, config: uvicorn.Config, front: Front) -> None:
        super().__init__(config)
        self._front = front

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._front.streams.end()
        await super().shutdown(sockets)


def _host_name(host: str) -> str:
    """Returns a host as an address has it: `::1` is `[::1]`."""
    return f"[{host}]" if ":" in host else host.lower()


def _listening(host: str, port: int | None) -> socket.socket:
    """Returns a socket that listens. Raises UsageError."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    ports = range(USUAL_PORT, USUAL_PORT + _PORTS) if port is None else (port,)
    reason = OSError()
    for each in ports:
        listener = socket.socket(family, socket.SOCK_STREAM)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, each))
            listener.listen(128)
        except OSError as fault:
            listener.close()
            reason = fault
        else:
            return listener
    raise UsageError(f"{host}:{ports[-1]} cannot be listened on: {reason.strerror}", "Name another --port or --host.")
