"""`DialectParser`: the parser of a dialect's syntax. lark makes the LALR tables, and a kernel follows them.

No tree is built: the result of a syntax rule is made by the method of the rule's name, or is a `ParseNode`. Errors name
the expected parts in a reader's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from lark import Lark
from lark.grammar import Rule
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from ..watch import MANY_ITEMS, checkpoint, paced
from .parsing import MADE, MAY_VANISH, SPREAD, parse_kinds
from .scanner import Scanner
from .source import GrammarSource, Lexeme, ParseNode, shortened

_MAX_EXPECTED = 6
_END = "$END"
_START = "start"

Builder = Callable[[list[Any]], Any]
"""Takes the results of a syntax rule's parts, except those whose names begin with `_`; returns the rule's result."""


class _NoLexer(Lexer):
    """A stand-in for a lexer: only lark's tables are used."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        """Required by lark's `Lexer`; the parser does not call it."""
        raise AssertionError


@dataclass(frozen=True, slots=True)
class _Reduction:
    """The action after the `size` parts of a rule have been read.

    origin: name of the result.
    shape: SPREAD, MADE or MAY_VANISH.
    name: name of the method or the `ParseNode`.
    """

    size: int
    origin: str
    shape: int
    name: str


class DialectParser:
    """The syntax of one dialect.

    grammar: the syntax in lark's notation, with the start "start"; its terminals are kinds of lexemes. Names with `_`
        are as in lark: such terminals are dropped, such rules are inlined.
    words: kind of lexeme -> its name in messages.
    """

    def __init__(self, grammar: str, words: Mapping[str, str]) -> None:
        self._words = {**words, _END: "the end"}
        lark = Lark(f"{grammar}\n%declare {' '.join(words)}", parser="lalr", lexer=_NoLexer, maybe_placeholders=False)
        table = lark.parse_interactive("").parser_state.parse_conf.parse_table
        self._first, self._last = table.start_states[_START], table.end_states[_START]
        rules = dict.fromkeys(
            [rule for actions in table.states.values() for action, rule in actions.values() if action is not Shift]
        )
        self._reductions = [_reduction(rule) for rule in rules]
        numbers = {rule: number for number, rule in enumerate(rules)}
        names = [str(name) for actions in table.states.values() for name in actions]
        self._columns = {name: column for column, name in enumerate(dict.fromkeys([*names, *self._words, _END]))}
        self._moves = np.zeros((len(table.states), len(self._columns)), dtype=np.int32)
        for state, actions in table.states.items():
            for name, (action, argument) in actions.items():
                move = argument + 1 if action is Shift else -numbers[argument] - 1
                self._moves[state, self._columns[str(name)]] = move
        self._kept = np.array([not name.startswith("_") for name in self._columns], dtype=np.uint8)
        self._sizes = np.array([one.size for one in self._reductions], dtype=np.int32)
        self._origins = np.array([self._columns[one.origin] for one in self._reductions], dtype=np.int32)
        self._shapes = np.array([one.shape for one in self._reductions], dtype=np.int32)

    def parse(self, source: GrammarSource, lexemes: list[Lexeme], builders: object) -> Any:
        """Parse lexemes with the methods of `builders`, and return the result. Raises InvalidGrammarError."""
        columns = self._columns
        kinds = np.array([*[columns[lexeme[0]] for lexeme in paced(lexemes)], columns[_END]], dtype=np.int32)
        room, num_written = 4 * len(kinds) + 64, -1
        while num_written < 0:
            states, counts, out = (np.empty(room, dtype=np.int32) for _ in range(3))
            num_written, num_read, depth = parse_kinds(
                kinds,
                self._moves,
                self._sizes,
                self._origins,
                self._shapes,
                self._kept,
                self._first,
                self._last,
                states,
                counts,
                out,
            )
            room *= 2
        values, operations = list[Any](), iter(out[:num_written].tolist())
        make = [getattr(builders, one.name, None) or _branch(one.name) for one in self._reductions]
        for number, operation in enumerate(operations):
            if not number % MANY_ITEMS:
                checkpoint()
            if operation >= 0:
                values.append(lexemes[operation])
            else:
                first = len(values) - next(operations)
                values[first:] = [make[~operation](values[first:])]
        if num_read < len(kinds):
            text = source.text[: source.end]
            end = Lexeme(_END, "", len(text.rstrip()), len(text))
            lexeme = [*lexemes, end][num_read]
            raise source.error(self._reason(states[:depth].tolist(), lexeme), lexeme.start_pos)
        return values[-1]

    def _reason(self, states: list[int], lexeme: Lexeme) -> str:
        kinds = [kind for kind in self._columns if self._is_taken(states, kind)]
        expected = sorted({self._words.get(kind, kind) for kind in kinds})
        shown = ", ".join(expected[:_MAX_EXPECTED]) + (", ..." if len(expected) > _MAX_EXPECTED else "")
        if lexeme.type == _END:
            return f"the grammar ends where {shown} was expected"
        return f"unexpected {_shown(lexeme)}; expected {shown}"

    def _is_taken(self, states: list[int], kind: str) -> bool:
        """Return True if a kind of lexeme can follow."""
        if not (kind == _END or kind.lstrip("_").isupper()):
            return False
        states = states.copy()
        column = self._columns[kind]
        move = int(self._moves[states[-1], column])
        while move < 0:
            reduction = self._reductions[-move - 1]
            del states[len(states) - reduction.size :]
            states.append(int(self._moves[states[-1], self._columns[reduction.origin]]) - 1)
            move = int(self._moves[states[-1], column])
        return move > 0 or (kind == _END and states[-1] == self._last)


@cache
def dialect_parser(grammar: str, scanner: Scanner) -> DialectParser:
    """Return the parser of a dialect's syntax over its lexemes, made on first use."""
    return DialectParser(grammar, scanner.words)


def _reduction(rule: Rule) -> _Reduction:
    """Return the action of lark's rule."""
    origin = str(rule.origin.name)
    shape = MAY_VANISH if rule.options.expand1 and rule.alias is None else MADE
    return _Reduction(
        len(rule.expansion), origin, SPREAD if origin.startswith("_") else shape, str(rule.alias or origin)
    )


def _branch(name: str) -> Builder:
    return lambda parts: ParseNode(name, parts)


def _shown(lexeme: Lexeme) -> str:
    return "end of line" if lexeme.value.startswith(("\n", "\r")) else shortened(lexeme.value)
