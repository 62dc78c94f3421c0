"""`Scanner`: the text of a grammar cut into lexemes for the LALR parsers of the dialects.

One regular expression for each kind of lexeme; the first that matches counts, so longer ones come first. It is our own
and not lark's, because lexemes depend on more than their letters: JSON inside a grammar, heads of rules, ends of lines.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from ..watch import checkpoint
from .source import GrammarSource, Lexeme

Reader = Callable[[GrammarSource, int], int]
"""Given where a lexeme ends so far, where it really ends; raises if what follows is not what it needs."""

_BRACKETS = {r"\(": 1, r"\[": 1, r"\{": 1, r"\)": -1, r"\]": -1, r"\}": -1}
_CHECKED = 64  # lexemes between two checkpoints


class Scanner:
    """The lexemes of one dialect.

    lexemes: kind -> regex, without groups of its own, or (regex, what to call it in messages) where the regex alone
        does not say; in order of precedence. skipped: regex of what is between them.
    mistakes: regex -> what to say where it matches and no lexeme does.
    readers: kind -> what reads the rest of such a lexeme.
    words: kind -> what to call it in messages.
    """

    def __init__(
        self,
        lexemes: Mapping[str, str | tuple[str, str]],
        skipped: str,
        mistakes: Mapping[str, str],
        readers: Mapping[str, Reader] | None = None,
    ) -> None:
        regexes = {kind: one if isinstance(one, str) else one[0] for kind, one in lexemes.items()}
        self.words = {kind: re.sub(r"\\", "", one) if isinstance(one, str) else one[1] for kind, one in lexemes.items()}
        kinds = "|".join(f"(?P<{kind}>{regex})" for kind, regex in regexes.items())
        self._lexeme = re.compile(f"(?:{kinds})(?:{skipped})*")
        self._skipped = re.compile(f"(?:{skipped})*")
        self._brackets = {kind: _BRACKETS[regex] for kind, regex in regexes.items() if regex in _BRACKETS}
        self._mistakes = [(re.compile(regex), reason) for regex, reason in mistakes.items()]
        self._readers = dict(readers or {})

    def scan(self, source: GrammarSource) -> list[Lexeme]:
        """The lexemes. Raises InvalidGrammarError, LimitExceededError."""
        text, lexemes, depth, readers, brackets = source.text, list[Lexeme](), 0, self._readers, self._brackets
        match_lexeme, add, make = self._lexeme.match, lexemes.append, Lexeme._make
        position = self._after_skipped(text, 0)
        while match := match_lexeme(text, position):
            kind = match.lastgroup
            assert kind is not None
            start, end, position = position, match.end(kind), match.end()
            if kind in readers:
                end = readers[kind](source, end)
                position = self._after_skipped(text, end)
            add(make((kind, text[start:end], start, end)))
            if kind in brackets:
                depth += brackets[kind]
                source.check_depth(depth, "nested brackets")
            if not len(lexemes) % _CHECKED:
                checkpoint()
        if position < len(text):
            raise source.error(self._reason(text, position), position)
        return lexemes

    def _after_skipped(self, text: str, position: int) -> int:
        match = self._skipped.match(text, position)
        assert match is not None
        return match.end()

    def _reason(self, text: str, position: int) -> str:
        for regex, reason in self._mistakes:
            if regex.match(text, position):
                return reason
        return f"unexpected {text[position]!r}"
