"""`/v1/grammar/diagram`: a grammar's rules as parts for drawing railroad diagrams."""

from __future__ import annotations

from typing import Any, ClassVar

from fastapi import Request

from .base import Answer, keyed_router, posting
from .grammar_requests import AskedGrammar, GrammarRequest, answer_of_grammar

router = keyed_router()


class GrammarDiagramRequest(GrammarRequest):
    """A regex, EBNF grammar, choice or structural tag, in any of the fields of a chat completion."""

    ways: ClassVar[str] = "regex, ebnf, choice or structural_tag"


class GrammarDiagramAnswer(Answer):
    """start: the rule where texts begin. rules: the parts of each rule, by the rule's name.

    A part has a kind, with its fields: text and characters (`text`), rule (`name`), sequence and choice (`parts`),
    repeat (`part`, `low`, `high`; null means no bound), note (`text`: in words, what can't be drawn).
    """

    start: str
    rules: dict[str, dict[str, Any]]


@router.post("/v1/grammar/diagram", openapi_extra=posting(GrammarDiagramRequest))
async def diagram(request: Request) -> GrammarDiagramAnswer:
    """The structure of a grammar's rules, for drawing railroad diagrams. JSON Schemas have no rules and get a 400."""
    return await answer_of_grammar(request, GrammarDiagramRequest, _draw)


def _draw(_: GrammarDiagramRequest, grammar: AskedGrammar) -> GrammarDiagramAnswer:
    from guided.workbench.diagrams import diagram_of

    found = diagram_of(grammar.compiled.spec, grammar.compiled.vocabulary)
    return GrammarDiagramAnswer(start=found.start, rules=found.rules)
