"""`DialectParser`: the syntax of a dialect, whose LALR tables lark makes and which are followed here.

What a rule of the syntax stands for is made as soon as the rule was read, without a tree in between: by the method of
its name, or else as a `Branch`. Errors say what was expected in a reader's words.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lark import Lark
from lark.grammar import NonTerminal, Rule, Terminal
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

from ..watch import checkpoint
from .lexeme import Branch, Lexeme
from .source import GrammarSource, shortened

_MAX_EXPECTED = 6
_END = "$END"
_START = "start"

Builder = Callable[[list[Any]], Any]
"""Makes what a rule stands for of what was found for its parts, without those whose names begin with `_`."""


class _NoLexer(Lexer):
    """What lark is given for a lexer: only its tables are used."""

    def __init__(self, lexer_conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        """Never asked for anything."""
        raise AssertionError


_SAME, _LIST, _MORE, _OTHER = range(4)
"""What a rule makes: the same as its only part; a list with its only part; its first part, a list, with the second
added; anything else."""


@dataclass(frozen=True, slots=True)
class _Reduction:
    """What is done when the `size` parts of a rule have been read.

    origin: the name of what they make. shape: _SAME, _LIST, _MORE or _OTHER. kept: the parts that count; spread: those
    of them that are lists of parts. name: of the method or the Branch; None: a list of the parts. may_vanish: a single
    part stands for the whole.
    """

    size: int
    origin: str
    shape: int
    kept: tuple[int, ...]
    spread: frozenset[int]
    name: str | None
    may_vanish: bool


class DialectParser:
    """The syntax of one dialect.

    grammar: in lark's own notation, its start "start"; every terminal is declared, as the scanner makes them. Names
    with `_` are as in lark: such terminals are left out, such rules are put in the place of what names them.
    words: kind of lexeme -> what to call it in messages.
    """

    def __init__(self, grammar: str, words: Mapping[str, str]) -> None:
        self._words = dict(words)
        lark = Lark(grammar, parser="lalr", lexer=_NoLexer, maybe_placeholders=False)
        table = lark.parse_interactive("").parser_state.parse_conf.parse_table
        self._first, self._last = table.start_states[_START], table.end_states[_START]
        self._reductions: list[_Reduction] = []
        numbers: dict[Rule, int] = {}
        self._moves: list[dict[str, int]] = [{} for _ in table.states]
        for state, actions in table.states.items():
            for name, (action, argument) in actions.items():
                if action is not Shift and argument not in numbers:
                    numbers[argument] = len(self._reductions)
                    self._reductions.append(_reduction(argument))
                self._moves[state][str(name)] = argument if action is Shift else ~numbers[argument]
        self._steps = [(one.size, one.origin, one.shape) for one in self._reductions]

    def parse(self, source: GrammarSource, lexemes: list[Lexeme], builders: object) -> Any:
        """What the lexemes stand for. builders: its methods make it. Raises InvalidGrammarError."""
        build = self._builders(builders)
        moves, reductions = self._moves, self._steps
        states, values = [self._first], list[Any]()
        state = self._first
        end = Lexeme(_END, "", len(source.text.rstrip()), len(source.text))
        for lexeme in (*lexemes, end):
            kind = lexeme[0]
            move = moves[state].get(kind)
            while move is None or move < 0:
                if move is None:
                    if kind == _END and state == self._last:
                        return values[-1]
                    raise source.error(self._reason(states, lexeme), lexeme.start_pos)
                size, origin, shape = reductions[~move]
                if shape == _MORE:
                    values[-2].append(values.pop())
                    del states[-2:]
                elif shape == _OTHER:
                    first = len(values) - size
                    values[first:] = [_reduced(self._reductions[~move], values[first:], build[~move])]
                    del states[first + 1 :]
                else:
                    if shape == _LIST:
                        values[-1] = [values[-1]]
                    states.pop()
                state = moves[states[-1]][origin]
                states.append(state)
                move = moves[state].get(kind)
            state = move
            states.append(move)
            values.append(lexeme)
        raise AssertionError("the end was shifted")

    def _builders(self, builders: object) -> list[Builder | None]:
        """The method of each reduction; None: it makes a Branch, or a list."""
        checkpoint()
        return [None if one.name is None else getattr(builders, one.name, None) for one in self._reductions]

    def _reason(self, states: list[int], lexeme: Lexeme) -> str:
        kinds = [kind for kind in self._moves[states[-1]] if self._is_taken(states, kind)]
        expected = sorted({self._words.get(kind, kind) for kind in kinds})
        shown = ", ".join(expected[:_MAX_EXPECTED]) + (", ..." if len(expected) > _MAX_EXPECTED else "")
        if lexeme.type == _END:
            return f"the grammar ends where {shown} was expected"
        return f"unexpected {_shown(lexeme)}; expected {shown}"

    def _is_taken(self, states: list[int], kind: str) -> bool:
        """True if a kind of lexeme can follow."""
        if not (kind == _END or kind.lstrip("_").isupper()):
            return False
        states = states.copy()
        move = self._moves[states[-1]].get(kind)
        while move is not None and move < 0:
            reduction = self._reductions[~move]
            del states[len(states) - reduction.size :]
            states.append(self._moves[states[-1]][reduction.origin])
            move = self._moves[states[-1]].get(kind)
        return move is not None or (kind == _END and states[-1] == self._last)


def _reduction(rule: Rule) -> _Reduction:
    """What lark's rule asks for."""
    origin, parts = str(rule.origin.name), rule.expansion
    kept = tuple([place for place, part in enumerate(parts) if not (isinstance(part, Terminal) and part.filter_out)])
    spread = frozenset([place for place in kept if isinstance(parts[place], NonTerminal) and _is_spread(parts[place])])
    name = None if origin.startswith("_") else rule.alias or origin
    may_vanish = rule.options.expand1 and rule.alias is None
    shape = _OTHER
    if len(parts) == len(kept) == 1:
        if bool(spread) if name is None else may_vanish and not spread:
            shape = _SAME
        elif name is None:
            shape = _LIST
    elif len(parts) == len(kept) == 2 and name is None and spread == {0}:
        shape = _MORE
    return _Reduction(len(parts), origin, shape, kept, spread, name, may_vanish)


def _is_spread(part: Any) -> bool:
    return str(part.name).startswith("_")


def _reduced(reduction: _Reduction, values: list[Any], build: Builder | None) -> Any:
    """What the parts of a rule make."""
    parts: list[Any] = []
    for place in reduction.kept:
        if place not in reduction.spread:
            parts.append(values[place])
        elif parts:
            parts.extend(values[place])
        else:
            parts = values[place]
    if reduction.may_vanish and len(parts) == 1:
        return parts[0]
    if build is not None:
        return build(parts)
    return parts if reduction.name is None else Branch(reduction.name, parts)


def _shown(lexeme: Lexeme) -> str:
    return "end of line" if lexeme.value.startswith(("\n", "\r")) else shortened(lexeme.value)
