"""`Scanner`: splits the text of a grammar into lexemes for the LALR parsers of the dialects.

Each kind of lexeme has one regular expression. The first match counts, so longer kinds come first. This class replaces
lark's own lexer, since lexemes depend on more than their letters: JSON inside a grammar, heads of rules, ends of lines.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Mapping

from ..watch import checkpoint, paced
from .source import GrammarSource, Lexeme

Reader = Callable[[GrammarSource, int], int]
"""Takes the end of a lexeme so far; returns its real end. Raises an error if the required text does not follow."""

_BRACKETS = {r"\(": 1, r"\[": 1, r"\{": 1, r"\)": -1, r"\]": -1, r"\}": -1}
_CHECKED = 64  # lexemes between two checkpoints
_REST = "_REST"
"""Kind of the remaining text where no lexeme matches."""


class Scanner:
    """The lexemes of one dialect.

    lexemes: kind -> regex without groups, or (regex, name in messages) if the regex is not readable; in order of
        precedence.
    skipped: regex of the text between lexemes.
    mistakes: regex -> message if it matches where no lexeme does.
    readers: kind -> function that reads the rest of such a lexeme.
    words: kind -> name in messages.
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
        self._lexeme = re.compile(f"(?:{kinds})(?:{skipped})*+|(?P<{_REST}>(?s:.+))")
        self._skipped = re.compile(f"(?:{skipped})*+")
        self._brackets = {kind: _BRACKETS[regex] for kind, regex in regexes.items() if regex in _BRACKETS}
        self._mistakes = [(re.compile(regex), reason) for regex, reason in mistakes.items()]
        self._readers = dict(readers or {})
        self._is_special = frozenset([*self._readers, _REST]).__contains__

    def scan(self, source: GrammarSource) -> list[Lexeme]:
        """Return the lexemes of a grammar. Raises InvalidGrammarError, LimitExceededError."""
        text, lexemes = source.text, list[Lexeme]()
        matches = self._lexeme.finditer(text, self._after_skipped(source, source.start), source.end)
        # PERF: 0.6 us a lexeme; 1.4 us with one regex match and one call for each
        while found := [
            tuple.__new__(Lexeme, (kind := match.lastgroup or _REST, match[kind], match.start(), match.end(kind)))
            for match in itertools.islice(matches, _CHECKED)
        ]:
            checkpoint()
            special = next((lexeme for lexeme in found if self._is_special(lexeme[0])), None)
            if special is None:
                lexemes += found
                continue
            lexemes += found[: found.index(special)]
            kind, _, start, end = special
            if kind == _REST:
                self._check_depth(source, lexemes)
                raise source.error(self._reason(text, start), start)
            end = self._readers[kind](source, end)
            lexemes.append(Lexeme(kind, text[start:end], start, end))
            matches = self._lexeme.finditer(text, self._after_skipped(source, end), source.end)
        self._check_depth(source, lexemes)
        return lexemes

    def _check_depth(self, source: GrammarSource, lexemes: list[Lexeme]) -> None:
        steps = [self._brackets[lexeme[0]] for lexeme in paced(lexemes) if lexeme[0] in self._brackets]
        source.check_depth(max(itertools.accumulate(steps), default=0), "nested brackets")

    def _after_skipped(self, source: GrammarSource, position: int) -> int:
        match = self._skipped.match(source.text, position, source.end)
        assert match is not None
        return match.end()

    def _reason(self, text: str, position: int) -> str:
        for regex, reason in self._mistakes:
            if regex.match(text, position):
                return reason
        return f"unexpected {text[position]!r}"
