"""What is generated for a Python type validates as that type: `python -m tests.fuzz.zoo --seconds 3600 --seed 1`.

Documents of each type by random walks through the masks (of all bytes, of few bytes, of mostly ASCII), the shortest
one, long ones, and walks of a random beginning with the shortest end. Each is read by Pydantic.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import Any

from pydantic import ValidationError

from guided.compile import compile_grammar
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.schemas.python_types import type_adapter

from .command import Case, Look, options, run
from .walks import LIMITS, VOCABULARY, allowed, try_piece
from .zoo_types import TYPES

NUM_DOCUMENTS = 12
"""Of one type in one case."""
_END = 256
_CLOSING = frozenset(b'"}],:')
Choose = Callable[[list[int], random.Random], int]


def grammar_of(schema_type: Any) -> CompiledGrammar:
    """The grammar of a type, with compact documents."""
    return compile_grammar(VOCABULARY, json_schema=schema_type, whitespace="compact", cache=None, limits=LIMITS)


def _uniform(token_ids: list[int], rng: random.Random) -> int:
    return rng.choice(token_ids)


def _ascii(token_ids: list[int], rng: random.Random) -> int:
    return rng.choice([one for one in token_ids if one < 128 or one == _END] or token_ids)


def _alphanumeric(token_ids: list[int], rng: random.Random) -> int:
    usual = [one for one in token_ids if one == _END or (chr(one).isalnum() and one < 128) or one in b'"{}[]:,.-@/ +']
    return rng.choice(usual or token_ids)


def _long(token_ids: list[int], rng: random.Random) -> int:
    """Goes on with strings, numbers and containers where it can."""
    ongoing = [one for one in token_ids if one not in _CLOSING and one != _END]
    return rng.choice(ongoing or token_ids)


def _short(token_ids: list[int], rng: random.Random) -> int:
    ending = [one for one in token_ids if one in _CLOSING or one == _END]
    return rng.choice(ending or token_ids)


def _extreme(token_ids: list[int], rng: random.Random) -> int:
    """The same edge of what is allowed, mostly: the greatest digits and letters, or the least."""
    usual = [one for one in token_ids if one < 128 and one not in _CLOSING] or token_ids
    return (max if rng.random() < 0.9 else min)(usual)


STRATEGIES: tuple[Choose, ...] = (_uniform, _ascii, _alphanumeric, _long, _short, _extreme)


def document(matcher: Matcher, choose: Choose, rng: random.Random, max_bytes: int) -> bytes:
    """A document by a walk of at most so many bytes and the shortest end after it. Resets the matcher first."""
    matcher.reset()
    text = bytearray()
    while len(text) < max_bytes:
        token_id = choose(allowed(matcher), rng)
        if token_id == _END:
            return bytes(text)
        assert matcher.accept_token(token_id)
        text.append(token_id)
    completion = bytes(matcher.find_shortest_completion(thorough=True))
    assert try_piece(matcher, completion)
    assert matcher.is_accepting()
    return bytes(text) + completion


def documents(grammar: CompiledGrammar, rng: random.Random, num: int) -> Iterator[bytes]:
    """Documents of all strategies in turn; the first is the shortest."""
    matcher = grammar.matcher()
    yield document(matcher, _uniform, rng, 0)
    for index in range(num - 1):
        yield document(matcher, STRATEGIES[index % len(STRATEGIES)], rng, rng.choice((30, 120, 400)))


def rejected(schema_type: Any, texts: Iterator[bytes]) -> Iterator[tuple[bytes, str]]:
    """The documents that the type rejects, with its reasons."""
    adapter = type_adapter(schema_type)
    for text in texts:
        try:
            adapter.validate_json(text)
        except ValidationError as error:
            reasons = [f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors(include_url=False)]
            yield text, "; ".join(reasons)


def looking_at(names: Sequence[str]) -> Look:
    """Looks at documents of each of the types in turn. names: of `TYPES`."""
    grammar = cache(lambda name: grammar_of(TYPES[name]))

    def look(case: Case) -> list[str]:
        name = names[case.number % len(names)]
        case.counts["documents"] += NUM_DOCUMENTS
        texts = documents(grammar(name), case.rng, NUM_DOCUMENTS)
        return [f"{name}: {text!r}\n  {reason}" for text, reason in rejected(TYPES[name], texts)]

    return look


def main() -> None:
    """The command line; ends with 1 where a document was rejected."""
    parser = options(__doc__ or "")
    parser.add_argument("--only", default="", help="names of types, with commas")
    asked = parser.parse_args()
    run(looking_at(asked.only.split(",") if asked.only else list(TYPES)), asked)


if __name__ == "__main__":
    main()
