"""`Written`: a text while `samples.py` draws it, and its possible continuations."""

from __future__ import annotations

from typing import Any, NamedTuple

from guided.grammars.machine.product.automaton import ProductAutomaton
from guided.grammars.machine.rules.automaton import PushdownAutomaton
from guided.grammars.machine.running import RunningAutomaton
from guided.grammars.machine.tails import whole
from guided.grammars.native.text_matcher import TextMatcher

_USUAL = bytes([*range(0x20, 0x7F), 0x0A, 0x09])
# lead bytes of Latin, Greek, Han and emoji characters; every length of character is among them
_LEADS = bytes([0xC3, 0xCE, 0xE4, 0xF0])
_CONTINUES = range(0x80, 0xC0)


class Move(NamedTuple):
    """A way to continue a text.

    written: the byte to write.
    following: the configuration after the byte.
    """

    written: bytes
    following: int


class Written:
    """A text while `samples.py` draws it.

    text: the bytes so far, with the names of special tokens.
    plain: the bytes so far, without them.
    """

    def __init__(self, automaton: RunningAutomaton[Any], matcher: TextMatcher) -> None:
        self.automaton = automaton
        self.matcher = matcher
        self.vocabulary = matcher.vocabulary
        self.config = automaton.start
        self.text, self.plain = bytearray(), bytearray()

    def after_byte(self, byte: int) -> int | None:
        """Return the configuration after a byte; None when the grammar does not allow the byte."""
        return self.automaton.follow(self.config, self.vocabulary.size + byte, whole(bytes(self.plain)))

    def take(self, written: bytes, following: int) -> None:
        """Write a byte."""
        self.text += written
        self.plain += written
        self.config = following

    def take_token(self, token_id: int) -> bool:
        """Write a token; False when the grammar does not allow the token."""
        following = self.automaton.follow(self.config, token_id, whole(bytes(self.plain)))
        if following is None:
            return False
        self.text += self.vocabulary.written(token_id)
        self.plain += self.vocabulary.tokens[token_id] or b""
        self.config = following
        return True

    def write_forced(self) -> bool:
        """Write the forced byte; False when no byte is forced."""
        forced = self.automaton.forced_byte(self.config, whole(bytes(self.plain)))
        following = None if forced is None else self.after_byte(forced)
        if forced is None or following is None:
            return False
        self.take(bytes([forced]), following)
        return True

    @property
    def is_complete(self) -> bool:
        """True if the text may end here."""
        return self.automaton.is_complete_at(self.config)

    def special_tokens(self) -> list[int]:
        """Return the tokens that the grammar allows by their ids.

        Tokens with a text of several bytes are left out when others are allowed: their text would not show that the
        grammar asks for one token.
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
        """Return the usual bytes that may come, and other bytes only when no usual one may come."""
        is_inside = bool(self.plain) and is_inside_character(self.plain)
        for candidates in (_CONTINUES,) if is_inside else (_USUAL + _LEADS, range(256)):
            found = [Move(bytes([byte]), after) for byte in candidates if (after := self.after_byte(byte)) is not None]
            if found:
                return found
        return []

    def finish(self) -> bool:
        """Write the shortest end of the text; False when no end was found."""
        if self.is_complete:
            return True
        token_ids = self.matcher.completion.token_ids(self.config, whole(bytes(self.plain)))
        return token_ids is not None and all(map(self.take_token, token_ids))


def is_inside_character(text: bytes | bytearray) -> bool:
    """Return True if a text ends in the middle of a character."""
    for back, byte in enumerate(reversed(text[-4:])):
        if byte < 0x80:
            return False
        if byte >= 0xC0:
            return back + 1 < (2 if byte < 0xE0 else 3 if byte < 0xF0 else 4)
    return False
