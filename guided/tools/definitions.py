"""`ToolUse`: the tools that a conversation offers to the model, and how the model may use them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, Literal, TypedDict

from guided.grammars.errors import InvalidInputError, InvalidSchemaError
from guided.grammars.json_schema.closed_objects import close_objects

from ..errors import RequestFieldError
from ..params.checks import shown
from .custom import SYNTAXES, TextGrammar, other_meaning, text_schema
from .marks import NAME

Choice = Literal["auto", "none", "required"]
CHOICES = ("auto", "none", "required")
MAX_TOOLS = 512
NO_ARGUMENTS: Mapping[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
_NOTES = ("title", "description", "examples", "default")
_FUNCTION_FIELDS = ("name", "description", "parameters", "strict")
_CUSTOM_FIELDS = ("name", "description", "format")
_KINDS = ("function", "custom")


@dataclass(frozen=True)
class Tool:
    """One tool.

    name: the tool's name, 1 to 128 of the characters a-z, A-Z, 0-9, _, -, . and /.
    description: what the tool does, for the model.
    parameters: JSON Schema of its arguments, which are an object; None: no arguments. Calls fit the schema.
    is_open: calls may have arguments that the schema does not list. False: as in OpenAI's strict mode, objects that
        list properties and say nothing about others have no others.
    is_strict: True: a schema that can't be enforced is an error. False: the tool's arguments are then free.
    why_free: the reason why its arguments are free; "": its schema is enforced.
    is_custom: its calls are a text instead of arguments; it has no parameters.
    grammar: the grammar of a custom tool's text; None: any text.
    """

    name: str
    description: str | None = None
    parameters: Mapping[str, Any] | None = None
    is_open: bool = False
    is_strict: bool = False
    why_free: str = ""
    is_custom: bool = False
    grammar: TextGrammar | None = None

    def __post_init__(self) -> None:
        if not isinstance(self.name, str) or not re.fullmatch(NAME, self.name):
            raise InvalidInputError(f"a tool's name has 1 to 128 of a-z, A-Z, 0-9 and _-./; not {shown(self.name)}")
        if not isinstance(self.description, str | None):
            raise InvalidInputError(f"tool {self.name}: description must be a text, not {shown(self.description)}")
        if self.parameters is not None and not isinstance(self.parameters, Mapping):
            raise InvalidInputError(f"tool {self.name}: parameters must be a JSON Schema, not {shown(self.parameters)}")

    @cached_property
    def schema(self) -> dict[str, Any]:
        """The schema that each call's arguments fit; its type is "object".

        Raises InvalidSchemaError if the given schema permits no object.
        """
        if self.why_free:
            return {"type": "object"}
        schema = _without_notes(self.shown_schema)
        if schema["type"] != "object":
            raise InvalidSchemaError(f"arguments are an object, not {shown(schema['type'])}", "/type")
        return schema if self.is_open else close_objects(schema)

    @property
    def takes_none(self) -> bool:
        """True if calls have no arguments at all."""
        asked = {key: value for key, value in self.schema.items() if key not in ("$schema", "required")}
        return asked == NO_ARGUMENTS and not self.schema.get("required")

    @property
    def shown_schema(self) -> dict[str, Any]:
        """The schema as it was given, restricted to objects if it permits them. For a custom tool, the schema of the
        function that the model is shown.
        """
        if self.is_custom:
            return text_schema(self.grammar)
        if self.parameters is None:
            return dict(NO_ARGUMENTS)
        kind = self.parameters.get("type")
        has_objects = kind is None or (isinstance(kind, list | tuple) and "object" in kind)
        return {**self.parameters, "type": "object" if has_objects else kind}

    @property
    def definition(self) -> dict[str, Any]:
        """The tool in OpenAI's format, for chat templates."""
        parameters = self.shown_schema
        function: dict[str, Any] = {"name": self.name, "description": self.description or "", "parameters": parameters}
        return {"type": "function", "function": function}


def _without_notes(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema without descriptions of itself and of its members, which are most of its text and constrain nothing.

    PERF: this way 500 tools of 2 KB make a grammar of 0.4 MB.
    """
    found = {name: value for name, value in schema.items() if name not in _NOTES}
    properties = found.get("properties")
    if isinstance(properties, Mapping):
        found["properties"] = {
            name: {key: value for key, value in one.items() if key not in _NOTES} if isinstance(one, Mapping) else one
            for name, one in properties.items()
        }
    return found


@dataclass(frozen=True)
class ToolUse:
    """The tools of one request.

    tools: at most 512, with different names.
    choice: "auto": text or calls; "required": at least one call and nothing else; "none": no call.
    only: name of a tool; the answer is exactly one call of it. None: no such tool.
    parallel: several calls may come in one answer; False: at most one.
    allowed: names of the tools that may be called; None: all. The model is shown the others too.
    may_repeat: one answer may make the same call, with the same arguments, twice. False: the second one ends the answer
        and is no part of it.
    """

    tools: tuple[Tool, ...]
    choice: Choice = "auto"
    only: str | None = None
    parallel: bool = True
    allowed: frozenset[str] | None = None
    may_repeat: bool = False
    _by_name: dict[str, Tool] = field(init=False, repr=False, compare=False, hash=False)

    def __post_init__(self) -> None:
        if self.choice not in CHOICES:
            raise RequestFieldError(
                f"tool_choice must be {', '.join(CHOICES)} or name a tool, not {shown(self.choice)}", "tool_choice"
            )
        if len(self.tools) > MAX_TOOLS:
            raise RequestFieldError(f"tools has {len(self.tools)} tools; give at most {MAX_TOOLS}", "tools")
        by_name: dict[str, Tool] = {}
        for tool in self.tools:
            if tool.name in by_name:
                raise RequestFieldError(f"tools has two tools with the name {tool.name!r}", "tools")
            by_name[tool.name] = tool
        if self.only is not None and self.only not in by_name:
            known = ", ".join(by_name) or "none"
            raise RequestFieldError(
                f"tool_choice names {shown(self.only)}, which is not in tools ({known})", "tool_choice"
            )
        if self.allowed is not None and not (self.allowed and self.allowed <= by_name.keys()):
            missing = next(iter(sorted(self.allowed - by_name.keys())), None)
            reason = "allows no tool" if missing is None else f"allows {shown(missing)}, which is not in tools"
            raise RequestFieldError(f"tool_choice {reason}", "tool_choice")
        if self.choice == "required" and not self.tools:
            raise RequestFieldError("tool_choice 'required' needs tools", "tool_choice")
        object.__setattr__(self, "_by_name", by_name)

    @property
    def is_offered(self) -> bool:
        """True if the model may call something."""
        return bool(self.tools) and (self.choice != "none" or self.only is not None)

    @property
    def is_required(self) -> bool:
        """True if the answer must be a call."""
        return self.choice == "required" or self.only is not None

    @property
    def callable_tools(self) -> tuple[Tool, ...]:
        """The tools that may be called in this answer."""
        if not self.is_offered:
            return ()
        if self.only is not None:
            return (self._by_name[self.only],)
        return tuple(tool for tool in self.tools if self.allowed is None or tool.name in self.allowed)

    def with_free(self, reasons: Mapping[str, str]) -> ToolUse:
        """The same tools. The arguments of those in `reasons` (tool name -> reason) may be any object."""
        return replace(self, tools=tuple(replace(tool, why_free=reasons.get(tool.name, "")) for tool in self.tools))

    @property
    def free(self) -> dict[str, str]:
        """Names of the tools whose arguments are free -> the reason."""
        return {tool.name: tool.why_free for tool in self.tools if tool.why_free}

    @classmethod
    def of(
        cls,
        tools: Tools | None,
        tool_choice: ToolChoice | None = None,
        parallel_tool_calls: bool | None = None,
        repeat_tool_calls: bool | None = None,
    ) -> ToolUse:
        """The tools of a request in OpenAI's format; arguments as in `ToolOptions`.

        Raises RequestFieldError, whose param is "tools", "tools[i]" or the name of another argument.
        """
        if isinstance(tools, ToolUse):
            if any(given is not None for given in (tool_choice, parallel_tool_calls, repeat_tool_calls)):
                raise InvalidInputError("a ToolUse says itself which of its tools may be called, and how many at once")
            return tools
        if isinstance(tools, str | Mapping) or not isinstance(tools, Sequence | None):
            raise RequestFieldError(f"tools must be a list of tools or a ToolUse, not {type(tools).__name__}", "tools")
        read = tuple(_tool_of(f"tools[{index}]", tool) for index, tool in enumerate(tools or ()))
        flags = {"parallel_tool_calls": parallel_tool_calls, "repeat_tool_calls": repeat_tool_calls}
        for name, value in flags.items():
            if not isinstance(value, bool | None):
                raise RequestFieldError(f"{name} must be true or false, not {shown(value)}", name)
        make = partial(cls, read, parallel=parallel_tool_calls is not False, may_repeat=repeat_tool_calls is True)
        if not isinstance(tool_choice, Mapping):
            return make(choice="auto" if tool_choice is None else tool_choice)
        if tool_choice.get("type") == "allowed_tools":
            mode, names = _allowed(tool_choice)
            return make(choice=mode, allowed=names)
        return make(only=_named(tool_choice))


Tools = ToolUse | Sequence[Mapping[str, Any]]
ToolChoice = Choice | Mapping[str, Any]


class ToolOptions(TypedDict, total=False):
    """The options of a request about tools, in OpenAI's format for chat completions or for responses.

    tools: [{"type": "function", "function": {"name", "description", "parameters"}}, ...]. A custom tool, whose calls
        are texts, is {"type": "custom", "custom": {"name", "description", "format"}}. The format for responses has the
        inner fields beside `type`. Or a `ToolUse`, which contains the other options too.
    tool_choice: "auto" (default), "none" or "required". {"type": "function", "function": {"name"}} requires a call of
        that tool. {"type": "allowed_tools", "allowed_tools": {"mode": "auto" or "required", "tools": [such, ...]}}
        allows only these tools.
    parallel_tool_calls: True (default): several calls may come in one answer.
    repeat_tool_calls: True: the same call may come twice. False (default): a second call with the same arguments ends
        the answer, and is no part of it.
    """

    tools: Tools | None
    tool_choice: ToolChoice | None
    parallel_tool_calls: bool | None
    repeat_tool_calls: bool | None


def wrong_tool(use: ToolUse, tool: Tool, reason: Exception) -> RequestFieldError:
    """The error for one of the tools, which names the tool."""
    field = f"tools[{use.tools.index(tool)}]"
    return RequestFieldError(f"{field} ({tool.name}): {reason}", field)


def _tool_of(where: str, tool: Any) -> Tool:
    kind, function = _part_of(tool)
    if function is None:
        raise RequestFieldError(
            f'{where} must be {{"type": "function", "function": {{...}}}}, or the same of "custom"', where
        )
    fields = _CUSTOM_FIELDS if kind == "custom" else _FUNCTION_FIELDS
    unknown = next((name for name in function if name not in fields), None)
    if unknown is not None:
        raise RequestFieldError(f"{where}: a {kind} tool has {', '.join(fields)}; not {shown(unknown)}", where)
    strict = function.get("strict")
    if not isinstance(strict, bool | None):
        raise RequestFieldError(f"{where}: strict must be true or false, not {shown(strict)}", where)
    grammar = _grammar_of(where, function.get("format"))
    try:
        return Tool(
            function.get("name", ""),
            function.get("description"),
            function.get("parameters"),
            is_open=strict is False,
            is_strict=strict is True or grammar is not None,
            is_custom=kind == "custom",
            grammar=grammar,
        )
    except InvalidInputError as error:
        raise RequestFieldError(f"{where}: {error}", where) from None


def _part_of(tool: Any) -> tuple[str, Mapping[str, Any] | None]:
    """The kind of a tool or of a choice of one, and its fields: below that key as in chat completions, or beside `type`
    as in responses. None without fields.
    """
    kind = tool.get("type", "function") if isinstance(tool, Mapping) else None
    part = tool.get(kind) if kind in _KINDS else None
    if part is None and kind in _KINDS and {"type", "name"} <= tool.keys():
        part = {name: value for name, value in tool.items() if name != "type"}
    return str(kind), part if isinstance(part, Mapping) else None


def _grammar_of(where: str, text_format: Any) -> TextGrammar | None:
    """The grammar in the `format` of a custom tool; None if the text is free. Raises RequestFieldError for another
    format.
    """
    if text_format is None or text_format == {"type": "text"}:
        return None
    fields = dict(text_format) if isinstance(text_format, Mapping) else {}
    grammar = fields.get("grammar", fields) if fields.pop("type", None) == "grammar" else None
    if not isinstance(grammar, Mapping) or grammar.keys() != {"syntax", "definition"}:
        expected = '{"type": "text"} or {"type": "grammar", "grammar": {"syntax": ..., "definition": ...}}'
        raise RequestFieldError(f"{where}: format must be {expected}, not {shown(text_format)}", where)
    if grammar["syntax"] not in SYNTAXES or not isinstance(grammar["definition"], str):
        raise RequestFieldError(
            f"{where}: a grammar's syntax is one of {', '.join(SYNTAXES)}, its definition a text", where
        )
    other = other_meaning(grammar["definition"]) if grammar["syntax"] == "regex" else None
    if other is not None:
        reason = (
            f"{shown(other)} means something else in Python, whose regexes are read here, than in Rust; write it out"
        )
        raise RequestFieldError(f"{where}: {reason}", where)
    return TextGrammar(grammar["syntax"], grammar["definition"])


def _allowed(choice: Mapping[str, Any]) -> tuple[Choice, frozenset[str]]:
    allowed = choice.get("allowed_tools", choice)
    mode, tools = (allowed.get("mode", "auto"), allowed.get("tools")) if isinstance(allowed, Mapping) else (None, None)
    if mode not in ("auto", "required") or not isinstance(tools, list):
        form = '{"mode": "auto" or "required", "tools": [...]}'
        raise RequestFieldError(f'tool_choice of type "allowed_tools" needs {form}, not {shown(choice)}', "tool_choice")
    return mode, frozenset(_named(tool, f" at tools[{index}]") for index, tool in enumerate(tools))


def _named(choice: Any, where: str = "") -> str:
    """The name in a choice of one tool. where: its place within the allowed tools. Raises RequestFieldError."""
    _, function = _part_of(choice)
    name = None if function is None else function.get("name")
    if not isinstance(name, str):
        form = '{"type": "function", "function": {"name": ...}}, or so with "custom"'
        raise RequestFieldError(f"a tool_choice that names a tool is {form}, not {shown(choice)}{where}", "tool_choice")
    return name
