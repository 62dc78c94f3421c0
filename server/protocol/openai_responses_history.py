"""The conversation that a response continues: items of the request, and of responses that are still kept."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any

from pydantic import TypeAdapter

from guided.params.checks import shown

from ..errors import InvalidRequestError
from ..kept_responses import MAX_CONVERSATION_BYTES, KeptResponses, as_json
from .openai_responses_input import InputItem, is_reference

_ITEMS: TypeAdapter[list[Any]] = TypeAdapter(list[InputItem])
WHAT_TO_DO = "send the items themselves (clients do so with store=false)"


@dataclass(frozen=True)
class WholeInput:
    """A whole conversation. raw: the items as JSON. items: instances of `InputItem`. num_earlier: number of items from
    before this request.
    """

    raw: Sequence[Mapping[str, Any]]
    items: Sequence[Any]
    num_earlier: int = 0

    @cached_property
    def as_json(self) -> bytes:
        """The items as compact JSON."""
        return as_json(self.raw)


def whole_input(
    raw: str | list[dict[str, Any]], items: str | Sequence[Any], previous_id: str | None, kept: KeptResponses
) -> WholeInput:
    """The conversation of a request.

    raw, items: its `input` as received, and as checked items.
    previous_id: id of the response to continue from; None: no such response.
    Raises InvalidRequestError if a response or an item is not kept.
    """
    own = [{"role": "user", "content": raw}] if isinstance(raw, str) else raw
    earlier = [] if previous_id is None else _earlier(previous_id, kept)
    found = _referred(own, kept)
    is_as_sent = (
        not earlier and not isinstance(items, str) and all(one is item for one, item in zip(found, own, strict=True))
    )
    every = [*earlier, *found]
    return WholeInput(every, items if is_as_sent else _ITEMS.validate_python(every), len(earlier))


def keeper(conversation: WholeInput, kept: KeptResponses) -> Callable[[Mapping[str, Any]], bool] | None:
    """A function that keeps the response to this conversation, see `KeptResponses.keep`; None if it can't be kept."""
    if not kept.is_on or not kept.takes(conversation.as_json):
        return None
    return partial(kept.keep, conversation.as_json)


def _earlier(response_id: str, kept: KeptResponses) -> list[dict[str, Any]]:
    found = kept.find(response_id)
    if found is None:
        message = f"previous_response_id: this server has no stored response {shown(response_id)}"
        raise InvalidRequestError(f"{message}; {WHAT_TO_DO}", "previous_response_id", "previous_response_not_found")
    return found.conversation


def _referred(items: Sequence[dict[str, Any]], kept: KeptResponses) -> list[dict[str, Any]]:
    """The items, with each reference replaced by the item that it refers to."""
    found, num_bytes = [], 0
    for index, item in enumerate(items):
        where = f"input[{index}]"
        if not is_reference(item):
            found.append(item)
            continue
        meant = kept.find_item(item["id"])
        if meant is None:
            message = (
                f"{where} refers to the item {shown(item['id'])}, and this server keeps none of that id, or no more"
            )
            raise InvalidRequestError(f"{message}: {WHAT_TO_DO}", where)
        num_bytes += len(meant)
        if num_bytes > MAX_CONVERSATION_BYTES:
            message = f"{where}: the items that input refers to have over {MAX_CONVERSATION_BYTES} bytes"
            raise InvalidRequestError(f"{message}; refer to each once, or {WHAT_TO_DO}", where)
        found.append(json.loads(meant))
    return found
