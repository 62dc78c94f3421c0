"""`quote_guess`: guesses how a quote of a source continues, for a draft."""

from __future__ import annotations

import re
from collections.abc import Sequence

from guided.grammars.errors import GuidedError

from ...grammar_state.speller import TokenSpeller
from ...grammar_state.state import GrammarState

GUESSED_BYTES = 4  # bytes of a quote to request for each token to guess
_FORCED_BYTES = 12  # bytes to request for each token to guess behind a quote; forced keys and marks are long tokens
_PHRASE_END = re.compile(rb"[.,;:!?)]+ | [(-]")  # places in a source where many quotes end


def quote_guess(grammar: GrammarState, most: int, behind: Sequence[int] = ()) -> list[int]:
    """Guess how a quote continues: the next tokens of its source, up to the end of a phrase. [] outside of quotes.

    At the end of the phrase, the guess ends the string and adds the bytes that the grammar forces after it.
    most: maximum number of tokens.
    behind: tokens that the quote must continue with; the guess follows them.
    """
    speller = grammar.speller
    if speller is None or most < 1:
        return []
    head = grammar.vocabulary.join(behind)
    asked = len(head) + most * GUESSED_BYTES
    bytes_ = grammar.matcher.find_quote_continuation(asked + 1)
    rest = bytes_[len(head) : asked] if bytes_.startswith(head) else b""
    if not rest:
        return []
    is_all = len(bytes_) <= asked
    end = _PHRASE_END.search(rest + b" " if is_all else rest)
    phrase = rest[: end.start()] if end else rest
    guess = list(speller.spell_once(phrase))
    if (end or is_all) and len(guess) < most:
        guess += _end_of_quote(grammar, speller, head + phrase, most - len(guess))
    return guess[:most]


def _end_of_quote(grammar: GrammarState, speller: TokenSpeller, before: bytes, most: int) -> tuple[int, ...]:
    """Tokens of the end of a quote, and of the bytes that are forced after it.

    before: bytes of the quote that come first.
    most: number of tokens to aim at.
    """
    try:
        return speller.spell_once(grammar.matcher.find_quote_end(before, most * _FORCED_BYTES))
    except GuidedError:  # a limit, or the step's time is up; the row's own draw will meet it again
        return ()
