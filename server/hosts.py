"""`HostMiddleware`: by which names a server may be called, against DNS rebinding.

A web page whose name is made to lead to 127.0.0.1 may send requests to a server on its visitor's own machine and read
the answers. Its browser says the page's name in the header Host, and by that such requests are refused.
"""

from __future__ import annotations

import ipaddress
import re

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from .answers import answer_error
from .errors import UnknownHostError
from .settings import ServerSettings

_AUTHORITY = re.compile(r"(?:\[([0-9a-f:.%]+)\]|([^\[\]@:/\s]+))(?::[0-9]*)?")  # [address] or name, and a port


def name_of(authority: str) -> str | None:
    """The name or address in a Host header, in small letters; None where it is none."""
    found = _AUTHORITY.fullmatch(authority.strip().lower())
    return None if found is None else (found[1] or found[2]).rstrip(".")


def is_own(name: str) -> bool:
    """It always means the machine that uses it: localhost, names below that (RFC 6761), loopback addresses."""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def with_hosts(settings: ServerSettings, host: str, address: str) -> ServerSettings:
    """The settings of a server that listens on `address`, which is what `host` stands for.

    With hosts of its own they get `host`, too. A server that anybody on its machine may use, and nobody else, takes no
    names but that machine's.
    """
    is_private = settings.keys.is_open and is_own(address)
    if not settings.allowed_hosts and not is_private:
        return settings
    return settings.model_copy(update={"allowed_hosts": (*settings.allowed_hosts, host)})


class HostMiddleware:
    """Answers 421 to requests for hosts that are neither allowed nor names of this machine itself.

    allowed: names without a port. A request without a Host, which no browser sends, is let through.
    """

    def __init__(self, app: ASGIApp, allowed: tuple[str, ...]) -> None:
        self._app = app
        self._allowed = {name.lower().rstrip(".") for name in allowed}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI."""
        if scope["type"] == "http":
            request = Request(scope, receive)
            authority = request.headers.get("host", "")
            name = name_of(authority)
            if authority and (name is None or not (name in self._allowed or is_own(name))):
                response = await answer_error(request, UnknownHostError(authority))
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)
