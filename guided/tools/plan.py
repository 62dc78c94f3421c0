"""`plan_tools`: what a request's tools change: its grammar, and the readers of its outputs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from guided.grammars.errors import (
    GrammarError,
    InvalidInputError,
    InvalidSchemaError,
    InvalidStructuralTagError,
    LimitExceededError,
    UnsupportedSchemaError,
)
from guided.grammars.spec import GrammarKind

from ..errors import RequestFieldError
from ..params.sampling_params import CONSTRAINTS, SamplingParams
from ..schemas.python_types import to_json_schema
from .arguments import Format
from .call_reader import CallReader
from .channel_reader import ChannelReader
from .channels import Channels
from .definitions import Tool, ToolUse, wrong_tool
from .foreign import foreign_family
from .grammar import tool_tag
from .syntax import ToolSyntax


@dataclass(frozen=True)
class ToolPlan:
    """How one request with tools is run.

    use: offers at least one tool, unless the syntax has channels.
    params: the request's params with the grammar of the answer.
    given: the request's original params.
    answer: kind of the constraint of an answer without a call; None: no constraint, or the answer must be calls.
    """

    use: ToolUse
    syntax: ToolSyntax
    params: SamplingParams
    given: SamplingParams
    answer: GrammarKind | None = None

    @property
    def shown(self) -> SamplingParams:
        """The params that the chat template sees. A schema that no answer has to fit is left out, and never
        compiled.
        """
        return replace(self.params, thinking=self.given.thinking) if self.use.is_required else self.given

    def foreign_family(self, text: str) -> str:
        """Name of another model family if a part of the text begins like one of its calls, else ""."""
        return foreign_family(text, self.use.callable_tools, self.syntax) or ""

    def new_reader(self, prompt: str = "") -> CallReader:
        """The reader of one output. prompt: its end, which may begin a part of the output."""
        channels, tools = self.syntax.channels, self.use.callable_tools
        options = {
            "only_calls": self.use.is_required or self.answer is not None,
            "may_repeat": self.use.may_repeat,
            "has_document": self.answer is not None,
            "reads_json": self.answer == "json_schema",
        }
        if channels is None:
            return CallReader(self.syntax, tools, **options)
        return ChannelReader(channels, channels.opened_by(prompt), self.syntax, tools, **options)

    def with_free_tools(
        self, error: GrammarError | LimitExceededError, compile_one: Callable[[SamplingParams], Any]
    ) -> ToolUse:
        """The tools after their grammar failed to compile. A tool that does not compile alone gets free arguments.

        error: the failure.
        compile_one: compiles the grammar of params.
        Raises RequestFieldError for a failing tool that must be enforced. If no tool is the cause, raises `error`; a
        passed limit then names all tools together. A passed limit on time frees no tool, so a busy machine changes no
        grammar.
        """
        reasons: dict[str, str] = {}
        for tool in () if _is_of_time(error) else self.use.callable_tools:
            try:
                compile_one(self._alone(tool))
            except (GrammarError, LimitExceededError) as failure:
                if _is_of_time(failure):
                    error = failure
                    break
                own = _of_schema(failure)
                if not isinstance(own, _OF_SCHEMAS) or tool.is_strict or self.use.is_required:
                    raise wrong_tool(self.use, tool, own) from failure
                reasons[tool.name] = str(own)
        if reasons.keys() - self.use.free.keys() and not _is_of_time(error):
            return self.use.with_free(self.use.free | reasons)
        raise error.located(self._together) if isinstance(error, LimitExceededError) else error

    @property
    def _together(self) -> str:
        """The detail of an error about a passed limit: its place, and what to do."""
        others = "" if self.answer is None else " and of the answer"
        return f"in the grammar of all tools{others}; offer fewer or smaller tools"

    def _alone(self, tool: Tool) -> SamplingParams:
        """Params that request the arguments of one tool."""
        tag = {"type": "structural_tag", "format": self.syntax.arguments.to_check(tool)}
        return SamplingParams(structural_tag=tag, sources=self.given.sources, limits=self.given.limits)


_OF_SCHEMAS = (InvalidSchemaError, LimitExceededError, UnsupportedSchemaError)
_PLACE = re.compile(r"^/format(?:/elements/0)?/json_schema")  # pointer to the schema in the tag of one tool


def _is_of_time(error: Exception) -> bool:
    """True if the error is a passed limit on time."""
    return isinstance(error, LimitExceededError) and error.is_of_time


def _of_schema(error: GrammarError | LimitExceededError) -> GrammarError | LimitExceededError:
    """A failure of one tool's tag as a failure of its schema, with the pointer in that schema. For a custom tool, its
    grammar's failure.
    """
    if isinstance(error, InvalidStructuralTagError) and isinstance(error.__cause__, GrammarError):
        return error.__cause__
    if isinstance(error, InvalidSchemaError):
        return InvalidSchemaError(error.reason, _PLACE.sub("", error.pointer))
    if isinstance(error, UnsupportedSchemaError):
        pointer = _PLACE.sub("", error.pointer)
        return UnsupportedSchemaError(pointer, error.keyword, error.reason, error.suggestion)
    return error


def plan_tools(
    use: ToolUse, params: SamplingParams, syntax: ToolSyntax, default_whitespace: str, *, continues: bool = False
) -> ToolPlan | None:
    """The plan of a request; None if no tool may be called and the whole output is text.

    params: their constraint, if any, applies to an answer without a call.
    continues: the prompt ends within the text of the answer.
    Raises RequestFieldError for params that can't be combined with tools.
    """
    if not use.is_offered and syntax.channels is None:
        return None
    run = params if syntax.channels is None else _with_marked_budget(params, syntax.channels)
    is_all_text = continues and syntax.channels is not None and not syntax.channels.has_both
    if not use.is_offered and (is_all_text or not params.is_constrained):
        return ToolPlan(use, syntax, run, params, params.constraint)
    if is_all_text and use.is_required:
        raise RequestFieldError(
            "continue_final_message goes on in the text of the answer, so no call can be required: leave it out, or "
            "let tool_choice be 'auto'",
            "continue_final_message",
        )
    if params.ignore_eos:
        raise RequestFieldError("ignore_eos can't be used with tools: their calls have to be complete", "ignore_eos")
    is_compact = (params.whitespace or default_whitespace) == "compact"
    answer = None if use.is_required else params.constraint
    answer_format = None if answer is None else _answer_format(params, answer, is_compact)
    use = _with_free_where_needed(use, syntax)
    tag = tool_tag(syntax, use, answer_format, is_compact=is_compact, continues=continues)
    cleared: Mapping[str, Any] = dict.fromkeys((*CONSTRAINTS, "dialect", "whitespace"))
    if params.skip_special_tokens:
        raise RequestFieldError(
            "skip_special_tokens can't be used with tools, whose calls may hold some", "skip_special_tokens"
        )
    changed: Mapping[str, Any] = {**cleared, "structural_tag": tag}
    return ToolPlan(use, syntax, replace(run, **changed), params, answer)


def _with_marked_budget(params: SamplingParams, channels: Channels) -> SamplingParams:
    """The params of a syntax with channels, whose grammar contains the thinking. The thinking budget becomes a
    processor that knows the marks of thoughts.
    """
    thought = next((part for part in channels.before if part.is_thinking), None)
    budget = 0 if params.thinking is False else params.thinking_budget
    if thought is None or budget is None:
        return replace(params, thinking=None)
    marks = {"budget": budget, "begin_mark": thought.begin, "end_mark": thought.end}
    processors = [*(params.logit_processors or ()), ("thinking_budget", marks)]
    return replace(params, thinking=None, thinking_budget=None, logit_processors=processors)


def _with_free_where_needed(use: ToolUse, syntax: ToolSyntax) -> ToolUse:
    """The tools, without enforcement for those whose schema the syntax can't express. Tools that must be enforced are
    kept.
    """
    reasons = use.free
    for tool in () if use.is_required else use.callable_tools:
        try:
            syntax.arguments.content(tool, is_compact=False)
        except (InvalidSchemaError, UnsupportedSchemaError) as error:
            if not tool.is_strict:
                reasons[tool.name] = str(error)
    return use.with_free(reasons)


def _answer_format(params: SamplingParams, kind: GrammarKind, is_compact: bool) -> Format:
    """The params' constraint as a format of structural tags."""
    if kind == "json_schema":
        if params.whitespace not in (None, "compact", "flexible"):
            raise RequestFieldError("beside tools whitespace is 'compact' or 'flexible'", "whitespace")
        compact = {"max_whitespace_cnt": 0} if is_compact else {}
        return {"type": "json_schema", "json_schema": to_json_schema(params.json_schema, params.limits), **compact}
    if kind == "regex":
        return {"type": "regex", "pattern": params.regex}
    if kind == "choice":
        return {"type": "or", "elements": [{"type": "const_string", "value": one} for one in params.choice or ()]}
    if kind == "ebnf" and params.dialect == "xgrammar":
        return {"type": "grammar", "grammar": params.ebnf}
    tag = params.structural_tag
    tag_format = tag.get("format") if isinstance(tag, dict) else None
    if isinstance(tag_format, dict):
        return tag_format
    raise InvalidInputError(
        f"{kind} can't be combined with tools; use a JSON schema, a regex, a choice, an EBNF grammar with dialect "
        "'xgrammar' or a structural tag with 'format'"
    )
