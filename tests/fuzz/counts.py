r"""Long counts: `python -m tests.fuzz.counts --seconds 600 --seed 1`.

Random patterns with counts that tokens reach only now and then: overlapping classes one after the other, counted
words, lookarounds over all of it. A walk through the masks writes a long text. On the way, the algebra's derivatives
say which tokens the pattern's Language goes on with; the mask must have these, and no others.
"""

from __future__ import annotations

import random
from typing import Any

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError, UnsatisfiableError
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.regex import algebra as lang
from guided.grammars.regex import ecma, python_re
from guided.grammars.regex.algebra import Language
from guided.grammars.vocabulary import Vocabulary

from . import masks
from .command import Fault, main, of_schemas
from .walks import LIMITS, allowed

LETTERS = "ab1 é;"
TOKENS = ["ab", "ba", "aa", "aaaa", "a b", "a ", " b", "1", "11", "1111", "é", "éa", "aé", ";", ";a", "b;", "b1"]
VOCABULARY = Vocabulary([*masks.BYTES, None, *[token.encode() for token in TOKENS]], [256])
NUM_PLACES = 12
_CLASSES = ["[ab]", "[ab1]", "[^;]", r"\w", "[a1 ]", ".", "é", "[aé]", r"[\w ]"]


def make(rng: random.Random) -> Any:
    """A random pattern, and whether it stands in a JSON string."""
    parts = [_part(rng) for _ in range(rng.choice([1, 1, 2, 3]))]
    before = [_ahead(rng) for _ in range(rng.choice([0, 0, 1, 2]))]
    between = [rng.choice(["", "", "", "(?<!b)", "(?<=a)", "(?<! )", ";"]) for _ in parts]
    pattern = "".join([*before, *[part + one for part, one in zip(parts, between, strict=True)]])
    return {"pattern": pattern, "is_json": rng.random() < 0.4}


def _part(rng: random.Random) -> str:
    one, other, counts = rng.choice(_CLASSES), rng.choice(_CLASSES), _counts(rng)
    kinds = [
        *[f"{one}{counts}"] * 3,
        *(f"(?:{one}+ ){counts}", f"(?:{one}|{other};){counts}", f".*{one}{counts}", f"(?:{one}{{1,9}};?){counts}"),
        *(f"(?:{one}{counts}|{other}{_counts(rng)})", f"{one}*a{counts}"),
    ]
    return rng.choice(kinds)


def _counts(rng: random.Random) -> str:
    low = rng.choice([0, 1, 1, 3, 45, 70])
    high = rng.choice([None, 50, 60, 90, 130])
    return f"{{{low},{'' if high is None else max(low, high)}}}"


def _ahead(rng: random.Random) -> str:
    one, high = rng.choice(_CLASSES), rng.choice([40, 90, 140])
    return rng.choice(
        [f"(?=.{{5,{high}}}$)", "(?!.*aab)", f"(?=.*{one})", f"(?!{one}{{3}})", "(?!.*1.*1)", "(?=.{60})"]
    )


def find(case: Any, rng: random.Random) -> Fault | None:
    """The first fault of a pattern."""
    if not isinstance(case, dict) or set(case) != {"pattern", "is_json"}:
        return None
    try:
        language = ecma.search(_in_full(case)) if case["is_json"] else python_re.full(case["pattern"])
        wrong = _walked(_compiled(case).matcher(), language, case["is_json"], rng)
    except UnsatisfiableError:
        return None if lang.is_empty(language) else Fault("wrongly unsatisfiable", "", case["pattern"])
    except LimitExceededError:
        return None
    return None if wrong is None else Fault("wrong mask", "", f"{case} {wrong}")


def _compiled(case: dict[str, Any]) -> CompiledGrammar:
    if not case["is_json"]:
        return compile_grammar(VOCABULARY, regex=case["pattern"], cache=None, limits=LIMITS)
    schema = {"type": "string", "pattern": _in_full(case)}
    return compile_grammar(VOCABULARY, json_schema=schema, cache=None, limits=LIMITS)


def _in_full(case: dict[str, Any]) -> str:
    return f"^(?:{case['pattern']})$"


def _walked(matcher: Matcher, language: Language, is_json: bool, rng: random.Random) -> str | None:
    """A text after which the mask is wrong, with the token that is."""
    if is_json:
        matcher.accept_token(ord('"'))
    text, length, likely = "", rng.choice([30, 80, 160, 240]), rng.choices(LETTERS, k=2)
    places = set(rng.sample(range(length), NUM_PLACES))
    while len(text) < length:
        mask = set(allowed(matcher, VOCABULARY))
        if places.intersection(range(len(text), len(text) + 2)):
            end = ord('"') if is_json else 256
            if (end in mask) != language.nullable:
                return f"{text!r} {end in mask=}"
            for number, token in enumerate(TOKENS, 257):
                if (number in mask) == lang.is_empty(_after(language, token)):
                    return f"{text!r} {token!r} {number in mask}"
        may_come = [token for number, token in enumerate(TOKENS, 257) if number in mask]
        usual = [token for token in may_come if not set(token).difference(likely)]
        if not may_come:
            return None
        token = rng.choice(usual if usual and rng.random() < 0.9 else may_come)
        assert matcher.accept_token(257 + TOKENS.index(token)), (text, token)
        text, language = text + token, _after(language, token)
    return None


def _after(language: Language, text: str) -> Language:
    for char in text:
        language = language.step(ord(char))
    return language


if __name__ == "__main__":
    main(of_schemas(make, find), __doc__ or "")
