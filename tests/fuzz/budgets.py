"""Budgets of tokens: `python -m tests.fuzz.budgets --seconds 3600 --seed 1`.

Random schemas, grammars and choices, each with budgets from the shortest text on, drawn as the engine draws: what the
grammar forces is spelled in the embedded model's own tokens, or left to the model; everything else is any token of the
restricted mask. No text may be cut off, and each grammar must have a shortest text. A text is told to be cut by its
budget exactly where the same noise, without a budget, gives another one.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guided.embedded import model_path
from guided.grammar_state.speller import TokenSpeller
from guided.grammar_state.state import GrammarState
from guided.grammars.bitset import Bitmask, allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError, NoCompletionError, UnsatisfiableError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary

from .command import Case, main

EXTRA = (0, 0, 1, 2, 3, 5, 9, 17)
"""Tokens more than the shortest text takes."""
NAMES = ("filename", "a", "id", "name", "first name", "createdAt", "x-y", "Straße", "\u65e5", "quantity", "", "a\tb")
WORDS = ("red", "green", "open", "in progress", "filename", "12", "", "\u00e9t\u00e9", "New York", 'say "no"')

Options = dict[str, Any]
"""What `compile_grammar` takes."""


class Maker:
    """Random cases whose forced texts are long, and whose shortest texts are not spelled as the tokenizer would."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def case(self) -> Options:
        """A whole grammar."""
        kind = self.rng.choice(["schema", "schema", "schema", "choice", "regex", "ebnf", "tag"])
        case: Options = getattr(self, f"_{kind}")()
        return case

    def _schema(self) -> Options:
        whitespace = self.rng.choice(["compact", "compact", "flexible"])
        order = self.rng.choice(["schema", "schema", "any"])
        return {"json_schema": self.value(3), "whitespace": whitespace, "property_order": order}

    def _choice(self) -> Options:
        words = [self.rng.choice(WORDS) + self.rng.choice(WORDS) for _ in range(self.rng.randint(1, 6))]
        return {"choice": sorted(set(words))}

    def _regex(self) -> Options:
        pieces = ["filename", "(ab|abc)", "[0-9]{2,4}", " of ", "(red|reddish)?", "x{3}", "[a-f]+", r"\.json", "(?:, )"]
        return {"regex": "".join(self.rng.choice(pieces) for _ in range(self.rng.randint(1, 6)))}

    def _ebnf(self) -> Options:
        rng = self.rng
        pieces = ['"SELECT "', "name", '" FROM "', 'name ("," name)*', '("(" root ")")?', '" WHERE filename"']
        body = " ".join(rng.choice(pieces) for _ in range(rng.randint(1, 4)))
        return {"ebnf": f'root ::= {body} | "filename"\nname ::= [a-c]+ | "quantity"', "dialect": "gbnf"}

    def _tag(self) -> Options:
        schema = {"type": "json_schema", "json_schema": self.value(2)}
        tag = {"type": "tag", "begin": self.rng.choice(["<call>", "filename("]), "content": schema, "end": "</call>"}
        return {"structural_tag": {"type": "structural_tag", "format": tag}}

    def value(self, depth: int) -> dict[str, Any]:
        """A schema of one value."""
        rng = self.rng
        makers: list[Callable[[int], dict[str, Any]]] = [self._string, self._number, self._enum, self._plain]
        if depth:
            makers += [self._object, self._object, self._object, self._array, self._any_of]
        return rng.choice(makers)(depth - 1)

    def _object(self, depth: int) -> dict[str, Any]:
        rng = self.rng
        keys = rng.sample(NAMES, rng.randint(1, 4))
        required = [key for key in keys if rng.random() < 0.7]
        found: dict[str, Any] = {"type": "object", "properties": {key: self.value(depth) for key in keys}}
        if required:
            found["required"] = required
        if rng.random() < 0.7:
            found["additionalProperties"] = False
        elif rng.random() < 0.5:
            found["minProperties"] = rng.randint(1, 5)
        if rng.random() < 0.15:
            found["anyOf"] = [{"required": [rng.choice(keys)]}, {"properties": {rng.choice(keys): self.value(0)}}]
        return found

    def _array(self, depth: int) -> dict[str, Any]:
        rng = self.rng
        found: dict[str, Any] = {"type": "array"}
        if rng.random() < 0.7:
            found["items"] = self.value(depth)
        if rng.random() < 0.5:
            found["minItems"] = rng.randint(1, 3)
        if rng.random() < 0.5:
            found["maxItems"] = found.get("minItems", 0) + rng.randint(0, 2)
        if rng.random() < 0.2:
            found["uniqueItems"] = True
        if rng.random() < 0.2:
            found["prefixItems"] = [self.value(depth) for _ in range(rng.randint(1, 2))]
        return found

    def _any_of(self, depth: int) -> dict[str, Any]:
        return {"anyOf": [self.value(depth) for _ in range(self.rng.randint(2, 3))]}

    def _string(self, _: int) -> dict[str, Any]:
        rng = self.rng
        choices: list[dict[str, Any]] = [
            {},
            {"minLength": rng.randint(1, 9)},
            {"maxLength": rng.randint(0, 3)},
            {"pattern": "^(file)?name[0-9]{2}$"},
            {"format": rng.choice(["date", "uuid", "ipv4", "email"])},
        ]
        return {"type": "string", **rng.choice(choices)}

    def _number(self, _: int) -> dict[str, Any]:
        rng = self.rng
        bounds = [{}, {"minimum": rng.randint(-50, 5000)}, {"multipleOf": rng.randint(2, 30)}]
        return {"type": rng.choice(["integer", "number"]), **rng.choice(bounds)}

    def _enum(self, _: int) -> dict[str, Any]:
        return {"enum": self.rng.sample([*WORDS, 1, 250, -3.5, None, True, [1], {"filename": []}], 3)}

    def _plain(self, _: int) -> dict[str, Any]:
        return self.rng.choice([{"type": "boolean"}, {"type": "null"}, {}, {"const": self.rng.choice(WORDS)}])


@cache
def tokenizer() -> tuple[Any, Vocabulary]:
    """The embedded model's, and its vocabulary."""
    from transformers import AutoTokenizer

    loaded = AutoTokenizer.from_pretrained(model_path())
    return loaded, Vocabulary.from_tokenizer(loaded)


def draw(grammar: CompiledGrammar, budget: int, rng: random.Random, *, is_spelled: bool) -> tuple[bytes, str]:
    """A text of at most `budget` tokens, and what is wrong with it; "" for nothing.

    is_spelled: what is forced is spelled as the tokenizer spells it, with jump-forward or without; else it is drawn.
    """
    loaded, vocabulary = tokenizer()
    row = GrammarState(grammar, TokenSpeller(loaded, vocabulary) if is_spelled else None)
    bitmask = allocate_bitmask(1, vocabulary.size)
    token_ids: list[int] = []
    for left in range(budget, 0, -1):
        token_id = row.forced_token(left)
        if token_id is None:
            row.matcher.fill_bitmask(bitmask)
            row.restrict(bitmask, 0, left)
            allowed = allowed_token_ids(bitmask[0], vocabulary.size)
            if not len(allowed):
                return vocabulary.join(token_ids), "dead end"
            token_id = int(rng.choice(allowed.tolist()))
        row.accept(token_id)
        token_ids.append(token_id)
        if row.matcher.is_terminated():
            break
    text = vocabulary.join(token_ids)
    if row.budget_error is not None:
        return text, f"no budget: {row.budget_error}"
    return text, "" if row.matcher.is_terminated() or row.matcher.is_accepting() else "cut"


AMPLE = 1_000_000  # tokens


def draw_from_noise(
    grammar: CompiledGrammar, budget: int, num_tokens: int, seed: int, *, is_spelled: bool
) -> tuple[list[int], bool]:
    """The first num_tokens of a text, and whether the budget has cut it; the noise depends on seed and place alone."""
    loaded, vocabulary = tokenizer()
    row = GrammarState(grammar, TokenSpeller(loaded, vocabulary) if is_spelled else None)
    bitmask, token_ids = allocate_bitmask(1, vocabulary.size), list[int]()
    while len(token_ids) < num_tokens and not row.matcher.is_terminated():
        left, wanted = budget - len(token_ids), None
        token_id = row.forced_token(left)
        if token_id is None:
            noise = np.random.default_rng([seed, len(token_ids)]).random(vocabulary.size)
            row.matcher.fill_bitmask(bitmask)
            wanted = _first(bitmask, noise)
            token_id = _first(bitmask, noise) if row.restrict(bitmask, 0, left) else wanted
        row.accept(token_id, wanted)
        token_ids.append(token_id)
    return token_ids, row.was_cut


def _first(bitmask: Bitmask, noise: NDArray[np.float64]) -> int:
    allowed = allowed_token_ids(bitmask[0], len(noise))
    return int(allowed[np.argmax(noise[allowed])])


def cut_fault(grammar: CompiledGrammar, budget: int, seed: int, *, is_spelled: bool) -> str:
    """What is wrong with what is said of a text in its budget; "" for nothing."""
    join = tokenizer()[1].join
    found, is_cut = draw_from_noise(grammar, budget, budget, seed, is_spelled=is_spelled)
    ample, _ = draw_from_noise(grammar, AMPLE, budget, seed, is_spelled=is_spelled)
    if is_cut:
        return "told to be cut, and is not" if found == ample[: len(found)] else ""
    text, whole = join(found), join(ample)
    return "" if text.startswith(whole) or whole.startswith(text) else f"cut, and not told; without a budget {whole!r}"


def faults_of(case: Options, rng: random.Random) -> list[str]:
    """What goes wrong with a case, as lines."""
    try:
        grammar = compile_grammar(tokenizer()[1], cache=None, **case)
        least = grammar.min_tokens
    except (UnsatisfiableError, LimitExceededError):
        return []
    except NoCompletionError:
        return [f"no completion: {json.dumps(case)}"]
    faults = []
    for extra in EXTRA:
        for is_spelled in (True, False):
            text, fault = draw(grammar, least + extra, rng, is_spelled=is_spelled)
            fault = fault or cut_fault(grammar, least + extra, rng.randrange(10**6), is_spelled=is_spelled)
            if fault:
                how = "spelled" if is_spelled else "drawn"
                faults.append(f"{fault} at {text!r}, {least} + {extra} tokens, {how}: {json.dumps(case)}")
    return faults


def look(case: Case) -> list[str]:
    """The faults of a random grammar."""
    return faults_of(Maker(case.rng).case(), case.rng)


if __name__ == "__main__":
    main(look, __doc__ or "")
