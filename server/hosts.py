"""`HostMiddleware`: which host names a server accepts, as protection against DNS rebinding.

An attacker's web page may point its own host name at 127.0.0.1. Then its scripts could send requests to a server on the
visitor's machine and read the answers. The browser sends the page's name in the header Host, so the server can refuse
such requests.
"""

from __future__ import annotations

import ipaddress
import re

from fastapi import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from guided.params.checks import shown

from .answers import answer_error
from .errors import Refusal, RefusedError
from .settings import ServerSettings

# [address] or name, and an optional port
_AUTHORITY = re.compile(r"(?:\[([0-9a-f:.%]+)\]|([^\[\]@:/\s]+))(?::[0-9]*)?")


def name_of(authority: str) -> str | None:
    """The name or address in a Host header, in lower case; None if the header is malformed."""
    found = _AUTHORITY.fullmatch(authority.strip().lower())
    return None if found is None else (found[1] or found[2]).rstrip(".")


def is_own(name: str) -> bool:
    """True if the name always means the machine that resolves it: localhost, names below it (RFC 6761), loopback
    addresses.
    """
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def with_hosts(settings: ServerSettings, host: str, address: str) -> ServerSettings:
    """The settings with the hosts that a server may be called by.

    host, address: what the operator asked to listen on, and the address that it stands for. `host` is added to the
        allowed hosts if there are any. `host` is also added for an open server on a loopback address, which then
        accepts only names of its machine.
    """
    is_private = settings.keys.is_open and is_own(address)
    if not settings.allowed_hosts and not is_private:
        return settings
    return settings.model_copy(update={"allowed_hosts": (*settings.allowed_hosts, host)})


class HostMiddleware:
    """Answers 421 to a request whose host is neither allowed nor a name of this machine.

    allowed: names without a port. A request without the header Host is let through, since no browser sends one.
    """

    def __init__(self, app: ASGIApp, allowed: tuple[str, ...]) -> None:
        self._app = app
        self._allowed = {name.lower().rstrip(".") for name in allowed}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The ASGI entry point."""
        if scope["type"] == "http":
            request = Request(scope, receive)
            authority = request.headers.get("host", "")
            name = name_of(authority)
            if authority and (name is None or not (name in self._allowed or is_own(name))):
                response = await answer_error(request, RefusedError(Refusal.UNKNOWN_HOST, shown(authority)))
                await response(scope, receive, send)
                return
        await self._app(scope, receive, send)
