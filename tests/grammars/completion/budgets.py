"""Random texts within a budget of tokens, and the true least number of tokens, tried out."""

from __future__ import annotations

import random

from guided.grammar_state.state import GrammarState
from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.protocol import CompiledGrammar


class Run:
    """One text drawn through restricted masks.

    text: its bytes. is_complete: it belongs to the grammar. was_restricted: the budget ruled a token out.
    """

    def __init__(self, grammar: CompiledGrammar, budget: int, rng: random.Random) -> None:
        self.row = GrammarState(grammar)
        vocabulary, matcher = grammar.vocabulary, self.row.matcher
        bitmask = allocate_bitmask(1, vocabulary.size)
        token_ids: list[int] = []
        self.was_restricted = False
        for left in range(budget, 0, -1):
            matcher.fill_bitmask(bitmask)
            before = bitmask.copy()
            is_restricted = self.row.restrict(bitmask, 0, left)
            self.was_restricted |= is_restricted
            assert not (bitmask & ~before).any(), "a budget allows nothing by itself"
            assert is_restricted == bool((bitmask != before).any())
            allowed = allowed_token_ids(bitmask[0], vocabulary.size)
            assert len(allowed), (vocabulary.join(token_ids), left)
            token_ids.append(int(rng.choice(allowed.tolist())))
            assert matcher.accept_token(token_ids[-1])
            if matcher.is_terminated():
                break
        self.text = vocabulary.join(token_ids)
        self.is_complete = matcher.is_terminated() or matcher.is_accepting()


def check_budgets(
    grammar: CompiledGrammar, seed: int, more: tuple[int, ...] = (0, 0, 1, 2, 3, 5, 8, 20)
) -> list[bytes]:
    """Draw a text with each of some budgets from the least one on; all are complete. The texts."""
    rng, texts = random.Random(seed), []
    for extra in more:
        run = Run(grammar, grammar.min_tokens + extra, rng)
        assert run.row.budget_error is None
        assert run.is_complete, (run.text, extra)
        texts.append(run.text)
    return texts


def least_tokens(grammar: CompiledGrammar, most: int, max_places: int = 4000) -> int | None:
    """The least number of tokens of any text, by breadth-first search through the masks; None when that is too much.

    Places that the automaton holds to be the same are looked at once.
    """
    vocabulary, matcher = grammar.vocabulary, grammar.matcher()
    bitmask = allocate_bitmask(1, vocabulary.size)
    if matcher.is_accepting():
        return 0
    layer, seen, looked_at = [matcher], {matcher._config}, 0
    for depth in range(1, most + 1):
        following = []
        for config in layer:
            looked_at += 1
            if looked_at > max_places:
                return None
            config.fill_bitmask(bitmask)
            for token_id in allowed_token_ids(bitmask[0], vocabulary.size).tolist():
                if token_id in vocabulary.eos_token_ids:
                    continue
                config.accept_token(token_id)
                if config.is_accepting():
                    return depth
                if config._config not in seen:
                    seen.add(config._config)
                    following.append(config.fork())
                config.rollback(1)
        layer = following
    return None
