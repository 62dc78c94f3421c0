"""Messages with calls and their results, as a chat template takes them.

A template that knows calls gets them in the form that `transformers` asks for. For any other, calls become text in the
syntax that the model is told to use, and results become messages of the user.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from guided.grammars.errors import InvalidInputError

from .calls import ToolCall
from .definitions import ToolUse
from .syntaxes.registry import ToolSupport

Message = dict[str, Any]


def prepare(messages: Sequence[Mapping[str, Any]], use: ToolUse | None, support: ToolSupport) -> list[Message]:
    """The messages for the template. use: the tools that are offered; their explanation is added where it is needed.

    messages: {"role", "content"}, and "tool_calls" in OpenAI's form where an assistant made calls; its content may
        then be None. Raises InvalidInputError for calls that are none.
    """
    readable = [_read(index, message) for index, message in enumerate(messages)]
    if support.writes_calls:
        prepared = [_for_template(message, support) for message in readable]
    else:
        prepared = _as_text(readable, support)
    if use is None or not use.is_offered or support.shows_tools:
        return prepared
    return _with_explanation(prepared, support.syntax.explain([tool.definition for tool in use.tools]))


def _read(index: int, message: Mapping[str, Any]) -> Message:
    """A message whose calls are `ToolCall`s."""
    calls = message.get("tool_calls")
    if not calls:
        return {key: value for key, value in message.items() if key != "tool_calls"}
    if message["role"] != "assistant":
        raise InvalidInputError(f"message {index}: tool_calls belong to an assistant, not to {message['role']!r}")
    read = [_read_call(f"message {index}: tool_calls[{i}]", call) for i, call in enumerate(calls)]
    return {**message, "content": message.get("content") or "", "tool_calls": read}


def _read_call(where: str, call: Any) -> ToolCall:
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise InvalidInputError(f'{where} must be {{"id": ..., "function": {{"name": ..., "arguments": ...}}}}')
    arguments = function.get("arguments")
    if isinstance(arguments, Mapping):
        arguments = json.dumps(arguments, ensure_ascii=False)
    if not isinstance(arguments, str) or not _is_object(arguments):
        raise InvalidInputError(f"{where}: arguments must be a JSON object or the text of one")
    return ToolCall(str(call.get("id") or ""), function["name"], arguments)


def _is_object(text: str) -> bool:
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _for_template(message: Message, support: ToolSupport) -> Message:
    changed = dict(message)
    if "tool_calls" in message:
        changed["tool_calls"] = [_template_call(call, support) for call in message["tool_calls"]]
    if message.get("tool_call_id"):
        changed["tool_call_id"] = support.syntax.template_id(message["tool_call_id"])
    return changed


def _template_call(call: ToolCall, support: ToolSupport) -> Message:
    arguments: Any = call.arguments if support.syntax.arguments_as_text else json.loads(call.arguments)
    function = {"name": call.name, "arguments": arguments}
    return {"id": support.syntax.template_id(call.id), "type": "function", "function": function}


def _as_text(messages: Sequence[Message], support: ToolSupport) -> list[Message]:
    texts: list[Message] = []
    follows_result = False
    for message in messages:
        is_result = message["role"] == "tool"
        if is_result:
            content = f"<tool_response>\n{message['content']}\n</tool_response>"
            if follows_result:
                texts[-1]["content"] += f"\n{content}"
            else:
                texts.append({"role": "user", "content": content})
        else:
            texts.append(_spelled(message, support))
        follows_result = is_result
    return texts


def _spelled(message: Message, support: ToolSupport) -> Message:
    others = {key: value for key, value in message.items() if key != "tool_calls"}
    calls = support.syntax.spell(message.get("tool_calls", []))
    return {**others, "content": "\n".join(filter(None, (message["content"], calls)))} if calls else others


def _with_explanation(messages: list[Message], explanation: str) -> list[Message]:
    """In the first system message, or in one of its own before all others."""
    for index, message in enumerate(messages):
        if message["role"] == "system":
            joined = {**message, "content": f"{message['content']}\n\n{explanation}"}
            return [*messages[:index], joined, *messages[index + 1 :]]
    return [{"role": "system", "content": explanation}, *messages]
