"""`can_be_written`: whether a document can be completed for sure, where that depends on the texts of keys or items."""

from __future__ import annotations

from collections import deque
from itertools import islice
from typing import TYPE_CHECKING

from ..automaton import layout as at
from ..automaton.automaton import Automaton, Config, Tail
from ..pushdown.branches import Branch
from ..watch import checkpoint
from . import layout as ix
from .dfa import Dfa
from .machines import undecided

if TYPE_CHECKING:
    from ..pushdown.automaton import PushdownAutomaton
    from .liveness import Liveness

_NUM_TEXTS = 30
"""Texts that are tried before all are looked at. PERF: a guess."""
_MAX_CONFIGS = 1000
"""Configurations of a document that are looked at, of 256 bytes each: about 1 ms a configuration."""


def can_be_written(rules: PushdownAutomaton, live: Liveness, dfa: Dfa, branch: Branch, q: int, tail: Tail) -> bool:
    """Whether a text of a document can be completed, tried out with the texts of keys and items.

    tail: of the text before. Raises LimitExceededError when that stays open.
    """
    automaton = rules.document_of(branch)
    config = automaton.config(branch.code, branch.stack)
    written = tail(1 << 60)[0]
    for text in list(islice(live.goal(branch).texts(branch.code, branch.stack, q), _NUM_TEXTS)):
        if _leads_to_end(automaton, config, written, text):
            return True
    waiting = deque([(config, q, written)])
    num_configs = 0
    while waiting:
        checkpoint()
        num_configs += 1
        if num_configs > _MAX_CONFIGS:
            raise undecided(_MAX_CONFIGS)
        config, q, written = waiting.popleft()
        for first, end, next_q in dfa.runs(q):
            for byte in range(first, end):
                following = _step(automaton, config, byte, written)
                if following is None:
                    continue
                known = live.of_branch(branch._replace(code=following.code, stack=following.stack), next_q)
                if known < ix.DOUBTFUL:
                    return True
                if known != ix.LOST:
                    waiting.append((following, next_q, written + bytes([byte])))
    return False


def _leads_to_end(automaton: Automaton, config: Config, written: bytes, text: bytes) -> bool:
    """Whether a text can be written, up to the end of the document."""
    here: Config | None = config
    for byte in text:
        here = _step(automaton, here, byte, written) if here is not None else None
        if here is None:
            return False
        written += bytes([byte])
    return here is not None and here.code == at.DONE


def _step(automaton: Automaton, config: Config, byte: int, written: bytes) -> Config | None:
    following = automaton.follow_byte(config, byte, written)
    if following is None or not automaton.has_guards:
        return following
    size = automaton.vocabulary_tables.vocabulary.size
    return following if automaton.keeps_guards(following, size + byte, lambda _: (written, True)) else None
