"""`warmup`: load or compile the kernels of general grammars."""

from __future__ import annotations

from typing import Any

from ..automaton.lexicon import lexicon_of
from ..automaton.matcher import AutomatonMatcher
from ..automaton.text_matcher import TextMatcher
from ..bitset import allocate_bitmask
from ..ebnf import read_ebnf
from ..limits import Limits
from ..regex import algebra as lang
from ..rules.expressions import Choice, JsonDocument, RuleGraph, RuleRef, Sequence, Terminal
from ..rules.network import build_network
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .automaton import PushdownAutomaton
from .choices import ChoiceAutomaton
from .documents import Schemas
from .matcher import PushdownMatcher

_NESTED = Sequence((Terminal(lang.text("(")), RuleRef("x"), Terminal(lang.text(")"))))
_GRAPH = RuleGraph({"x": Choice((_NESTED, JsonDocument(GrammarSpec("json_schema", '{"type":"null"}'))))}, "x")


def warmup(vocabulary: Vocabulary) -> None:
    """Use every kernel once. 0.2 s with compiled kernels."""
    lexicon, limits = lexicon_of(vocabulary), Limits()
    schemas = Schemas(None, limits)
    graphs = [schemas.resolve(_GRAPH), read_ebnf('root ::= "(" root ")" | "n"', "gbnf")]  # with and without a document
    networks = [build_network(graph, limits) for graph in graphs]
    matchers: list[TextMatcher[Any]] = [
        *(PushdownMatcher(PushdownAutomaton(network, lexicon, schemas, limits)) for network in networks),
        AutomatonMatcher(ChoiceAutomaton(["((n", "(("], lexicon)),
    ]
    bitmask = allocate_bitmask(1, vocabulary.size)
    single = {token: token_id for token_id, token in enumerate(vocabulary.tokens) if token is not None}
    for matcher in matchers:
        for byte in b"((n":
            matcher.fill_bitmask(bitmask)
            matcher.find_jump_forward_bytes()
            token_id = single.get(bytes([byte]))
            if token_id is None or not matcher.accept_token(token_id):
                break
