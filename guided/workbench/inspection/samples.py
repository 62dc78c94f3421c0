"""`sample_texts`: draw random texts of a grammar, without a model, to see what the grammar really allows.

The sampler writes a text byte by byte in the grammar's automaton, so every text is valid. The sampler draws
*structure*, not characters. At each place it groups the ways to continue. All bytes that lead to the same configuration
are one group, such as all digits of a number. The end of the text is another. All groups are equally likely. Therefore
`[a-z]+` gives short words, although nearly all of its texts are long. `anyOf` of a string and null gives null half of
the time. Bytes that the grammar forces are written at once. Spaces between tokens of JSON are rare.

Each text has a size at which it stops growing: between a quarter of `max_bytes` and `max_bytes`, at random. From there
on the text takes the shortest way to its end, which `completion` knows. Drawing thus ends for recursive grammars too.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Sequence

from guided.grammars.errors import InvalidInputError, NoCompletionError, UnsupportedGrammarError
from guided.grammars.native.text_matcher import TextMatcher
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.watch import checkpoint

from .written import Move, Written, is_inside_character

MAX_BYTES = 400
LEAST_SHARE = 0.25  # smallest size at which a text stops growing, as a share of max_bytes
NUM_TRIES = 4  # tries for one text; each try without an end halves the size
_RARE = 0.1  # weight of characters beyond ASCII, backslashes and white space between others; a usual group has 1.0
_MANY_FOLLOWING = 4.0  # weight of going on in free text; the end of the text has 1.0


class TextSampler:
    """Draws texts of one grammar.

    Args:
        seed: int, 0; the same seed gives the same texts.
        max_bytes: int, MAX_BYTES; size limit as the module says; a text that can't be shorter is longer.

    Raises:
        InvalidInputError: when max_bytes is below 1.
    """

    def __init__(self, grammar: CompiledGrammar, seed: int = 0, max_bytes: int = MAX_BYTES) -> None:
        if max_bytes < 1:
            raise InvalidInputError(f"max_bytes must be at least 1, not {max_bytes}")
        self._grammar = grammar
        self._random = random.Random(seed)
        self._max_bytes = max_bytes

    def draw(self) -> str:
        """Draw one text.

        Raises:
            UnsupportedGrammarError: for backends other than the native one.
            NoCompletionError: when no end of a text was found, and what building masks raises.
        """
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
        """Write until the text ends (returns True) or reaches its size (returns False)."""
        while len(written.text) < goal or is_inside_character(written.plain):
            checkpoint()
            if not written.write_forced() and self._step(written):
                return True
        return False

    def _step(self, written: Written) -> bool:
        """Draw and write the next group; True if the draw ends the text."""
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
    """Return random texts that the grammar accepts. Texts may repeat. The name of a special token stands for the token.

    Args:
        grammar: the compiled grammar.
        num: number of texts.
        seed: seed of the draws; the same seed gives the same texts.
        max_bytes: size limit in bytes; a text that can't be shorter is longer.

    Raises:
        InvalidInputError: if max_bytes is below 1.
        UnsupportedGrammarError: for backends other than the native one.
        NoCompletionError: if no end of a text is found.
        LimitExceededError: if a text exceeds a limit of the grammar.
    """
    sampler = TextSampler(grammar, seed, max_bytes)
    return [sampler.draw() for _ in range(num)]


def _grouped(written: Written) -> list[tuple[float, list[Move]]]:
    """Return groups of ways to continue, each with its weight; ways to the same configuration share a group.

    A special token is a move whose `following` is -1 minus the token's id.
    """
    groups: dict[Hashable, list[Move]] = {}
    moves = written.moves()
    letters = {move.following for move in moves if not move.written.isspace()}
    for move in moves:
        is_between = move.written.isspace() and move.following not in letters
        is_rare = is_between or move.written[0] >= 0x80 or move.written in b"\\\t\n"
        groups.setdefault("rare" if is_rare else move.following, []).append(move)
    tokens = [Move(b"", -token_id - 1) for token_id in written.special_tokens()]
    if tokens:
        groups["tokens"] = tokens
    rare = groups.pop("rare", [])
    found = [(_weight(moves), moves) for moves in groups.values()]
    return found + ([(_RARE if found else 1.0, rare)] if rare else [])


def _weight(moves: Sequence[Move]) -> float:
    """Return the weight of a group. Free text, where nearly every character may come, weighs more, so it does not end
    at once.
    """
    return _MANY_FOLLOWING if len(moves) > 60 else 1.0


def _liking(written: bytes) -> float:
    """Return the weight of a byte in its group: letters and digits are easiest to read."""
    if not written or written[0] >= 0x80:
        return 1.0
    return 1.0 if written.isalnum() else 0.5 if written == b" " else 0.1
