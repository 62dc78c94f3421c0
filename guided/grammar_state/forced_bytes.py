"""`ForcedBytes`: the bytes that a grammar forces at one place of a text, with the tokens that spell them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

MAX_SPELLED_BYTES = 2048
"""Maximum number of forced bytes that are looked for and spelled at once. A long constant would hold up all requests of
an engine for seconds.
"""


@dataclass(frozen=True)
class ForcedTokens:
    """Tokens of forced bytes.

    token_ids: the tokens that must come.
    rest: further tokens, which depend on what follows the bytes; None: it is decided whether they must come.
    has_more: there are more forced bytes. They are spelled after `token_ids`.
    is_in_time: the budget has room for all tokens. False: ask for each token.
    ends: only the end of the text may follow.
    """

    token_ids: tuple[int, ...] = ()
    rest: tuple[int, ...] | None = None
    has_more: bool = False
    is_in_time: bool = True
    ends: bool = False


LEFT_TO_MODEL = ForcedTokens()


class ForcedBytes(NamedTuple):
    """What is known of the forced bytes at one place. The object does not change; each token has the next one.

    data: the forced bytes; None: not computed yet. A forced token that begins in the first MAX_SPELLED_BYTES also ends
        in `data`.
    start: index of the place in `data`; the bytes before it are in the text.
    spelling: of the first MAX_SPELLED_BYTES; None: not spelled yet.
    num_spelled: number of tokens of the spelling that the text has taken.
    """

    data: bytes | None = None
    start: int = 0
    spelling: ForcedTokens | None = None
    num_spelled: int = 0

    @property
    def is_inside(self) -> bool:
        """True if the object can't be computed anew, since the bytes began before this place."""
        return self.start > 0 or self.num_spelled > 0

    @property
    def token_id(self) -> int | None:
        """The next token of the spelling; None if the bytes are not spelled, or the model chooses."""
        spelling, index = self.spelling, self.num_spelled
        return spelling.token_ids[index] if spelling and index < len(spelling.token_ids) else None

    @property
    def ends(self) -> bool:
        """True if only the end of the text may follow, as far as this is decided."""
        return self.spelling is not None and self.spelling.ends and self.token_id is None

    def after(self, token_id: int, token: bytes | None, is_forced: bool) -> ForcedBytes:
        """The object after a token. is_forced: all its bytes were forced."""
        start, spelling = self.start + len(token or b""), self.spelling
        is_over = not is_forced or start >= min(len(self.data or b""), MAX_SPELLED_BYTES)
        if spelling is None or token_id != self.token_id:
            return UNKNOWN if is_over else ForcedBytes(self.data, start, spelling and LEFT_TO_MODEL)
        num_spelled = self.num_spelled + 1
        if spelling.has_more and num_spelled == len(spelling.token_ids):
            return UNKNOWN
        return ForcedBytes(None if is_over else self.data, 0 if is_over else start, spelling, num_spelled)


FREE = ForcedBytes(b"")
"""No bytes are forced."""

UNKNOWN = ForcedBytes()
"""Nothing was computed for this place. Used at the start, and after every token that does not stay in forced bytes."""
