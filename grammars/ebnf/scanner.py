"""`Scanner`: the text of a grammar cut into tokens for the LALR parsers of the dialects.

One regular expression for each kind of token; the first that matches counts, so longer ones come first. It is our own
and not lark's, because tokens depend on more than their letters: JSON inside a grammar, heads of rules, ends of lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lark import Token

from ..watch import checkpoint
from .source import GrammarSource

Reader = Callable[[GrammarSource, int], int]
"""Given where a token ends so far, where it really ends; raises if what follows is not what it needs."""

_OPENING, _CLOSING = "([{", ")]}"


class Scanner:
    """The tokens of one dialect.

    tokens: kind -> regex, in order of precedence. skipped: regex of what is between tokens.
    mistakes: regex -> what to say where it matches and no token does.
    readers: kind -> what reads the rest of such a token.
    """

    def __init__(
        self,
        tokens: Mapping[str, str],
        skipped: str,
        mistakes: Mapping[str, str],
        readers: Mapping[str, Reader] | None = None,
    ) -> None:
        self._token = re.compile("|".join(f"(?P<{kind}>{regex})" for kind, regex in tokens.items()))
        self._skipped = re.compile(f"(?:{skipped})*")
        self._mistakes = [(re.compile(regex), reason) for regex, reason in mistakes.items()]
        self._readers = dict(readers or {})

    def scan(self, source: GrammarSource) -> list[Token]:
        """The tokens, each with its `start_pos` and `end_pos`. Raises InvalidGrammarError, LimitExceededError."""
        text, tokens, depth = source.text, list[Token](), 0
        skip, match_token = self._skipped.match, self._token.match
        position = _end(skip(text, 0))
        while position < len(text):
            checkpoint()
            match = match_token(text, position)
            if match is None:
                raise source.error(self._reason(text, position), position)
            kind, end = str(match.lastgroup), match.end()
            if kind in self._readers:
                end = self._readers[kind](source, end)
            token = Token(kind, text[position:end], position, end_pos=end)
            tokens.append(token)
            if text[position] in _OPENING and end == position + 1:
                depth += 1
                source.check_depth(depth, "nested brackets")
            elif text[position] in _CLOSING:
                depth -= 1
            position = _end(skip(text, end))
        return tokens

    def _reason(self, text: str, position: int) -> str:
        for regex, reason in self._mistakes:
            if regex.match(text, position):
                return reason
        return f"unexpected {text[position]!r}"


def _end(match: re.Match[str] | None) -> int:
    assert match is not None
    return match.end()
