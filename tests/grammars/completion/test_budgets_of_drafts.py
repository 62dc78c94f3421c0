"""Restricted masks under speculation: drafts are accepted, looked behind and taken back, and change no mask."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

import pytest

from guided.grammar_state.state import GrammarState
from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.protocol import CompiledGrammar
from tests.grammars.json_schema.random_schemas import SchemaMaker
from tests.grammars.json_schema.test_random_tokens import compiled
from tests.grammars.vocabularies import byte_vocabulary

from .test_budgets import GRAMMARS, MORE

BYTES = byte_vocabulary()
NUM_RANDOM = MORE or 10
NUM_DRAFTS = 4
NOT_ALONE = {"different objects"}
"""Their masks depend on what was asked before: which of two completions is kept for arrays of different containers."""


class Text:
    """A text within a budget. masks: its restricted masks, one for each token."""

    def __init__(self, grammar: CompiledGrammar, budget: int) -> None:
        self.row = GrammarState(grammar)
        self.matcher, self.vocabulary = self.row.matcher, grammar.vocabulary
        self.token_ids: list[int] = []
        self.masks: list[bytes] = []
        self._budget = budget
        self._bitmask = allocate_bitmask(1, self.vocabulary.size)

    def look(self, drafts: list[int]) -> tuple[bytes, list[int]]:
        """The mask behind the text and some drafts; the tokens in it."""
        self.matcher.fill_bitmask(self._bitmask)
        left = self._budget - len(self.token_ids) - len(drafts)
        if left > 0:
            self.row.restrict(self._bitmask, 0, left)
        return self._bitmask.tobytes(), allowed_token_ids(self._bitmask[0], self.vocabulary.size).tolist()

    def take(self, mask: bytes, token_id: int) -> None:
        self.masks.append(mask)
        self.token_ids.append(token_id)

    @property
    def has_ended(self) -> bool:
        return self.matcher.is_terminated() or len(self.token_ids) >= self._budget


def model(seed: int) -> Callable[[list[int], list[int]], int]:
    """The next token follows from the tokens so far and what is allowed."""

    def pick(token_ids: list[int], allowed: list[int]) -> int:
        digest = hashlib.blake2b(repr((seed, token_ids)).encode(), digest_size=8).digest()
        return random.Random(digest).choice(allowed)

    return pick


def write(grammar: CompiledGrammar, budget: int, seed: int) -> Text:
    """A text, token by token."""
    text, pick = Text(grammar, budget), model(seed)
    while not text.has_ended:
        mask, allowed = text.look([])
        text.take(mask, pick(text.token_ids, allowed))
        assert text.matcher.accept_token(text.token_ids[-1])
    return text


def write_with_drafts(grammar: CompiledGrammar, budget: int, seed: int) -> Text:
    """The same text; before each of its tokens some drafts, right and wrong ones."""
    text, pick, rng = Text(grammar, budget), model(seed), random.Random(seed)
    while not text.has_ended:
        drafts, looks = list[int](), list[tuple[bytes, list[int]]]()
        for _ in range(rng.randrange(NUM_DRAFTS + 1)):
            looks.append(text.look(drafts))
            right = pick([*text.token_ids, *drafts], looks[-1][1])
            draft = right if rng.random() < 0.6 else rng.choice(looks[-1][1])
            assert text.matcher.accept_token(draft)
            drafts.append(draft)
            if text.matcher.is_terminated():
                break
        else:
            looks.append(text.look(drafts))
        text.matcher.rollback(len(drafts))
        for place, (mask, allowed) in enumerate(looks):
            text.take(mask, pick(text.token_ids, allowed))
            assert text.matcher.accept_token(text.token_ids[-1])
            if text.has_ended or place == len(drafts) or text.token_ids[-1] != drafts[place]:
                break
    return text


def check(make: Callable[[], CompiledGrammar], seed: int) -> None:
    """Each with a grammar that nobody else asked about its ends."""
    for extra in (-1, 1, 6):
        alone, drafted = make(), make()
        budget = alone.min_tokens + extra
        plain, other = write(alone, budget, seed), write_with_drafts(drafted, budget, seed)
        assert other.token_ids == plain.token_ids
        assert other.masks == plain.masks
        assert other.row.budget_error == plain.row.budget_error


@pytest.mark.parametrize("name", sorted(GRAMMARS.keys() - NOT_ALONE - {"long text"}))  # 10 s
def test_all_kinds_of_grammars(name: str) -> None:
    arguments: dict[str, Any] = GRAMMARS[name]
    check(lambda: compile_grammar(BYTES, cache=None, **arguments), seed=1)


@pytest.mark.parametrize("seed", range(NUM_RANDOM))
def test_random_schemas(seed: int) -> None:
    schema = SchemaMaker(random.Random(seed)).document()
    if compiled(schema) is not None:
        check(lambda: compile_grammar(BYTES, cache=None, json_schema=schema), seed)
