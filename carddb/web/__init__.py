"""The web server: pages and an API over the application. It contains no rule, no check and no print choice of its own.

`carddb.web:app` is the public, read-only server as an ASGI application, for any server program: `uvicorn carddb.web:app
--workers 4`. CARDDB_CATALOG, CARDDB_GAMES, CARDDB_HOSTS and CARDDB_TABLES configure it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette

from carddb.web.server.application import public_application

if TYPE_CHECKING:
    app: Starlette


def __getattr__(name: str) -> Starlette:
    # Made only when `app` is asked for, because `carddb serve` imports this package too and makes an application of its
    # own.
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    globals()["app"] = application = public_application()
    return application
