"""Matchers used in random order: `GUIDED_KERNELS=checked python -m tests.fuzz.matchers --seconds 600 --seed 1`.

Random grammars, hostile and styled ones among them, and several threads with matchers of the same grammar that accept,
roll back, fork, reset and fill as it comes, while automata are worn out and tables evicted. Builds let go of the
vocabulary's lock wherever they can, and some end at any checkpoint, as in a step of an engine. Threads change often. A
thread whose kernel asks for a part of the tables must hold their lock. A mask must be that of a new matcher after the
same tokens, and tell what is accepted. With checked kernels no index may be out of bounds.
"""

from __future__ import annotations

import json
import random
import sys
import threading
import traceback
from collections.abc import Callable
from contextlib import nullcontext, suppress
from dataclasses import replace
from typing import Any
from unittest import mock

import numpy as np

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.build_locks import TablesLock
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GuidedError, LimitExceededError, NoCompletionError
from guided.grammars.limits import Limits
from guided.grammars.machine import vocabulary_tables
from guided.grammars.machine.requests import Requests
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.styles import STYLES
from guided.grammars.vocabulary import Vocabulary
from guided.grammars.watch import TrialOverError, Watch

from . import budgets, hostile, styled
from .command import Case, main

NUM_THREADS = 3
NUM_STEPS = 40
MAX_MATCHERS = 4
SWITCH_S = 5e-5  # seconds after which another thread may run
SHORT = Limits(max_compile_seconds=0.5, max_mask_seconds=0.5, max_text_seconds=2.0)
WORN_SOON = {"max_automaton_states": 40, "max_grammar_bytes": 50_000}


class Ended(Watch):
    """Ends the work at one of its checkpoints."""

    def __init__(self, num_checkpoints: int) -> None:
        super().__init__("", float("inf"))
        self._num_left = num_checkpoints

    def check(self) -> None:
        """Raises TrialOverError when so many checkpoints were passed."""
        self._num_left -= 1
        if self._num_left < 0:
            raise TrialOverError


class User:
    """One thread's matchers and what each has accepted."""

    def __init__(self, grammar: CompiledGrammar, first: Matcher, vocabulary: Vocabulary, seed: str) -> None:
        self._grammar, self._size = grammar, vocabulary.size
        self._rng = random.Random(seed)
        self._matchers: list[tuple[Matcher, list[int]]] = [(first, [])]
        self._bitmask, self._again = allocate_bitmask(1, self._size), allocate_bitmask(1, self._size)
        self.faults: list[str] = []

    def run(self) -> None:
        """Some random steps. A limit that is met ends them; anything else that is raised is a fault."""
        steps: list[Callable[[Matcher, list[int]], None]] = [self._advance] * 8
        steps += [self._roll_back, self._roll_back, self._fork, self._fork, self._reset, self._compare, self._compare]
        steps += [self._accept_any, self._look_ahead, self._find_end]
        try:
            for _ in range(NUM_STEPS):
                end = Ended(self._rng.randrange(30)) if self._rng.random() < 0.3 else nullcontext()
                with suppress(TrialOverError), end:
                    self._rng.choice(steps)(*self._rng.choice(self._matchers))
        except LimitExceededError:
            return
        except Exception as error:  # noqa: BLE001 (what else is raised is what the fuzzer looks for)
            place = traceback.extract_tb(error.__traceback__)[-1]
            self.faults.append(f"{type(error).__name__} in {place.name}, {place.filename}:{place.lineno}: {error}")

    def _advance(self, matcher: Matcher, accepted: list[int]) -> None:
        """Accept some allowed tokens."""
        for _ in range(self._rng.randint(1, 6)):
            matcher.fill_bitmask(self._bitmask)
            allowed = allowed_token_ids(self._bitmask[0], self._size)
            if len(allowed) == 0:
                if not matcher.is_terminated():
                    self.faults.append(f"dead end after {accepted}")
                return
            token_id = int(self._rng.choice(allowed.tolist()))
            if not matcher.accept_token(token_id):
                self.faults.append(f"{token_id} is in the mask and not accepted after {accepted}")
                return
            accepted.append(token_id)

    def _accept_any(self, matcher: Matcher, accepted: list[int]) -> None:
        """Try any tokens: those in the mask are accepted."""
        for token_id in self._rng.choices(range(self._size), k=5):
            matcher.fill_bitmask(self._bitmask)
            is_allowed = token_id in allowed_token_ids(self._bitmask[0], self._size)
            if matcher.accept_token(token_id) != is_allowed:
                self.faults.append(f"{token_id} is {'' if is_allowed else 'not '}in the mask after {accepted}")
                return
            if is_allowed:
                accepted.append(token_id)

    def _roll_back(self, matcher: Matcher, accepted: list[int]) -> None:
        count = self._rng.randint(0, len(accepted))
        matcher.rollback(count)
        del accepted[len(accepted) - count :]

    def _fork(self, matcher: Matcher, accepted: list[int]) -> None:
        """A copy, or a new matcher at the start, perhaps of a new automaton; too many: one is dropped."""
        made = (matcher.fork(), [*accepted]) if self._rng.random() < 0.7 else (self._grammar.matcher(), [])
        self._matchers.append(made)
        if len(self._matchers) > MAX_MATCHERS:
            self._matchers.pop(self._rng.randrange(MAX_MATCHERS))

    def _reset(self, matcher: Matcher, accepted: list[int]) -> None:
        matcher.reset()
        accepted.clear()

    def _look_ahead(self, matcher: Matcher, accepted: list[int]) -> None:
        """Bytes and tokens that are forced: accepted by a copy."""
        matcher.find_jump_forward_bytes()
        forced, copy = matcher.find_jump_forward_tokens(), matcher.fork()
        if not all(copy.accept_token(token_id) for token_id in forced):
            self.faults.append(f"the forced {forced} are not accepted after {accepted}")

    def _find_end(self, matcher: Matcher, accepted: list[int]) -> None:
        """The shortest completion completes a copy; the mask is restricted to a budget."""
        if matcher.is_terminated():
            return
        try:
            shortest = matcher.find_shortest_completion()
        except NoCompletionError:
            return  # none is known at this place
        copy = matcher.fork()
        if not all(copy.accept_token(token_id) for token_id in shortest) or not copy.is_accepting():
            self.faults.append(f"{shortest} does not complete the text after {accepted}")
        matcher.fill_bitmask(self._bitmask)
        matcher.restrict_to_budget(self._bitmask, 0, len(shortest) + self._rng.randint(1, 5))

    def _compare(self, matcher: Matcher, accepted: list[int]) -> None:
        """A new matcher has the same mask after the same tokens."""
        other = self._grammar.matcher()
        if not all(other.accept_token(token_id) for token_id in accepted):
            self.faults.append(f"a new matcher does not accept {accepted}")
            return
        matcher.fill_bitmask(self._bitmask)
        other.fill_bitmask(self._again)
        if not np.array_equal(self._bitmask, self._again):
            self.faults.append(f"a new matcher has another mask after {accepted}")


def look(case: Case) -> list[str]:
    """The faults of a random grammar."""
    rng = case.rng
    vocabulary = hostile.VOCABULARY if rng.random() < 0.5 else budgets.tokenizer()[1]
    limits = replace(SHORT, **WORN_SOON) if rng.random() < 0.5 else SHORT
    if rng.random() < 0.2:
        _evict()
    options = _options(rng)
    try:
        grammar = compile_grammar(vocabulary, cache=None, limits=limits, **options)
        firsts = [grammar.matcher() for _ in range(NUM_THREADS)]
    except GuidedError:
        case.counts["refused"] += 1
        return []
    users = [User(grammar, first, vocabulary, f"{case.number} {i}") for i, first in enumerate(firsts)]
    threads = [threading.Thread(target=user.run) for user in users]
    usual_s = sys.getswitchinterval()
    with mock.patch.object(TablesLock, "is_wanted", True), mock.patch.object(Requests, "_serve", _serve_under_lock):
        sys.setswitchinterval(SWITCH_S)
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        sys.setswitchinterval(usual_s)
    return [f"{fault}: {json.dumps(options)}" for user in users for fault in user.faults]


_serve: Any = Requests._serve


def _serve_under_lock(requests: Any, watch: Any) -> None:
    """`Requests._serve`, which must not run in a thread without the lock of the tables."""
    assert requests._lock is None or requests._lock.tables_lock.is_mine, "a kernel asks without the lock"
    _serve(requests, watch)


def _options(rng: random.Random) -> dict[str, Any]:
    """What `compile_grammar` takes."""
    kind = rng.random()
    if kind < 0.15:
        return {"json_schema": hostile.Maker(rng).document()}
    if kind < 0.3:
        return {"structural_tag": styled.Styled(rng.choice(sorted(STYLES)), styled.make(rng), False).tag}
    options = budgets.Maker(rng).case()
    if kind < 0.5 and options.keys() & {"json_schema", "regex"}:
        parts: list[Any] = [{name: options[name]} for name in ("json_schema", "regex") if name in options]
        regex = {"regex": rng.choice(["[^q]*", "[ -~]{0,60}", r"[^\n]{2,}"])}
        banned = {"banned_substrings": rng.choice([["q"], ["a", "0"], ["ab", "é"]])}
        return {"all_of": [*parts, banned if "json_schema" in options else regex]}
    return options


def _evict() -> None:
    """Forget the tables of vocabularies; matchers keep those that they use."""
    vocabulary_tables._KNOWN.clear()
    vocabulary_tables._RECENT.clear()


if __name__ == "__main__":
    main(look, __doc__ or "")
