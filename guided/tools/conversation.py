"""Messages with calls and their results, converted for a chat template.

A template that writes calls gets them in the format of `transformers`. For other templates, calls become text in the
syntax that the model is told to use, and results become messages of the user. Calls whose arguments are no JSON object
also become text, since most templates accept only objects. An example is a call cut off by the token limit.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from guided.grammars.errors import InvalidInputError

from .calls import ToolCall
from .definitions import ToolUse
from .probe import functions_text
from .support import ToolSupport
from .syntax import ToolSyntax

Message = dict[str, Any]

UNFINISHED = ToolSyntax("unfinished", '{"name": "NAME", "arguments": ARGUMENTS', between="\n")
"""Writes calls whose arguments are no JSON object. It has no special tokens, which some tokenizers refuse in text."""


def prepare(messages: Sequence[Mapping[str, Any]], use: ToolUse | None, support: ToolSupport) -> list[Message]:
    """The messages for the template.

    messages: {"role", "content"}, and "tool_calls" in OpenAI's format if an assistant made calls; its content may then
        be None. A result ("role": "tool") without "tool_call_id" belongs to the first call without a result.
    use: the offered tools; None: none. If the template does not explain them, a system message does.
    support: what the chat template does for tools.
    Raises InvalidInputError for malformed calls.
    """
    read = [_read(index, message) for index, message in enumerate(messages)]
    _name_results_inplace(read)
    prepared = _prepared(read if support.syntax.is_parallel else _one_by_one(read), support)
    definitions = [tool.definition for tool in use.tools] if use is not None and use.is_offered else []
    if not definitions or (support.shows_tools and support.way != "system"):
        return prepared
    if support.shows_tools:
        return _with_system(prepared, "", tools=functions_text(definitions))
    return _with_system(prepared, support.syntax.explain(definitions))


def _read(index: int, message: Mapping[str, Any]) -> Message:
    """A message with its calls converted to `ToolCall`s."""
    calls = message.get("tool_calls")
    if not calls:
        return {key: value for key, value in message.items() if key != "tool_calls"}
    if message["role"] != "assistant":
        raise InvalidInputError(f"message {index}: tool_calls belong to an assistant, not to {message['role']!r}")
    read = [_read_call(f"message {index}: tool_calls[{i}]", call) for i, call in enumerate(calls)]
    return {**message, "content": message.get("content") or "", "tool_calls": read}


def _name_results_inplace(messages: Sequence[Message]) -> None:
    """Give results without an id the id of their call, in the order of the calls."""
    open_ids: list[str] = []
    for message in messages:
        if message.get("tool_calls"):
            open_ids = [call.id for call in message["tool_calls"]]
        elif message["role"] == "tool":
            given = message.get("tool_call_id")
            if given is None and open_ids:
                message["tool_call_id"] = open_ids[0]
            if message.get("tool_call_id") in open_ids:
                open_ids.remove(message["tool_call_id"])


def _one_by_one(messages: Sequence[Message]) -> list[Message]:
    """The conversation with one call in each message, followed by its results."""
    apart: list[Message] = []
    group: list[list[Message]] = []  # each call of the last message with calls, and its results
    for message in [*messages, {"role": "end"}]:
        named = message.get("tool_call_id")
        result_of = [one for one in group if message["role"] == "tool" and one[0]["tool_calls"][0].id == named]
        if result_of:
            min(result_of, key=len).append(message)  # calls may share an id, or have none
            continue
        apart += [part for one in group for part in one]
        calls = message.get("tool_calls", [])
        group = [
            [{**message, "content": "" if index else message["content"], "tool_calls": [call]}]
            for index, call in enumerate(calls)
        ]
        apart += [] if calls else [message]
    return apart[:-1]


def _read_call(where: str, call: Any) -> ToolCall:
    kind = call.get("type", "function") if isinstance(call, Mapping) else None
    if kind == "custom":
        custom = call.get("custom")
        if not isinstance(custom, Mapping) or not all(isinstance(custom.get(key), str) for key in ("name", "input")):
            raise InvalidInputError(f'{where}.custom must be {{"name": ..., "input": ...}}')
        return ToolCall(str(call.get("id") or ""), custom["name"], custom["input"], True).as_function
    function = call.get("function") if isinstance(call, Mapping) else None
    if not isinstance(function, Mapping) or not isinstance(function.get("name"), str):
        raise InvalidInputError(f'{where} must be {{"id": ..., "function": {{"name": ..., "arguments": ...}}}}')
    arguments = function.get("arguments")
    if isinstance(arguments, Mapping):
        arguments = json.dumps(arguments, ensure_ascii=False)
    if not isinstance(arguments, str):
        raise InvalidInputError(f"{where}: arguments must be a JSON object or a text")
    return ToolCall(str(call.get("id") or ""), function["name"], arguments or "{}")


def _prepared(messages: Sequence[Message], support: ToolSupport) -> list[Message]:
    """The messages in the template's format. A message with calls and the results after it are either all in that
    format or all text.
    """
    prepared: list[Message] = []
    ids = _TemplateIds(support.syntax)
    is_text, follows_result = not support.writes_calls, False
    for message in messages:
        is_result = message["role"] == "tool"
        if not is_result:
            is_text = not support.writes_calls or not _fit(message.get("tool_calls", ()), support)
        if is_result and is_text:
            _add_result_inplace(prepared, message, follows_result=follows_result)
        elif is_text:
            prepared.append(_spelled(message, support))
        else:
            prepared += _for_template(message, support, ids)
        follows_result = is_result
    return prepared


def _fit(calls: Sequence[ToolCall], support: ToolSupport) -> bool:
    """True if the template can write these calls."""
    return support.arguments_as_text or all(call.object is not None for call in calls)


class _TemplateIds:
    """Converts ids to the template's form. names: the name of each call, by its given id."""

    def __init__(self, syntax: ToolSyntax) -> None:
        self.names: dict[str, str] = {}
        self._form = syntax.ids.for_template
        self._ids: dict[str, str] = {}
        self._num_calls = 0

    def of_call(self, call: ToolCall) -> str:
        made = self._ids[call.id] = self._form(call.id, call.name, self._num_calls)
        self.names[call.id] = call.name
        self._num_calls += 1
        return made

    def of_result(self, call_id: str) -> str:
        return self._ids.get(call_id) or self._form(call_id, "", self._num_calls)


def _for_template(message: Message, support: ToolSupport, ids: _TemplateIds) -> list[Message]:
    """The message in the template's format. Two messages if the template shows no text beside calls."""
    if call_id := message.get("tool_call_id"):
        named = {"name": ids.names.get(call_id, "")} if support.names_results else {}
        return [{**named, **message, "tool_call_id": ids.of_result(call_id)}]
    if "tool_calls" not in message:
        return [message]
    text, calls = message["content"], [_template_call(call, support, ids) for call in message["tool_calls"]]
    if text and support.splits_text:
        others = {key: value for key, value in message.items() if key != "tool_calls"}
        return [others, {**message, "content": support.empty_content, "tool_calls": calls}]
    return [{**message, "content": text or support.empty_content, "tool_calls": calls, **_thought(message, support)}]


def _thought(message: Message, support: ToolSupport) -> Message:
    """The thoughts before calls, if the template has its own name for them and the message has no text."""
    key = "" if support.syntax.channels is None else support.syntax.channels.thinking_key
    thought = message.get("reasoning_content")
    return {key: thought} if key and thought and not message["content"] else {}


def _template_call(call: ToolCall, support: ToolSupport, ids: _TemplateIds) -> Message:
    arguments = call.arguments if support.arguments_as_text else call.object
    return {"id": ids.of_call(call), "type": "function", "function": {"name": call.name, "arguments": arguments}}


def _add_result_inplace(texts: list[Message], message: Message, *, follows_result: bool) -> None:
    """Add a result as text of the user. Consecutive results become one message."""
    content = f"<tool_response>\n{message['content']}\n</tool_response>"
    if follows_result:
        texts[-1]["content"] += f"\n{content}"
    else:
        texts.append({"role": "user", "content": content})


def _spelled(message: Message, support: ToolSupport) -> Message:
    others = {key: value for key, value in message.items() if key != "tool_calls"}
    calls = message.get("tool_calls", [])
    spelled = (support.syntax if _fit(calls, support) else UNFINISHED).spell(calls)
    return {**others, "content": "\n".join(filter(None, (message["content"], spelled)))} if calls else others


def folded(messages: Sequence[Message], *, keeps_first: bool, into_results: bool) -> list[Message]:
    """The same texts, for templates that refuse system messages or two messages of the user in a row.

    A system message goes before the text of the user's next message. A message of the user goes to the end of the one
    before it.
    keeps_first: an initial system message stays. A system message with definitions always stays.
    into_results: a message of the user also goes to the end of a result before it.
    """
    kept = list(messages[:1]) if keeps_first and messages and messages[0]["role"] == "system" else []
    takers = ("user", "tool") if into_results else ("user",)
    pending: list[str] = []
    for message in messages[len(kept) :]:
        if message["role"] == "system" and "tools" not in message:
            pending.append(message["content"])
        elif message["role"] == "user":
            _add_text_inplace(kept, {**message, "content": "\n\n".join([*pending, message["content"]])}, takers)
            pending = []
        else:
            kept.append(message)
    if pending:
        _add_text_inplace(kept, {"role": "user", "content": "\n\n".join(pending)}, takers)
    return kept


def _add_text_inplace(messages: list[Message], message: Message, takers: Sequence[str]) -> None:
    if messages and messages[-1]["role"] in takers:
        messages[-1] = {**messages[-1], "content": f"{messages[-1]['content']}\n\n{message['content']}"}
    else:
        messages.append(message)


def _with_system(messages: list[Message], text: str, **others: str) -> list[Message]:
    """Add text to the first system message, or to a new one before all others."""
    for index, message in enumerate(messages):
        if message["role"] == "system":
            content = "\n\n".join(filter(None, (message["content"], text)))
            return [*messages[:index], {**message, "content": content, **others}, *messages[index + 1 :]]
    return [{"role": "system", "content": text, **others}, *messages]
