"""Ports for processes that are told theirs."""

from __future__ import annotations

import socket


def free_port() -> int:
    """A port of 127.0.0.1 on which nobody listens now."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
