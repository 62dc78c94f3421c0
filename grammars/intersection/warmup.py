"""`warmup`: load or compile the kernels of combinations."""

from __future__ import annotations

from ..bitset import allocate_bitmask
from ..limits import Limits
from ..regex import algebra as lang
from ..rules.expressions import Choice, JsonDocument, RuleGraph, Terminal
from ..spec import GrammarSpec
from ..structural_tags.free_text import free_text
from ..vocabulary import Vocabulary
from .compiled import IntersectionGrammar

_NESTED = GrammarSpec("json_schema", '{"type":"array","items":{"$ref":"#"}}', whitespace="compact")
_GRAPH = RuleGraph({"x": Choice((Terminal(lang.text("(")), JsonDocument(_NESTED)))}, "x")


def warmup(vocabulary: Vocabulary) -> None:
    """Use every kernel once. The brackets that are banned make a search look at all texts.

    With a vocabulary that can't spell every text, nothing: it might lack the brackets.
    """
    if vocabulary.spelling is not None:
        return
    spec = GrammarSpec("all_of", "")
    grammar = IntersectionGrammar(spec, vocabulary, _GRAPH, free_text(["]]"]), Limits(), lambda: ())
    matcher = grammar.matcher()
    matcher.fill_bitmask(allocate_bitmask(1, vocabulary.size))
    matcher.find_jump_forward_bytes()
