"""Documents in rules: `python -m tests.fuzz.documents --seconds 3600 --seed 1`.

Random schemas in small grammars: between marks, beside free text and words, in lists, one after the other, several that
may begin at once, in recursive rules, with different whitespace. Tokens of the vocabulary end documents, go on in the
rules, and begin the next ones. Along random walks the mask must have the tokens that are taken, and no others; and a
token must be taken where its bytes are, one by one.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable
from typing import Any

from guided.grammars.errors import GuidedError, LimitExceededError, UnsatisfiableError
from guided.grammars.limits import Limits
from guided.grammars.native.general_grammar import GeneralGrammar
from guided.grammars.protocol import Matcher
from guided.grammars.regex import algebra as lang
from guided.grammars.regex.charset import from_ranges
from guided.grammars.rules.expressions import (
    Choice,
    CountedRepeat,
    Expression,
    JsonDocument,
    RuleGraph,
    RuleRef,
    Sequence,
    Terminal,
    TokenRef,
)
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary

from . import masks
from .command import Case, main

VALUES = [b"1", b"a", b'"', b'a"', b"]", b"]]", b"}", b"]}", b"null", b"1]", b'"a"]', b"[]", b"{}", b"true}"]
MARKS = [b">", b"><", b",", b")", b"),(", b">a<", b"><a", b" ", b"(", b"<", b""]
BEGINNINGS = [b"", b"[", b"{", b"[[", b'{"', b'{"a":', b"[1", b'"', b'["a",', b"1", b"tr", b"[{"]
LONGER = {b"".join(parts) for parts in itertools.product(VALUES, MARKS, BEGINNINGS)}
TOKENS = sorted({token for token in {*LONGER, *masks.LONGER} if len(token) > 1})
SPECIAL = 257 + len(TOKENS)
VOCABULARY = Vocabulary([*masks.BYTES, None, *TOKENS, None], [256])
TRIED_BYTES = [*masks.TRIED_BYTES, *b"<>()"]
TRIED = [*TRIED_BYTES, *range(257, VOCABULARY.size)]
NUM_WALKS = 2
SCHEMAS = [{}, {"type": "number"}, {"type": ["integer", "array"]}, {"enum": [1, 12, "1", [1], {"a": 1}]}]
SCHEMAS += [{"type": "array", "uniqueItems": True}, {"type": "array", "uniqueItems": True, "items": {"type": "array"}}]
LIMITS = Limits(max_mask_seconds=3.0)

Document = Callable[[], Expression]


def _text(string: str) -> Terminal:
    return Terminal(lang.text(string))


def _chars(members: str, low: int = 0) -> Terminal:
    return Terminal(lang.repeat(lang.chars(from_ranges((ord(one), ord(one)) for one in members)), low))


def _marked(document: Document) -> Expression:
    return CountedRepeat(Sequence((_chars('ab1 {[,"]}'), _text("<"), document(), _text(">"))), 0, None)


def _listed(document: Document) -> Expression:
    return Sequence((_text("("), document(), CountedRepeat(Sequence((_text(","), document())), 0, None), _text(")")))


def _neighbours(document: Document) -> Expression:
    return Sequence((document(), document(), _text(">"), document()))


def _beside_words(document: Document) -> Expression:
    return CountedRepeat(Sequence((Choice((document(), _chars('a1"[{', 1))), _text(","))), 0, None)


def _two(document: Document) -> Expression:
    return Sequence((_text("<"), Choice((document(), document())), Choice((_text(">"), document()))))


def _optional(document: Document) -> Expression:
    return Sequence((CountedRepeat(document(), 0, 2), _text(">"), CountedRepeat(document(), 0, 1)))


def _recursive(document: Document) -> Expression:
    inside = Sequence((_text("("), RuleRef("s"), CountedRepeat(Sequence((_text(","), RuleRef("s"))), 0, 1), _text(")")))
    return Choice((inside, document()))


def _tokens(document: Document) -> Expression:
    return Sequence((Choice((TokenRef(frozenset([SPECIAL])), document())), document(), TokenRef(frozenset([SPECIAL]))))


FORMS = [_marked, _listed, _neighbours, _beside_words, _two, _optional, _recursive, _tokens]


def look(case: Case) -> list[str]:
    """What is wrong with one random grammar."""
    rng, schemas = case.rng, list[Any]()

    def document() -> Expression:
        schemas.append(rng.choice(SCHEMAS) if rng.random() < 0.3 else masks.make(rng))
        return JsonDocument(GrammarSpec("json_schema", json.dumps(schemas[-1]), rng.choice(("compact", "spaced"))))

    form = rng.choice(FORMS)
    graph = RuleGraph({"s": form(document)}, "s")
    try:
        grammar = GeneralGrammar(GrammarSpec("ebnf", ""), VOCABULARY, graph, LIMITS)
        wrong = [WALK.find(grammar.matcher(), rng) for _ in range(NUM_WALKS)]
    except LimitExceededError:
        case.counts["limits"] += 1
        return []
    except UnsatisfiableError:
        case.counts["of nothing"] += 1
        return []
    except GuidedError as error:
        return [f"{form.__name__} {json.dumps(schemas)}: {error!r}"]
    case.counts[form.__name__.strip("_")] += 1
    return [f"{form.__name__} {json.dumps(schemas)}: {line}" for line in wrong if line is not None]


def _is_spelled(matcher: Matcher, token_id: int) -> bool:
    """Whether a token is taken byte by byte; itself where it has none."""
    scout, token = matcher.fork(), VOCABULARY.tokens[token_id]
    return all(scout.accept_token(byte) for byte in token) if token else scout.accept_token(token_id)


def _is_right(matcher: Matcher, token_id: int, is_allowed: bool) -> bool:
    return is_allowed == masks.is_taken(matcher, token_id) == _is_spelled(matcher, token_id)


WALK = masks.Walk(VOCABULARY, TRIED, _is_right, num_tokens=14, checked=0.4, num_tried=150)


if __name__ == "__main__":
    main(look, __doc__ or "")
