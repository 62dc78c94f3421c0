"""`plan_tools`: what a request's tools change: its grammar, and the readers of its outputs."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

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

MAX_SEARCH_S = 20.0  # seconds for finding tools that can't be enforced; with hundreds of tools, each may take long
T = TypeVar("T")


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

    def without_hold(
        self, error: GrammarError | LimitExceededError, compile_one: Callable[[SamplingParams], Any]
    ) -> ToolUse:
        """The tools after the grammar failed to compile, without enforcement for tools that cause the failure.

        error: the failure. If each tool compiles alone and only the total is too large, the tools are returned
            unchanged.
        compile_one: compiles the grammar of params.
        Raises RequestFieldError for a failing tool that must be enforced, and `error` if no tool is the cause or the
        search takes too long.
        """
        reasons: dict[str, str] = {}
        start = time.monotonic()
        for tool in self.use.callable_tools:
            if time.monotonic() - start > MAX_SEARCH_S:
                raise error
            try:
                compile_one(self._alone(tool))
            except (GrammarError, LimitExceededError) as reason:
                own = _of_schema(reason)
                if not isinstance(own, _NO_HOLD) or tool.is_strict or self.use.is_required:
                    raise wrong_tool(self.use, tool, own) from reason
                reasons[tool.name] = str(own)
        if not reasons and not isinstance(error, LimitExceededError):
            raise error
        return self.use.without_hold(self.use.unheld | reasons)

    def compiled_with_fewer_holds(
        self,
        error: GrammarError | LimitExceededError,
        compile_one: Callable[[SamplingParams], Any],
        compile_use: Callable[[ToolUse], T],
    ) -> T:
        """Compile again after `compile_use` raised `error` for all tools, with fewer tools enforced; return the result.

        Tools that cause the failure are not enforced. If the others together pass a limit, the largest are not enforced
        either, as few as can be found in time. Raises like `without_hold`, and `error` if those tools must be enforced.
        """
        use = self.without_hold(error, compile_one)
        if use.unheld != self.use.unheld:
            try:
                return compile_use(use)
            except LimitExceededError as together:
                error = together
        return _compiled_within_limits(use, self._largest_first(use), error, compile_use)

    def _largest_first(self, use: ToolUse) -> list[str]:
        """Names of the tools whose enforcement may be given up, largest grammar first."""
        free = () if use.is_required else use.callable_tools
        sizes = {
            tool.name: len(json.dumps(self.syntax.arguments.of_call(tool, is_compact=False)))
            for tool in free
            if not (tool.is_strict or tool.no_hold)
        }
        return sorted(sizes, key=sizes.__getitem__, reverse=True)

    def _alone(self, tool: Tool) -> SamplingParams:
        """Params that request the arguments of one tool."""
        tag = {"type": "structural_tag", "format": self.syntax.arguments.to_check(tool)}
        return SamplingParams(structural_tag=tag, sources=self.given.sources, limits=self.given.limits)


_NO_HOLD = (InvalidSchemaError, LimitExceededError, UnsupportedSchemaError)
_PLACE = re.compile(r"^/format(?:/elements/0)?/json_schema")  # pointer to the schema in the tag of one tool


def _compiled_within_limits(
    use: ToolUse, names: Sequence[str], error: Exception, compile_use: Callable[[ToolUse], T]
) -> T:
    """The result of `compile_use` with as few as possible of the first names not enforced, found by bisection."""
    reason = f"all tools together: {error}"

    def compiled(number: int) -> T:
        return compile_use(use.without_hold(use.unheld | dict.fromkeys(names[:number], reason)))

    if not names:
        raise error
    start = time.monotonic()
    too_few, enough, found = 0, len(names), compiled(len(names))
    while enough - too_few > 1 and time.monotonic() - start < MAX_SEARCH_S:
        middle = (too_few + enough) // 2
        try:
            enough, found = middle, compiled(middle)
        except LimitExceededError:
            too_few = middle
    return found


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
    use = _with_hold_where_possible(use, syntax)
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


def _with_hold_where_possible(use: ToolUse, syntax: ToolSyntax) -> ToolUse:
    """The tools, without enforcement for those whose schema the syntax can't express. Tools that must be enforced are
    kept.
    """
    reasons = use.unheld
    for tool in () if use.is_required else use.callable_tools:
        try:
            syntax.arguments.content(tool, is_compact=False)
        except (InvalidSchemaError, UnsupportedSchemaError) as error:
            if not tool.is_strict:
                reasons[tool.name] = str(error)
    return use.without_hold(reasons)


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
