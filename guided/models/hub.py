"""Asking the Hugging Face hub: how long, and what can go wrong."""

from __future__ import annotations

HUB_TIMEOUT_S = 10.0


def hub_errors() -> tuple[type[BaseException], ...]:
    """The errors that a request to the hub can raise.

    HfHubHTTPError inherits from the base error of whichever HTTP library is used; that base is caught.
    """
    from huggingface_hub.errors import HfHubHTTPError

    return (OSError, *(base for base in HfHubHTTPError.__bases__ if base is not Exception))


def first_line(error: BaseException) -> str:
    """The first line of an error's message. Other libraries write whole paragraphs."""
    lines = str(error).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(error).__name__
