"""Compile regexes with interegular's finite automata: an oracle that shares no automaton code with other backends.

Use this backend in tests and for small vocabularies. The code is pure Python, and its masks try every token once for
each state that a text reaches. interegular builds the whole automaton ahead, over characters. The backend steps through
the automaton byte by byte in UTF-8.

interegular reads Python's `re` syntax without anchors, word boundaries, lookbehind and backreferences. The backend
refuses patterns that Python reads differently: patterns with the flags i or x, or with `\\d`, `\\w` or `\\s`, which
match only ASCII in interegular.
"""

from __future__ import annotations

import re

import numpy as np
from interegular import InvalidSyntax, Unsupported, parse_pattern
from interegular.fsm import FSM, anything_else
from interegular.fsm import State as Node

from ..bitset import Bitmask, pack_token_ids
from ..errors import (
    InvalidRegexError,
    LimitExceededError,
    UnsatisfiableError,
    UnsupportedGrammarError,
)
from ..limits import Limits
from ..protocol import CompiledGrammar, ReportEntry
from ..regex import algebra as lang
from ..regex import python_re
from ..spec import GrammarSpec
from ..vocabulary import Vocabulary
from .base import GrammarBackend
from .stepping import StateGrammar, check_spells_all

MAX_VOCABULARY = 20_000
"""Largest vocabulary, in tokens. A mask tries each token, at about 1 us a token."""

_CLASSES = re.compile(r"(?:^|[^\\])(?:\\\\)*\\[dDwWsS]")
_FLAGS = re.compile(r"\(\?[A-Za-z-]*[ix]")
_BYTES_PER_ENTRY = 100  # measured size of an entry in the automaton's dicts

State = tuple[Node, bytes]
"""A state of interegular's automaton, and the bytes of a character that has begun."""


class InteregularBackend(GrammarBackend):
    """Compiles regexes with `interegular`."""

    name = "interegular"
    kinds = frozenset({"regex"})

    def compile(self, spec: GrammarSpec, vocabulary: Vocabulary, limits: Limits) -> CompiledGrammar:
        """Compile a regex. Raises UnsupportedGrammarError for large vocabularies and for patterns interegular
        misreads.
        """
        check_spells_all(self.name, vocabulary)
        if vocabulary.size > MAX_VOCABULARY:
            raise UnsupportedGrammarError(
                f"interegular takes vocabularies of up to {MAX_VOCABULARY} tokens, and this has {vocabulary.size}; "
                "the native backend takes any"
            )
        if _CLASSES.search(spec.source):
            raise UnsupportedGrammarError(r"interegular reads \d, \w and \s as ASCII; write the characters out")
        if _FLAGS.search(spec.source):
            raise UnsupportedGrammarError("interegular reads the flags i and x otherwise than Python; write it out")
        return InteregularGrammar(spec, vocabulary, _build(spec.source, limits))


def _build(pattern: str, limits: Limits) -> FSM:
    _check_size(python_re.full(pattern), limits.max_automaton_states)
    try:
        automaton = parse_pattern(pattern).to_fsm()
    except Unsupported as error:
        raise UnsupportedGrammarError(f"interegular does not take this regex: {error}") from error
    except InvalidSyntax as error:
        raise InvalidRegexError(pattern, f"interegular can't read it: {error}") from error
    return automaton


def _check_size(language: lang.Language, max_states: int) -> None:
    """Raise LimitExceededError for a pattern with too many states, since nothing can interrupt interegular."""
    known, pending = {language}, [language]
    while pending:
        for _, following in pending.pop().transitions():
            if following not in known:
                known.add(following)
                pending.append(following)
        if len(known) > max_states:
            raise LimitExceededError("max_automaton_states", max_states, "states", "interegular builds all of them")


class InteregularGrammar(StateGrammar):
    """An automaton over characters, and the mask rows of the states that texts have reached."""

    def __init__(self, spec: GrammarSpec, vocabulary: Vocabulary, automaton: FSM) -> None:
        super().__init__(spec, vocabulary, (ReportEntry("", "regex", "exactly; the whole text matches"),))
        self._automaton = automaton
        self._live = _live_states(automaton)
        self._rows: dict[State, Bitmask] = {}
        self.start: State = (automaton.initial, b"")
        if automaton.initial not in self._live:
            raise UnsatisfiableError("nothing satisfies this regex")

    @property
    def num_bytes(self) -> int:
        """Return the estimated bytes of the automaton and the mask rows so far."""
        num_entries = sum(map(len, self._automaton.map.values())) + len(self._automaton.alphabet)
        return num_entries * _BYTES_PER_ENTRY + sum(row.nbytes for row in self._rows.values())

    def is_final(self, state: State) -> bool:
        """True if the text is complete in this state."""
        node, begun = state
        return not begun and node in self._automaton.finals

    def after_token(self, state: State, token_id: int) -> State | None:
        """Return the state after a token with text; None when the token is not allowed."""
        after: State | None = state
        for byte in self.vocabulary.tokens[token_id] or b"":
            after = None if after is None else self.after_byte(after, byte)
        return after

    def row(self, state: State) -> Bitmask:
        """Return the mask row of a state: int32, shape (W,)."""
        if state not in self._rows:
            tokens = self.vocabulary.tokens
            allowed = [i for i, token in enumerate(tokens) if token is not None and self.after_token(state, i)]
            self._rows[state] = pack_token_ids(np.array(allowed, dtype=np.int64), self.vocabulary.size)
        return self._rows[state]

    def after_byte(self, state: State, byte: int) -> State | None:
        """Return the state after one byte; None when no text continues with it."""
        node, begun = state
        begun += bytes((byte,))
        span = _characters(begun)
        if span is None:
            return None
        low, high = span
        if low == high and chr(low).encode() == begun:
            following = self._step_character(node, chr(low))
            return None if following is None else (following, b"")
        return (node, begun) if self._goes_on(node, low, high) else None

    def _step_character(self, node: Node, character: str) -> Node | None:
        key = self._automaton.alphabet[character]
        if key is None or node not in self._automaton.map:
            return None
        following = self._automaton.map[node].get(key)
        return following if following in self._live else None

    def _goes_on(self, node: Node, low: int, high: int) -> bool:
        """True if one of the characters low..high is allowed."""
        named = [symbol for symbol in self._automaton.alphabet if symbol is not anything_else]
        inside = [symbol for symbol in named if low <= ord(symbol) <= high]
        if any(self._step_character(node, symbol) is not None for symbol in inside):
            return True
        other = next((chr(code) for code in range(low, high + 1) if _is_other(code, inside)), None)
        return other is not None and self._step_character(node, other) is not None


def _is_other(code: int, named: list[str]) -> bool:
    return not 0xD800 <= code <= 0xDFFF and chr(code) not in named


def _characters(begun: bytes) -> tuple[int, int] | None:
    """Return the first and last code point whose UTF-8 begins with these bytes; None when there is none."""
    lead = begun[0]
    if lead < 0x80:
        return (lead, lead)
    length = 2 if 0xC2 <= lead <= 0xDF else 3 if 0xE0 <= lead <= 0xEF else 4 if 0xF0 <= lead <= 0xF4 else 0
    if length == 0 or any(byte & 0xC0 != 0x80 for byte in begun[1:]):
        return None
    code = lead & (0xFF >> (length + 1))
    for byte in begun[1:]:
        code = code << 6 | byte & 0x3F
    shift = 6 * (length - len(begun))
    low = max(code << shift, (0, 0, 0x80, 0x800, 0x10000)[length])
    high = min(((code + 1) << shift) - 1, 0x10FFFF)
    if low >= 0xD800 and high <= 0xDFFF:
        return None
    return (low, high) if low <= high else None


def _live_states(automaton: FSM) -> frozenset[Node]:
    before: dict[Node, set[Node]] = {}
    for node, transitions in automaton.map.items():
        for following in transitions.values():
            before.setdefault(following, set()).add(node)
    live = set(automaton.finals)
    pending = list(live)
    while pending:
        fresh = before.get(pending.pop(), set()) - live
        live |= fresh
        pending.extend(fresh)
    return frozenset(live)
