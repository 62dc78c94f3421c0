"""Terminals of quotes in grammars: `python -m tests.fuzz.quote_terminals --seconds 3600 --seed 1`.

Random Lark grammars of one terminal, in which quotes of a random text stand beside and inside of concatenations,
alternatives, repetitions, intersections and complements. The oracle reads the same tree by brute force: for each place
of a text, the places where what begins there may end; it asks `SourceText.places` of quotes and Python's `re` of
patterns. What the grammar takes must be what the oracle takes; random walks must end in such texts; and along them each
token must be allowed exactly where its bytes, one by one, are.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidGrammarError, NoCompletionError, UnsatisfiableError
from guided.grammars.protocol import Matcher
from guided.grammars.quotes import QuoteOptions, SourceText

from .command import Fault, main, of_schemas
from .quotes import VOCABULARY, make_options, make_text, wrong_token
from .walks import LIMITS, allowed, takes

LITERALS = ("a", "b", ", ", "ab", "ä", ".", "3.5", " ")
PATTERNS = ("[a-c]+", "[^a]*", ".", "[A-Z].*", "[0-9.]+", "a?b?", ".{1,3}", "[ab ]{2,4}", "(?s:.*)")
_END = 256
_MAX_BYTES = 30
_NUM_WALKS = 3
_MOST_TEXTS = 150


def make(rng: random.Random) -> Any:
    """A tree: [operation, parts or what it says]."""
    return _node(rng, 3)


def _node(rng: random.Random, depth: int) -> list[Any]:
    chosen = rng.random()
    if depth == 0 or chosen < 0.35:
        return _leaf(rng)
    if chosen < 0.6:
        return ["then", *(_node(rng, depth - 1) for _ in range(rng.choice([2, 2, 3])))]
    if chosen < 0.75:
        return ["or", *(_node(rng, depth - 1) for _ in range(rng.choice([2, 2, 3])))]
    if chosen < 0.85:
        return ["and", _node(rng, depth - 1), _node(rng, depth - 1)]
    if chosen < 0.93:
        return [rng.choice(["maybe", "many"]), _node(rng, depth - 1)]
    return ["and", ["not", _node(rng, depth - 1)], _node(rng, depth - 1)]


def _leaf(rng: random.Random) -> list[Any]:
    chosen = rng.random()
    if chosen < 0.3:
        return ["text", rng.choice(LITERALS)]
    if chosen < 0.5:
        return ["pattern", rng.choice(PATTERNS)]
    return ["quote", make_options(rng, 0.35)]


def _is_tree(tree: Any) -> bool:
    if not isinstance(tree, list) or len(tree) < 2:
        return False
    operation, *parts = tree
    if operation in ("text", "pattern"):
        return len(parts) == 1 and parts[0] in (*LITERALS, *PATTERNS)
    if operation == "quote":
        return len(parts) == 1 and isinstance(parts[0], dict)
    numbers = {"then": (1, 9), "or": (1, 9), "and": (2, 2), "not": (1, 1), "maybe": (1, 1), "many": (1, 1)}
    least, most = numbers.get(operation, (1, 0)) if isinstance(operation, str) else (1, 0)
    return least <= len(parts) <= most and all(map(_is_tree, parts))


def written(tree: list[Any]) -> str:
    """The tree as an expression of the Lark dialect."""
    operation, *parts = tree
    match operation:
        case "text":
            return json.dumps(parts[0], ensure_ascii=False)
        case "pattern":
            return f"/{parts[0]}/"
        case "quote":
            return "%quote " + json.dumps({"source": "text", **parts[0]})
    inner = [written(part) for part in parts]
    match operation:
        case "maybe":
            return f"({inner[0]})?"
        case "many":
            return f"({inner[0]})*"
        case "not":
            return f"~({inner[0]})"
    joint = {"then": " ", "or": " | ", "and": " & "}[operation]
    return joint.join(f"({part})" for part in inner)


@dataclass
class Oracle:
    """What a tree takes, beside a text to quote."""

    text: str
    tree: list[Any]

    def __post_init__(self) -> None:
        self._prepared: dict[str, SourceText] = {}
        self._known: dict[tuple[int, str, int], frozenset[int]] = {}

    def takes(self, text: str) -> bool:
        """Whether a whole text is taken."""
        self._known.clear()
        return len(text) in self._ends(self.tree, text, 0)

    def _ends(self, tree: list[Any], text: str, start: int) -> frozenset[int]:
        """Where what begins at a place may end."""
        key = (id(tree), text, start)
        if key not in self._known:
            self._known[key] = frozenset(self._found(tree, text, start))
        return self._known[key]

    def _found(self, tree: list[Any], text: str, start: int) -> Iterator[int]:
        operation, *parts = tree
        ends = range(start, len(text) + 1)
        match operation:
            case "text":
                yield from [start + len(parts[0])] if text.startswith(parts[0], start) else []
            case "pattern":
                yield from (end for end in ends if re.fullmatch(parts[0], text[start:end]))
            case "quote":
                yield from (end for end in ends if self._is_quote(text[start:end], parts[0]))
            case "or":
                yield from (end for part in parts for end in self._ends(part, text, start))
            case "and":
                yield from self._ends(parts[0], text, start) & self._ends(parts[1], text, start)
            case "not":
                yield from set(ends) - self._ends(parts[0], text, start)
            case "maybe":
                yield from {start, *self._ends(parts[0], text, start)}
            case "many":
                yield from self._repeated(parts[0], text, start)
            case _:
                reached = {start}
                for part in parts:
                    reached = {end for place in reached for end in self._ends(part, text, place)}
                yield from reached

    def _repeated(self, tree: list[Any], text: str, start: int) -> set[int]:
        reached, waiting = {start}, [start]
        while waiting:
            new = self._ends(tree, text, waiting.pop()) - reached
            reached |= new
            waiting += new
        return reached

    def _is_quote(self, text: str, options: dict[str, str]) -> bool:
        key = json.dumps(options)
        if key not in self._prepared:
            self._prepared[key] = SourceText(self.text, QuoteOptions(**options))
        return bool(self._prepared[key].places(text))


def find(tree: Any, rng: random.Random) -> Fault | None:
    """The first fault of a tree beside a random text; None for what is none, as smaller faulty ones are looked for."""
    if not _is_tree(tree):
        return None
    text = make_text(rng)
    oracle = Oracle(text, tree)
    texts = _texts(oracle, rng)
    grammar_text = f"start: WORDS\nWORDS: {written(tree)}"
    try:
        grammar = compile_grammar(
            VOCABULARY, ebnf=grammar_text, dialect="lark", sources={"text": text}, limits=LIMITS, cache=None
        )
    except InvalidGrammarError as error:
        if "has no quote" not in str(error):
            raise
        return None
    except UnsatisfiableError:
        found = next((one for one in texts if oracle.takes(one)), None)
        return None if found is None else Fault("wrongly unsatisfiable", "", f"{found!r} of {text!r}")
    matcher = grammar.matcher()
    for one in texts:
        is_taken = takes(matcher, one.encode())
        if is_taken != oracle.takes(one):
            return Fault("wrong accept" if is_taken else "wrong rejection", "", f"{one!r} of {text!r}")
    for _ in range(_NUM_WALKS):
        fault = _walked(grammar.matcher(), oracle, rng)
        if fault is not None:
            return Fault(*fault, f"of {text!r}")
    return None


def _texts(oracle: Oracle, rng: random.Random) -> list[str]:
    """Texts that may be taken: factors of the text to quote, literals, and some of them one after the other."""
    text = oracle.text
    places = range(len(text) + 1)
    factors = sorted({text[start:end] for start in places for end in places[start + 1 : start + 8]})
    pieces = [*rng.sample(factors, min(len(factors), 40)), *LITERALS]
    pieces += [piece.swapcase() for piece in pieces[:10]]
    joined = {"".join(rng.choices(pieces, k=rng.choice([1, 2, 2, 3]))) for _ in range(_MOST_TEXTS)}
    return sorted({"", *pieces, *joined})


def _walked(matcher: Matcher, oracle: Oracle, rng: random.Random) -> tuple[str, str] | None:
    """What is wrong with a random walk: its kind, and where."""
    read = bytearray()
    while True:
        token_ids = allowed(matcher, VOCABULARY)
        if not token_ids:
            return "dead end", f"after {bytes(read)!r}"
        if rng.random() < 0.3 and (wrong := wrong_token(matcher, set(token_ids))) is not None:
            return "wrong mask", f"{VOCABULARY.tokens[wrong]!r} after {bytes(read)!r}"
        if len(read) > _MAX_BYTES:
            try:
                token_ids = matcher.find_shortest_completion(thorough=True)
            except NoCompletionError:
                return "no completion", f"after {bytes(read)!r}"
            read += b"".join(VOCABULARY.tokens[token_id] or b"" for token_id in token_ids)
            break
        token_id = rng.choice(token_ids)
        if not matcher.accept_token(token_id):
            return "wrong mask", f"{token_id} after {bytes(read)!r}"
        if token_id == _END:
            break
        read += VOCABULARY.tokens[token_id] or b""
    return None if oracle.takes(read.decode()) else ("wrong accept", f"{bytes(read)!r}")


if __name__ == "__main__":
    main(of_schemas(make, find), __doc__)
