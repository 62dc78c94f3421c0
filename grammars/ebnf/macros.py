r"""The macros of xgrammar's EBNF: free text with tags that start rules, single tokens, regexes, parts of a text.

`TagDispatch` reads free text up to the first tag in it, then the tag's rule, then free text again. Tags and excluded
texts must not contain each other: no document says which of two such tags would count.

`Regex("...")` takes one regex, matched in full. `.` is any character and `\d \w \s` are ASCII only, as in xgrammar.
Everything else is as in Python's `re`. Assertions hold, and see the text of this regex alone. `Substring("...", ...)`
is any run of strings that are adjacent in its list, also the empty run.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ..errors import InvalidRegexError
from ..regex.algebra import Language
from ..regex.assertions import Piece
from ..regex.free_text import free_text, free_text_before
from ..rules.expressions import RuleRef, Sequence, Terminal
from .languages import ASSERTION_NOTE, closed
from .literals import tokens_by_id
from .source import GrammarSource, Lexeme, ParseNode
from .substrings import substrings
from .syntax import Node, choice, repeat, sequence

_ReadText = Callable[[Lexeme], str]
Argument = Lexeme | ParseNode

_DISPATCHES = {"TagDispatch": "STRING", "TokenTagDispatch": "INTEGER"}
_BOOLEANS = {"true": True, "false": False}
_FLAGS = "as"
_OWN_FLAGS = re.compile(r"\(\?([imx]+)\)")  # the flags that a regex may begin with
MACROS = (*_DISPATCHES, "Token", "ExcludeToken", "Regex", "Substring")


@dataclass
class _Dispatch:
    """The arguments of a dispatch.

    tags: tags with their rules.
    is_loop: True if it goes on after a tag's rule.
    excludes: texts or tokens that must not occur.
    """

    tags: list[tuple[Lexeme, RuleRef]] = field(default_factory=list)
    is_loop: bool = True
    excludes: list[Lexeme] = field(default_factory=list)


def macro(
    source: GrammarSource, name: Lexeme, arguments: list[Argument], read_text: _ReadText, notes: list[str]
) -> Node:
    """Return the node of a macro. Raises InvalidGrammarError.

    notes: receives hints about syntax that other readers understand differently.
    """
    if name.value == "Regex":
        read = _regex(source, name, _strings(source, name, arguments, read_text))
        notes += [] if isinstance(read, Language) or ASSERTION_NOTE in notes else [ASSERTION_NOTE]
        return Terminal(closed(read))
    if name.value == "Substring":
        return Terminal(substrings(_strings(source, name, arguments, read_text)))
    if name.value not in _DISPATCHES:
        ids = [_integer(source, name, argument) for argument in arguments]
        if not ids:
            raise source.error(f"{name} needs at least one token id", name.start_pos)
        return tokens_by_id(source, ids, name.start_pos, is_negated=name.value == "ExcludeToken")
    dispatch = _read_dispatch(source, name, arguments)
    if name.value == "TokenTagDispatch":
        return _token_dispatch(source, name, dispatch)
    return _text_dispatch(source, name, dispatch, read_text)


def _strings(source: GrammarSource, name: Lexeme, arguments: list[Argument], read_text: _ReadText) -> list[str]:
    for argument in arguments:
        if not (isinstance(argument, Lexeme) and argument.type == "STRING"):
            raise source.error(f"{name} takes strings", _first([argument], name))
    return [read_text(argument) for argument in arguments if isinstance(argument, Lexeme)]


def _regex(source: GrammarSource, name: Lexeme, patterns: list[str]) -> Piece:
    from ..regex.python_re import piece

    if len(patterns) != 1:
        raise source.error("Regex takes one string", name.start_pos)
    flags, pattern = _OWN_FLAGS.match(patterns[0]), patterns[0]
    if flags is not None:
        pattern = pattern[flags.end() :]
    try:
        return piece(f"(?{_FLAGS}{flags[1] if flags else ''}){pattern}")
    except InvalidRegexError as error:
        raise source.error(f"in the regex: {error.reason}", name.start_pos) from None


def _text_dispatch(source: GrammarSource, name: Lexeme, dispatch: _Dispatch, read_text: _ReadText) -> Node:
    tokens = [tag for tag, _ in dispatch.tags] + dispatch.excludes
    texts = [_literal(source, token, read_text(token)) for token in tokens]
    for index, text in enumerate(texts):
        others = [other for place, other in enumerate(texts) if place != index and text in other]
        if others:
            reason = f"{text!r} is a part of {others[0]!r}; tags and excluded texts must not contain each other"
            raise source.error(reason, tokens[index].start_pos)
    branches: list[Node] = []
    for (_, rule), text in zip(dispatch.tags, texts, strict=False):
        branches.append(Sequence((Terminal(free_text_before(text, texts)), rule)))
    rest = Terminal(free_text(texts))
    if not branches:
        return rest
    if dispatch.is_loop:
        return sequence([repeat(choice(branches), 0, None), rest])
    return choice([*branches, rest])


def _token_dispatch(source: GrammarSource, name: Lexeme, dispatch: _Dispatch) -> Node:
    triggers = [_integer(source, name, tag) for tag, _ in dispatch.tags]
    excluded = [_integer(source, name, token) for token in dispatch.excludes]
    free = tokens_by_id(source, [*triggers, *excluded], name.start_pos, is_negated=True)
    branches: list[Node] = []
    for ids, (tag, rule) in zip(triggers, dispatch.tags, strict=True):
        if ids in excluded or triggers.count(ids) > 1:
            raise source.error(f"token {tag} is named twice", tag.start_pos)
        trigger = tokens_by_id(source, [ids], tag.start_pos)
        branches.append(Sequence((trigger, rule)))
    if dispatch.is_loop:
        return repeat(choice([free, *branches]), 0, None)
    ended = [repeat(choice(branches), 0, 1)] if branches else []
    return sequence([repeat(free, 0, None), *ended])


def _read_dispatch(source: GrammarSource, name: Lexeme, arguments: list[Argument]) -> _Dispatch:
    kind, dispatch = _DISPATCHES[name.value], _Dispatch()
    expected = (
        f"{name} takes pairs ({'string' if kind == 'STRING' else 'token id'}, rule), loop_after_dispatch=, excludes="
    )
    for argument in arguments:
        if isinstance(argument, Lexeme):
            raise source.error(expected, argument.start_pos)
        parts = argument.children
        if argument.data == "tuple":
            match parts:
                case [Lexeme(type=tag_kind) as tag, Lexeme(type="NAME") as rule] if tag_kind == kind:
                    dispatch.tags.append((tag, RuleRef(rule.value, rule.start_pos)))
                case _:
                    raise source.error(expected, _first(parts, name))
        else:
            _read_named(source, name, dispatch, parts, expected)
    return dispatch


def _read_named(source: GrammarSource, name: Lexeme, dispatch: _Dispatch, parts: list[Argument], expected: str) -> None:
    kind = _DISPATCHES[name.value]
    match parts:
        case [Lexeme(value="loop_after_dispatch"), Lexeme(value="true" | "false") as value]:
            dispatch.is_loop = _BOOLEANS[value.value]
        case [Lexeme(value="excludes"), value] if not isinstance(value, Lexeme) and value.data == "tuple":
            for item in value.children:
                if not (isinstance(item, Lexeme) and item.type == kind):
                    raise source.error(expected, _first(value.children, name))
                dispatch.excludes.append(item)
        case _:
            raise source.error(expected, _first(parts, name))


def _first(parts: list[Argument], name: Lexeme) -> int:
    return parts[0].start_pos if parts and isinstance(parts[0], Lexeme) else name.start_pos


def _integer(source: GrammarSource, name: Lexeme, argument: Argument) -> range:
    if isinstance(argument, Lexeme) and argument.type == "INTEGER" and len(argument.value) < 20:
        return range(int(argument.value), int(argument.value) + 1)
    where = argument if isinstance(argument, Lexeme) else name
    raise source.error(f"{name} takes token ids", where.start_pos)


def _literal(source: GrammarSource, token: Lexeme, text: str) -> str:
    if not text:
        raise source.error("a tag is not the empty text", token.start_pos)
    return text
