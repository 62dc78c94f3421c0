"""`DialectParser`: lark's LALR parser fed with our tokens, whose errors say what was expected in a reader's words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lark import Lark, Token, Tree, UnexpectedToken
from lark.lexer import Lexer

from ..watch import checkpoint
from .source import GrammarSource, shortened

Branch = Tree[Token]

_MAX_EXPECTED = 6


class _Feed(Lexer):
    """The lexer that lark is given: the tokens are there already."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, tokens: Any) -> Iterator[Token]:  # type: ignore[override]  # lark calls older lexers like this
        for token in tokens:
            checkpoint()
            yield token


class DialectParser:
    """The syntax of one dialect.

    grammar: in lark's own notation, its start "start"; every terminal is declared, as the scanner makes them.
    words: kind of token -> what to call it in messages.
    """

    def __init__(self, grammar: str, words: Mapping[str, str]) -> None:
        self._words = dict(words)
        self._lark = Lark(grammar, parser="lalr", lexer=_Feed, maybe_placeholders=False)

    def parse(self, source: GrammarSource, tokens: list[Token]) -> Branch:
        """The tree of the tokens. Raises InvalidGrammarError."""
        try:
            return self._lark.parse(tokens)
        except UnexpectedToken as error:
            raise source.error(self._reason(error), _offset(error.token, source)) from None

    def _reason(self, error: UnexpectedToken) -> str:
        expected = sorted({self._words.get(kind, kind) for kind in error.accepts or error.expected})
        shown = ", ".join(expected[:_MAX_EXPECTED]) + (", ..." if len(expected) > _MAX_EXPECTED else "")
        if error.token.type == "$END":
            return f"the grammar ends where {shown} was expected"
        return f"unexpected {_shown(error.token)}; expected {shown}"


def _shown(token: Token) -> str:
    return "end of line" if token.value.startswith(("\n", "\r")) else shortened(token.value)


def _offset(token: Token, source: GrammarSource) -> int:
    if token.type == "$END":
        return len(source.text.rstrip())
    assert token.start_pos is not None
    return token.start_pos
