"""`Written`: a text that is being drawn, and the ways in which it can go on."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..machine.product.automaton import ProductAutomaton
from ..machine.rules.automaton import PushdownAutomaton
from ..machine.running import RunningAutomaton
from ..machine.tails import whole
from ..native.text_matcher import TextMatcher

_USUAL = bytes([*range(0x20, 0x7F), 0x0A, 0x09])
_LEADS = bytes([0xC3, 0xCE, 0xE4, 0xF0])  # Latin, Greek, Han, emoji: one of each length, and a few more
_CONTINUES = range(0x80, 0xC0)


class Move(NamedTuple):
    """One way to go on. written: its bytes. following: the configuration after it."""

    written: bytes
    following: int


class Written:
    """A text that is being drawn. text: so far, with names of special tokens. plain: of its tokens with text.
    left_out: of each object that is open, by its depth, the optional keys that were decided not to come."""

    def __init__(self, automaton: RunningAutomaton[Any], matcher: TextMatcher) -> None:
        self.automaton = automaton
        self.matcher = matcher
        self.vocabulary = matcher.vocabulary
        self.config = automaton.start
        self.text, self.plain = bytearray(), bytearray()
        self.left_out: dict[int, set[str]] = {}

    def after_byte(self, byte: int) -> int | None:
        """The configuration after a byte; None where it is not allowed."""
        return self.automaton.follow(self.config, self.vocabulary.size + byte, whole(bytes(self.plain)))

    def take(self, written: bytes, following: int) -> None:
        """Go on with a byte."""
        self.text += written
        self.plain += written
        self.config = following

    def take_token(self, token_id: int) -> bool:
        """Go on with a token; False where it is not allowed."""
        following = self.automaton.follow(self.config, token_id, whole(bytes(self.plain)))
        if following is None:
            return False
        self.text += self.vocabulary.written(token_id)
        self.plain += self.vocabulary.tokens[token_id] or b""
        self.config = following
        return True

    def write(self, wanted: bytes) -> None:
        """Write some bytes, with what the grammar forces between them, as far as that is allowed."""
        for byte in wanted:
            while (following := self.after_byte(byte)) is None:
                if not self.write_forced():
                    return
            self.take(bytes([byte]), following)

    def write_forced(self) -> bool:
        """Write the only byte that may come; whether there was one."""
        forced = self.automaton.forced_byte(self.config, whole(bytes(self.plain)))
        following = None if forced is None else self.after_byte(forced)
        if forced is None or following is None:
            return False
        self.take(bytes([forced]), following)
        return True

    @property
    def is_complete(self) -> bool:
        """The text may end here."""
        return self.automaton.is_complete_at(self.config)

    def special_tokens(self) -> list[int]:
        """Tokens that may come by their ids: of those with text the ones of a single ASCII character, if there are any.

        A grammar may ask for one token, whichever it is. A text of several characters would not say that it is one.
        """
        found, tokens = self._named_tokens(), self.vocabulary.tokens
        plain = [one for one in found if (token := tokens[one]) is None or (len(token) == 1 and token < b"\x80")]
        return plain or found

    def _named_tokens(self) -> list[int]:
        automaton, config = self.automaton, self.config
        if isinstance(automaton, ProductAutomaton):
            config = automaton.left_of(config)
            automaton = automaton.rules
        if not isinstance(automaton, PushdownAutomaton):
            return []
        with automaton.lock:
            branches = automaton.branches_at(config)
            return sorted(set[int]().union(*[automaton.branches.tokens_by_id(branch) for branch in branches]))

    def moves(self) -> list[Move]:
        """The bytes that may come: usual ones first looked for, others only where there are none."""
        is_inside = bool(self.plain) and is_inside_character(self.plain)
        for candidates in (_CONTINUES,) if is_inside else (_USUAL + _LEADS, range(256)):
            found = [Move(bytes([byte]), after) for byte in candidates if (after := self.after_byte(byte)) is not None]
            if found:
                return found
        return []

    def finish(self) -> bool:
        """Take the shortest way to the end; False where none is found."""
        if self.is_complete:
            return True
        token_ids = self.matcher.completion.token_ids(self.config, whole(bytes(self.plain)))
        return token_ids is not None and all(map(self.take_token, token_ids))


def is_inside_character(text: bytes | bytearray) -> bool:
    """Whether a text ends in the middle of a character."""
    for back, byte in enumerate(reversed(text[-4:])):
        if byte < 0x80:
            return False
        if byte >= 0xC0:
            return back + 1 < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4)
    return False
