"""The browser front: pages and an API over the application. It decides nothing: no rule, no check, no print choice.

`carddb.web:app` is the public, read-only front as an ASGI application, for any server:
`uvicorn carddb.web:app --workers 4`. CARDDB_CATALOG, CARDDB_GAMES and CARDDB_HOSTS set it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from starlette.applications import Starlette

from carddb.web.server.application import public_application

if TYPE_CHECKING:
    app: Starlette


def __getattr__(name: str) -> Starlette:
    # Made when a server asks for it: `carddb serve` imports this package and makes another front.
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    globals()["app"] = application = public_application()
    return application
