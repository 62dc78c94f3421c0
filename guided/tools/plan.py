"""`plan_tools`: what tools make of one request: its grammar, and the readers of its outputs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from guided.grammars.errors import GrammarError, InvalidInputError
from guided.grammars.spec import Kind

from ..errors import RequestFieldError
from ..params.sampling_params import CONSTRAINTS, SamplingParams
from ..schemas.python_types import to_json_schema
from .arguments import Format
from .definitions import ToolUse, wrong_tool
from .grammar import tool_tag
from .reader import CallReader
from .syntax import ToolSyntax


@dataclass(frozen=True)
class ToolPlan:
    """How one request is run.

    use: offers at least one tool. params: with the grammar of the answer in them; given: without it, as they were.
    answer: the constraint of an answer without a call; None: there is none, or an answer has to be calls.
    """

    use: ToolUse
    syntax: ToolSyntax
    params: SamplingParams
    given: SamplingParams
    answer: Kind | None = None

    @property
    def shown(self) -> SamplingParams:
        """What a chat template is told of: no schema that no answer has to fit, which is not compiled either."""
        return self.params if self.use.is_required else self.given

    def new_reader(self) -> CallReader:
        """The reader of one output."""
        return CallReader(
            self.syntax,
            self.use.callable_tools,
            only_calls=self.use.is_required or self.answer is not None,
            may_repeat=self.use.may_repeat,
            has_document=self.answer is not None,
            reads_json=self.answer == "json_schema",
        )

    def blame(self, error: GrammarError, compile_schema: Callable[[SamplingParams], Any]) -> GrammarError:
        """The error to raise where the grammar does not compile: that of the first tool whose own schema doesn't.

        compile_schema: compiles what params ask for. Returns `error` itself where no tool is the reason.
        """
        for tool in self.use.callable_tools:
            try:
                compile_schema(SamplingParams(json_schema=tool.schema, sources=self.given.sources))
            except GrammarError as reason:
                raise wrong_tool(self.use, tool, reason) from reason
        return error


def plan_tools(use: ToolUse, params: SamplingParams, syntax: ToolSyntax, default_whitespace: str) -> ToolPlan | None:
    """The plan of a request; None where no tool may be called.

    params: its constraint, if any, is what an answer without a call has to fit.
    Raises RequestFieldError for params that can't go with tools.
    """
    if not use.is_offered:
        return None
    if params.ignore_eos:
        raise RequestFieldError("ignore_eos can't be used with tools: their calls have to be complete", "ignore_eos")
    is_compact = (params.whitespace or default_whitespace) == "compact"
    answer = None if use.is_required else params.constraint
    answer_format = None if answer is None else _answer_format(params, answer, is_compact)
    tag = tool_tag(syntax, use, answer_format, is_compact=is_compact)
    cleared: Mapping[str, Any] = dict.fromkeys((*CONSTRAINTS, "dialect", "whitespace"))
    if params.skip_special_tokens:
        raise RequestFieldError(
            "skip_special_tokens can't be used with tools, whose calls may hold some", "skip_special_tokens"
        )
    return ToolPlan(use, syntax, replace(params, **{**cleared, "structural_tag": tag}), params, answer)


def _answer_format(params: SamplingParams, kind: Kind, is_compact: bool) -> Format:
    """The constraint of the params as a format of structural tags."""
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
