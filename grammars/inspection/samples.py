"""`sample_texts`: random texts of a grammar, without a model: to see what it really allows.

A text is written byte by byte in the grammar's automaton, so each is valid. What is drawn is *structure*: at each place
the ways to go on are put into groups, those that lead to the same configuration together (all digits of a number, all
letters of a name), and each group is as likely as another, the end of the text being one of them. In a JSON document
more is known: each type of value is as likely as another, each string of an enum as another, each optional key comes
with probability 1/2, an array goes on with probability 1/2. So `[a-z]+` gives short words, not the long ones that
nearly all of its texts are, and `anyOf` of a string and null gives null half of the time. Containers get rarer with
depth.

Each text has a size at which it stops growing, drawn from a quarter of `max_bytes` up to that. From there on it takes
its shortest way to the end, which `completion` knows: so drawing ends, however recursive the grammar is.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence

from ..errors import InvalidInputError, NoCompletionError, UnsupportedGrammarError
from ..native.text_matcher import TextMatcher
from ..protocol import CompiledGrammar
from ..watch import checkpoint
from .document_samples import draw_in_document, is_in_number
from .written import Move, Written, is_inside_character

MAX_BYTES = 400
LEAST_SHARE = 0.25  # of max_bytes, at which a text may stop growing
NUM_TRIES = 4  # of a text that grew to where no end was found, each half as long
_RARE = 0.1  # of characters beyond ASCII, escapes and tabs, beside usual ones
_MANY_FOLLOWING = 4.0  # usual characters of a text that may go on with nearly any, against its end


class TextSampler:
    """Draws texts of one grammar. seed: the same one gives the same texts. max_bytes: see the module; a text that can't
    be shorter is longer. Raises UnsupportedGrammarError for other backends than the native one."""

    def __init__(self, grammar: CompiledGrammar, seed: int = 0, max_bytes: int = MAX_BYTES) -> None:
        if max_bytes < 1:
            raise InvalidInputError(f"max_bytes must be at least 1, not {max_bytes}")
        self._grammar = grammar
        self._random = random.Random(seed)
        self._max_bytes = max_bytes

    def draw(self) -> str:
        """One text. Raises NoCompletionError where no end of a text was found, and what building masks raises."""
        goal = int(self._max_bytes * self._random.uniform(LEAST_SHARE, 1.0))
        for _ in range(NUM_TRIES):
            matcher = self._grammar.matcher()
            if not isinstance(matcher, TextMatcher):
                raise UnsupportedGrammarError("this backend's grammars can't be sampled; the native backend's can")
            automaton, _, _ = matcher.history
            written = Written(automaton, matcher)
            if self._grow(written, goal) or written.finish():
                return written.text.decode("utf-8", "replace")
            goal //= 2
        raise NoCompletionError("no short way to complete a text that was drawn was found")

    def _grow(self, written: Written, goal: int) -> bool:
        """Write until a text ends, which is True, or is as long as wanted."""
        while len(written.text) < goal or is_inside_character(written.plain):
            checkpoint()
            if not draw_in_document(written, self._random) and self._step(written):
                return True
        return False

    def _step(self, written: Written) -> bool:
        """Draw what comes next; True where that is the end of the text."""
        groups = _grouped(written)
        weights = [weight for weight, _ in groups]
        if written.is_complete:
            groups.append((0.0, []))
            weights.append(1.0)
        if not groups:
            raise NoCompletionError("a text that was drawn can't go on")
        _, moves = self._random.choices(groups, weights)[0]
        if not moves:
            return True
        chosen = self._random.choices(moves, [_liking(move.written) for move in moves])[0]
        if chosen.following < 0:
            written.take_token(-chosen.following - 1)
        else:
            written.take(chosen.written, chosen.following)
        return False


def sample_texts(grammar: CompiledGrammar, num: int = 10, *, seed: int = 0, max_bytes: int = MAX_BYTES) -> list[str]:
    """Random texts of a grammar, each of which it accepts; see the module for how they are drawn.

    They are drawn one by one, so they may repeat. Names of special tokens stand for these tokens. The other arguments
    and the errors are those of `TextSampler`.
    """
    sampler = TextSampler(grammar, seed, max_bytes)
    return [sampler.draw() for _ in range(num)]


def _grouped(written: Written) -> list[tuple[float, list[Move]]]:
    """The ways to go on: those that lead to the same configuration together, with the weight of each group.

    A special token is a move whose `following` is below 0: minus its id, less 1.
    """
    groups: dict[Hashable, list[Move]] = {}
    moves = written.moves()
    if is_in_number(written):
        moves = [move for move in moves if not move.written.isspace()] or moves
    for move in moves:
        is_rare = move.written[0] >= 0x80 or move.written in b"\\\t\n"
        groups.setdefault("rare" if is_rare else move.following, []).append(move)
    tokens = [Move(b"", -token_id - 1) for token_id in written.special_tokens()]
    if tokens:
        groups["tokens"] = tokens
    rare = groups.pop("rare", [])
    found = [(_weight(moves), moves) for moves in groups.values()]
    return found + ([(_RARE if found else 1.0, rare)] if rare else [])


def _weight(moves: Sequence[Move]) -> float:
    """Of a group: where nearly every character may come, it is a free text, whose end would come too soon."""
    return _MANY_FOLLOWING if len(moves) > 60 else 1.0


def _liking(written: bytes) -> float:
    """How likely a byte is among those of its group: letters and digits are easier to read."""
    if not written or written[0] >= 0x80:
        return 1.0
    return 1.0 if written.isalnum() else 0.5 if written == b" " else 0.1
