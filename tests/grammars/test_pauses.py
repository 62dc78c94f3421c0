"""Builds that let go of what others wait for, and what one text may make a grammar build altogether."""

from __future__ import annotations

import random
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from guided.grammars.allowance import Allowance
from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.build_locks import TablesLock
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import LimitExceededError
from guided.grammars.limits import Limits
from guided.grammars.right_of_way import Background, RightOfWay
from guided.grammars.watch import Watch, checkpoint
from tests.grammars.machine.documents import Root, string
from tests.grammars.machine.machine import Machine
from tests.grammars.vocabularies import byte_vocabulary, mask_of

VOCABULARY = byte_vocabulary()
SOON_S = 30.0  # in which a thread comes to run, on any machine


class _Slow(Root):
    """A document whose value is known after so many seconds of work."""

    seconds = 0.2

    def value_spec(self) -> Any:
        end = time.thread_time() + self.seconds
        while time.thread_time() < end:
            checkpoint()
        return super().value_spec()


def slow_matcher(seconds: float, **limits: float) -> Any:
    root = _Slow(string())
    root.seconds = seconds
    return Machine(root, VOCABULARY, "compact", Limits(**limits)).matcher()  # type: ignore[arg-type]


def fill(matcher: Any) -> set[int]:
    return set(mask_of(matcher, VOCABULARY))


STRING = fill(slow_matcher(0))


def test_who_wants_the_same_grammar_waits() -> None:
    """Also where both are in the background, and the one that has begun waits for its turn."""
    slow, way = slow_matcher(0.2), RightOfWay()

    def work(matcher: Any) -> set[int]:
        with Background(way):
            return fill(matcher)

    with ThreadPoolExecutor(4) as pool:
        in_background = [pool.submit(work, one) for one in (slow, slow.fork(), slow.fork())]
        assert fill(slow.fork()) == STRING
        assert [one.result(SOON_S) for one in in_background] == [STRING] * 3


def test_who_comes_anew_goes_before_a_long_build() -> None:
    """The build lets go of the lock of the vocabulary tables in between."""
    slow, other = slow_matcher(60), compile_grammar(VOCABULARY, json_schema={"enum": ["a", 1]}, cache=None).matcher()
    frame = slow._automaton.frame(1)
    begun, end, value_spec = threading.Event(), threading.Event(), frame.value_spec

    def spec() -> Any:
        begun.set()
        while not end.is_set():
            checkpoint()
        frame.seconds = 0
        return value_spec()

    frame.value_spec = spec
    masks: list[set[int]] = []
    thread = threading.Thread(target=lambda: masks.append(fill(slow)), daemon=True)
    thread.start()
    assert begun.wait(SOON_S)
    assert fill(other) == {ord('"'), ord("1")}
    end.set()
    thread.join(SOON_S)
    assert masks == [STRING]


def test_waiting_for_the_lock_counts_for_no_limit() -> None:
    limits = {"max_text_seconds": 0.3, "max_mask_seconds": 0.3}
    matcher = slow_matcher(0, **limits)
    begun = threading.Event()

    def work() -> set[int]:
        begun.set()
        return fill(matcher)

    with ThreadPoolExecutor(1) as pool:
        with matcher._automaton.vocabulary_tables.lock:
            waiting = pool.submit(work)
            assert begun.wait(SOON_S)
            time.sleep(0.5)
        assert waiting.result(SOON_S) == STRING
    assert matcher._allowance.left_s > 0.1


# --- allowances


def work_for(allowance: Allowance, seconds: float) -> None:
    with allowance, Watch("max_mask_seconds", 60):
        end = time.thread_time() + seconds
        while time.thread_time() < end:
            checkpoint()


def work_often(allowance: Allowance) -> None:
    start = time.thread_time()
    while time.thread_time() - start < 5:
        work_for(allowance, 0.05)


def test_an_allowance_counts_several_pieces_of_work() -> None:
    allowance = Allowance("max_text_seconds", 0.3)
    with pytest.raises(LimitExceededError, match=r"max_text_seconds = 0\.3 seconds"):
        work_often(allowance)
    assert allowance.left_s < 0.05


def test_short_work_counts_too() -> None:
    allowance = Allowance("max_text_seconds", 1.0)
    for _ in range(20):
        work_for(allowance, 0.003)
    assert allowance.left_s < 0.95


def test_work_of_a_fork_counts_for_all() -> None:
    matcher = slow_matcher(0.05, max_text_seconds=10)
    fork = matcher.fork()
    fill(fork.fork())
    assert matcher._allowance.left_s == fork._allowance.left_s < 9.96
    matcher.reset()
    assert matcher._allowance.left_s > fork._allowance.left_s


def test_time_that_others_have_the_processor_does_not_count() -> None:
    """Asleep, the thread is as one that waits for the interpreter or for a processor: no checkpoint sees it."""
    allowance = Allowance("max_text_seconds", 0.3)
    for _ in range(40):
        with allowance:
            time.sleep(0.02)
    assert allowance.left_s > 0.2


def test_work_without_checkpoints_counts() -> None:
    allowance = Allowance("max_text_seconds", 0.3)
    for _ in range(40):
        with allowance:
            start = time.thread_time()
            while time.thread_time() - start < 0.02:
                pass
    assert allowance.left_s == 0.0


def test_a_text_gets_to_its_end_on_a_busy_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each mask takes 50 ms by the clock, and next to nothing of the processor."""
    matcher = slow_matcher(0, max_text_seconds=0.2)
    make_mask = type(matcher._automaton).make_mask

    def starved(automaton: Any, config: int) -> Any:
        time.sleep(0.05)
        return make_mask(automaton, config)

    monkeypatch.setattr(type(matcher._automaton), "make_mask", starved)
    for byte in b'"aaaaaaaaaaaaaaaaaa"':
        matcher._automaton.masks[matcher._config] = (0, 0, 0)
        assert byte in fill(matcher)
        assert matcher.accept_token(byte)
    assert matcher._allowance.left_s > 0.1


def test_what_one_text_makes_a_grammar_build() -> None:
    matcher = slow_matcher(0.05, max_text_seconds=0.02)
    with pytest.raises(LimitExceededError, match=r"max_text_seconds = 0\.02"):
        fill(matcher)
    with pytest.raises(LimitExceededError, match="max_text_seconds"):
        fill(matcher.fork())
    matcher.reset()
    matcher._automaton.frame(1).seconds = 0
    assert fill(matcher) == STRING


# --- builds beside each other

GRAMMARS: list[dict[str, Any]] = [
    {"json_schema": {"anyOf": [{"properties": {"k": {"pattern": f"^(a|b){{{i}}}c*$"}}} for i in range(6)]}},
    {"json_schema": {"type": "array", "items": {"enum": ["a", "ab", 1, {"a": [1]}]}, "uniqueItems": True}},
    {"ebnf": 'root ::= e\ne ::= e "+" e | "(" e ")" | [a-z]+ | "x" [0-9]+'},
    {"regex": "(a|b)*a(a|b){5}|(ab|c[^d]*d){2,}"},
    {
        "structural_tag": {
            "type": "structural_tag",
            "format": {"type": "json_schema", "json_schema": {"maxProperties": 3}},
        }
    },
    {"all_of": [{"regex": "[ab(]*"}, {"ebnf": 'root ::= "a" root "b" | "(" | ""'}]},
]


def walk(arguments: dict[str, Any], seed: int) -> list[set[int]]:
    """The masks of a random text, and what they leave where few tokens are left."""
    rng, masks = random.Random(seed), []
    matcher = compile_grammar(VOCABULARY, **arguments, cache=None).matcher()
    bitmask = allocate_bitmask(1, VOCABULARY.size)
    while len(masks) < 60 and not matcher.is_terminated():
        masks.append(fill(matcher))
        matcher.fill_bitmask(bitmask)
        matcher.restrict_to_budget(bitmask, 0, 40 - len(masks) // 2)
        masks.append(set(allowed_token_ids(bitmask[0], VOCABULARY.size).tolist()))
        assert matcher.accept_token(rng.choice(sorted(masks[-1])))
    return masks


def test_builds_that_pause_wherever_they_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several threads with grammars of one vocabulary: what each had half made when it paused was others' meanwhile."""
    work = [(arguments, seed) for arguments in GRAMMARS for seed in range(3)]
    expected = [walk(*one) for one in work]
    pauses: list[int] = []
    let_go = TablesLock.let_go
    monkeypatch.setattr(TablesLock, "let_go", lambda lock: pauses.append(1) or let_go(lock))
    monkeypatch.setattr(TablesLock, "is_wanted", True)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda one: walk(*one), work)) == expected
    assert len(pauses) > len(work)
