"""The conversation that a response goes on with: items of the request, and of responses that are still kept."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from pydantic import TypeAdapter

from ..errors import InvalidRequestError, shorten
from ..kept_responses import KeptResponses, as_json
from .openai_responses_input import InputItem

_ITEMS: TypeAdapter[list[Any]] = TypeAdapter(list[InputItem])
WHAT_TO_DO = "send the items themselves (clients do so with store=false)"


@dataclass(frozen=True)
class WholeInput:
    """raw: the items, as JSON has them. items: instances of `InputItem`. num_earlier: of them, before the request's."""

    raw: Sequence[Mapping[str, Any]]
    items: Sequence[Any]
    num_earlier: int = 0

    @cached_property
    def as_json(self) -> bytes:
        """The items."""
        return as_json(self.raw)


def whole_input(
    raw: str | list[dict[str, Any]], items: str | Sequence[Any], previous_id: str | None, kept: KeptResponses
) -> WholeInput:
    """The conversation of a request. raw, items: its `input` as it came, and checked.

    Raises InvalidRequestError for a response or an item that is not kept.
    """
    own = [{"role": "user", "content": raw}] if isinstance(raw, str) else raw
    earlier = [] if previous_id is None else _earlier(previous_id, kept)
    found = [_referred(item, f"input[{index}]", kept) for index, item in enumerate(own)]
    is_as_sent = (
        not earlier and not isinstance(items, str) and all(one is item for one, item in zip(found, own, strict=True))
    )
    every = [*earlier, *found]
    return WholeInput(every, items if is_as_sent else _ITEMS.validate_python(every), len(earlier))


def keeper(conversation: WholeInput, kept: KeptResponses) -> Callable[[dict[str, Any]], None] | None:
    """What keeps the response to a conversation; None where it can't be kept."""
    if not kept.is_on or not kept.takes(conversation.as_json):
        return None
    return partial(kept.keep, conversation.as_json)


def _earlier(response_id: str, kept: KeptResponses) -> list[dict[str, Any]]:
    found = kept.find(response_id)
    if found is None:
        message = f"previous_response_id: this server keeps no response {shorten(response_id)}, or keeps it no more"
        raise InvalidRequestError(f"{message}; {WHAT_TO_DO}", "previous_response_id", "previous_response_not_found")
    return found.conversation


def _referred(item: dict[str, Any], where: str, kept: KeptResponses) -> dict[str, Any]:
    """The item, or the one that it refers to."""
    if item.get("type") != "item_reference":
        return item
    found = kept.find_item(item["id"])
    if found is None:
        message = f"{where} refers to the item {shorten(item['id'])}, and this server keeps none of that id, or no more"
        raise InvalidRequestError(f"{message}: {WHAT_TO_DO}", where)
    return found
