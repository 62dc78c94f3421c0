"""`Probe`: renders a chat template with conversations that contain calls, to see how it writes them.

A template is a foreign program: it may raise any exception, and may expect calls in its own form. An exception here
only means that the template does not accept that form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, Literal, NoReturn, get_args

from jinja2 import Template, TemplateError, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment, SandboxedEnvironment

from .calls import ToolCall

QUESTION, ANSWER, RESULT, NEXT = "zqquestion", "zqanswer", "zqresult", "zqnext"
NAMES = ("zqfirst", "zqsecond")
PARAMETERS = ("zqa", "zqb")
ARGUMENTS = ('{"zqa": "zq va", "zqb": 7}', '{"zqa": "zq vb", "zqb": 8}')
_SCHEMA = {
    "type": "object",
    "properties": {
        "zqa": {"type": "string", "description": "zq text"},
        "zqb": {"type": "integer", "description": "zq number"},
    },
    "required": ["zqa", "zqb"],
}
DEFINITIONS = [
    {"type": "function", "function": {"name": name, "description": "zq tool", "parameters": _SCHEMA}} for name in NAMES
]
_TOKENS = {"bos_token": "<bos>", "eos_token": "<eos>", "unk_token": "<unk>", "pad_token": "<pad>"}

Message = dict[str, Any]
ToolWay = Literal["tools", "xml_tools", "functions", "system"]
"""How a template takes definitions: `tools` or `xml_tools`, a list; `functions`, JSON text; `system`, JSON text as
`tools` of a system message.
"""

_WAYS: tuple[ToolWay, ...] = get_args(ToolWay)


@dataclass(frozen=True)
class CallForm:
    """How a conversation passes calls to a template.

    has_tools: it also passes the definitions.
    way: how it passes definitions.
    as_text: arguments are JSON text instead of objects.
    content: content of a message with calls and no text.
    names_results: results have the name of their tool.
    changes_lists: the template may change lists, which `transformers` forbids.
    """

    has_tools: bool = True
    way: ToolWay = "tools"
    as_text: bool = False
    content: str | None = ""
    names_results: bool = False
    changes_lists: bool = False


class Probe:
    """A chat template. source: its source. Raises jinja2's TemplateError for a malformed template."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._template = _environment(ImmutableSandboxedEnvironment).from_string(source)

    @cached_property
    def _changing_template(self) -> Template:
        return _environment(SandboxedEnvironment).from_string(self._source)

    def render(self, messages: Sequence[Message], form: CallForm) -> str | None:
        """The rendered text; None if the template raises."""
        template = self._changing_template if form.changes_lists else self._template
        definitions = DEFINITIONS if form.has_tools else []
        if form.way == "system" and definitions:
            messages = [{"role": "system", "content": "", "tools": functions_text(definitions)}, *messages]
        variables = tool_variables(definitions, form.way) or ({"tools": []} if self.wants_list else {})
        return _rendered(template, messages, variables)

    @cached_property
    def writes_questions(self) -> bool:
        """True if the template renders a question, with or without tools."""
        talk: list[Message] = [{"role": "user", "content": QUESTION}]
        return any(self.render(talk, CallForm(has_tools, self.way)) is not None for has_tools in (False, True))

    @cached_property
    def wants_list(self) -> bool:
        """True if the template needs a list of tools even if there are none."""
        talk: list[Message] = [{"role": "user", "content": QUESTION}]
        return (
            _rendered(self._template, talk, {}) is None and _rendered(self._template, talk, {"tools": []}) is not None
        )

    @cached_property
    def way(self) -> ToolWay:
        """The way of passing definitions that makes the template show them; "tools" if none does."""
        return next((way for way in _WAYS if self._shown(way) is not None), "tools")

    @cached_property
    def shown_tools(self) -> str | None:
        """The text that the template adds for tools; None if it shows neither their names nor their parameters."""
        return self._shown(self.way)

    def _shown(self, way: ToolWay) -> str | None:
        talk: list[Message] = [{"role": "user", "content": QUESTION}]
        plain, shown = (self.render(talk, CallForm(has_tools, way)) for has_tools in (False, True))
        if shown is None or not any(all(name in shown for name in names) for names in (NAMES, PARAMETERS)):
            return None
        start = _num_same(plain or "", shown)
        end = len(shown) - _num_same((plain or "")[start:][::-1], shown[start:][::-1])
        return shown[start:end]

    def calls(self, calls: Sequence[ToolCall], form: CallForm, text: str = "") -> str | None:
        """The rendered text after a question that is answered with calls. text: text beside the calls.

        If the template wants the calls' results, the text up to the first of them.
        """
        written = self._answer([call_message(calls, form, text)], form)
        if written is None and (results := self.with_results(calls, form, [call.id for call in calls])) is not None:
            written = results.partition(RESULT)[0]
        return written

    def shows_both(self, calls: Sequence[ToolCall], form: CallForm) -> bool:
        """True if the template renders a text and calls that are separate messages."""
        text = {"role": "assistant", "content": ANSWER}
        written = self._answer([text, call_message(calls, form)], form) or ""
        return ANSWER in written and all(call.name in written for call in calls)

    def answer(self, form: CallForm) -> tuple[str, str] | None:
        """The rendered texts before and after an answer that is plain text."""
        written = self._answer([{"role": "assistant", "content": ANSWER}], form)
        before, found, behind = (written or "").partition(ANSWER)
        return (before, behind) if found else None

    def shows_results(self, calls: Sequence[ToolCall], form: CallForm, ids: Sequence[str]) -> bool:
        """True if the template writes the results of calls."""
        return RESULT in (self.with_results(calls, form, ids) or "")

    def with_results(self, calls: Sequence[ToolCall], form: CallForm, ids: Sequence[str]) -> str | None:
        """The rendered text for calls followed by their results. ids: the calls' ids in the results."""
        results = [{"role": "tool", "tool_call_id": call_id, "content": RESULT} for call_id in ids]
        if form.names_results:
            results = [{**one, "name": call.name} for one, call in zip(results, calls, strict=True)]
        return self._answer([call_message(calls, form), *results], form)

    def _answer(self, messages: Sequence[Message], form: CallForm) -> str | None:
        """The rendered text after a question. Some templates render it only if a message of the user follows."""
        talk = [{"role": "user", "content": QUESTION}, *messages]
        written = self.render(talk, form)
        if written is None and (longer := self.render([*talk, {"role": "user", "content": NEXT}], form)) is not None:
            written = longer.rpartition(NEXT)[0]
        return None if written is None else written.rpartition(QUESTION)[2]


def call_message(calls: Sequence[ToolCall], form: CallForm, text: str = "") -> Message:
    """A message with calls."""
    return {
        "role": "assistant",
        "content": text or form.content,
        "tool_calls": [
            {
                "id": call.id,
                "type": "function",
                "function": {
                    "name": call.name,
                    "arguments": call.arguments if form.as_text else json.loads(call.arguments),
                },
            }
            for call in calls
        ],
    }


def tool_variables(definitions: Sequence[Mapping[str, Any]], way: ToolWay) -> dict[str, Any]:
    """The template variables for tools. A template that takes `functions` also needs the time."""
    if way == "functions":
        return {"functions": functions_text(definitions), "datetime": datetime.now().strftime("%Y-%m-%d")}
    return {way: list(definitions)} if way in ("tools", "xml_tools") and definitions else {}


def functions_text(definitions: Sequence[Mapping[str, Any]]) -> str:
    """The functions as JSON text."""
    return json.dumps([one["function"] for one in definitions], ensure_ascii=False)


def _rendered(template: Template, messages: Sequence[Message], variables: Mapping[str, Any]) -> str | None:
    given = {"tools": None, "documents": None, **variables}  # the variables that `transformers` sets
    try:
        return template.render(messages=messages, add_generation_prompt=False, **_TOKENS, **given)
    except Exception:  # noqa: BLE001 - see the module
        return None


def _num_same(one: str, other: str) -> int:
    """The length of the common beginning of two texts."""
    return next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


class _Generation(Extension):
    """The Jinja tag `generation`, which marks text written by the model. The tag's content is rendered unchanged."""

    tags = {"generation"}  # noqa: RUF012 - jinja2 has it so

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """See jinja2's `Extension.parse`."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _environment(kind: type[SandboxedEnvironment]) -> SandboxedEnvironment:
    """Jinja configured for chat templates as in `transformers`."""
    environment = kind(trim_blocks=True, lstrip_blocks=True, extensions=["jinja2.ext.loopcontrols", _Generation])
    environment.filters["tojson"] = _to_json
    environment.globals |= {"raise_exception": _raise, "strftime_now": lambda form: datetime.now().strftime(form)}
    return environment


def _to_json(value: Any, ensure_ascii: bool = False, **options: Any) -> str:
    return json.dumps(value, ensure_ascii=ensure_ascii, **options)


def _raise(message: str) -> NoReturn:
    raise TemplateError(message)
