"""The ready grammars: their tables, and what others who know their texts say."""

from __future__ import annotations

import ast
import datetime
import json
import random
import re

import pytest

from guided.grammars import library
from guided.grammars.ebnf import read_ebnf
from guided.grammars.errors import InvalidInputError
from guided.grammars.limits import Limits
from guided.grammars.rules.expressions import RuleGraph
from guided.grammars.structural_tags import read_structural_tag
from tests.cases.library_cases import LIBRARY_CASES
from tests.grammars.vocabularies import byte_vocabulary

from .recogniser import accepts
from .sentences import SentenceGenerator, mutated
from .test_lark_agreement import lark_accepts, lark_parser

NUM_SENTENCES = 40
MAX_CHARS = 45  # lark's Earley parser needs about a second for ten such texts of the larger grammars

IN_LARK = {
    "chess_moves": r"""
        start: full (" " full)* (" " half)? (" " RESULT)? | half (" " RESULT)?
        full: half " " move
        half: /[1-9][0-9]{0,2}/ ". " move
        move: (pawn | piece | king | "O-O" "-O"?) /[+#]/?
        piece: /[QRBN]/ /[a-h]/? /[1-8]/? "x"? square
        king: "K" "x"? square
        square: /[a-h][1-8]/
        pawn: (/[a-h]/ | takes) (/[2-7]/ | /[18]/ "=" /[QRBN]/)
        takes: /axb|bx[ac]|cx[bd]|dx[ce]|ex[df]|fx[eg]|gx[fh]|hxg/
        RESULT: "1-0" | "0-1" | "1/2-1/2"
        """,
    "markdown_table": r"""
        start: columns (LF row)* LF?
        columns: "|" cell columns delimiter "|" | "|" cell "|" LF "|" delimiter "|"
        row: "|" (cell "|")+
        cell: " " [EDGE [(EDGE | " ")* EDGE]] " "
        EDGE: /[^\\|\n\r ]|\\[^\n\r ]/
        delimiter: " " /:?---+:?/ " "
        %import common.LF
        """,
}
"""The ready grammars that are not in lark's notation, translated by hand."""


def graph_of(name: str) -> RuleGraph:
    """The rules of a ready grammar."""
    grammar = library.get(name)
    if grammar.kind == "structural_tag":
        return read_structural_tag(grammar.source, byte_vocabulary(), Limits())
    return read_ebnf(grammar.source, grammar.dialect)


def lark_source(name: str) -> str:
    """A ready grammar in lark's notation."""
    return re.sub("^ +", "", IN_LARK[name], flags=re.MULTILINE) if name in IN_LARK else library.get(name).source


def sentences(name: str, count: int, seed: int = 1, budget: int = 12) -> list[str]:
    """Different random texts of a ready grammar."""
    generator = SentenceGenerator(graph_of(name), random.Random(seed))
    return list(dict.fromkeys([generator.sentence(budget) for _ in range(count)]))


def test_every_grammar_has_a_table() -> None:
    assert library.names() == tuple(sorted(LIBRARY_CASES))
    for name in library.names():
        grammar = library.get(name)
        assert grammar.description
        assert grammar.arguments[grammar.kind] == grammar.source
        assert grammar.arguments.get("dialect") == grammar.dialect


def test_unknown_name() -> None:
    with pytest.raises(InvalidInputError, match="there is no ready grammar 'jsn'; there are arithmetic, chess_moves"):
        library.get("jsn")


@pytest.mark.parametrize("name", LIBRARY_CASES)
def test_tables(name: str) -> None:
    graph, case = graph_of(name), LIBRARY_CASES[name]
    assert [text for text in case.accepts if not accepts(graph, text)] == []
    assert [text for text in case.rejects if accepts(graph, text)] == []


@pytest.mark.parametrize("name", [name for name in LIBRARY_CASES if name != "tool_calls"])
def test_agreement_with_lark(name: str) -> None:
    graph, parser, case = graph_of(name), lark_parser(lark_source(name)), LIBRARY_CASES[name]
    rng = random.Random(2)
    known = [text for text in [*case.accepts, *sentences(name, NUM_SENTENCES)] if len(text) <= MAX_CHARS]
    alphabet = "".join(sorted(set("".join(known))))
    varied = [mutated(rng.choice(known), rng, alphabet) for _ in range(NUM_SENTENCES)]
    texts = dict.fromkeys([*known, *varied, *[text for text in case.rejects if len(text) <= MAX_CHARS]])
    assert [text for text in texts if accepts(graph, text) != lark_accepts(parser, text)] == []


@pytest.mark.filterwarnings("ignore::SyntaxWarning")
def test_python_expressions_are_pythons() -> None:
    graph, rng = graph_of("python_expression"), random.Random(4)
    texts = [text for text in sentences("python_expression", 400, budget=30) if len(text) <= 300]
    assert len(texts) > 100
    assert [text for text in texts if not is_python(text)] == []
    short = [text for text in texts if len(text) <= MAX_CHARS]
    varied = [mutated(rng.choice(short), rng, " abx01.,:()[]{}'\"+-*not") for _ in range(150)]
    assert [text for text in varied if accepts(graph, text) and not is_python(text)] == []


def is_python(text: str) -> bool:
    """True if Python reads the text as an expression."""
    try:
        ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        return False
    return True


def test_json_is_what_json_reads() -> None:
    graph, rng = graph_of("json"), random.Random(5)
    known = sentences("json", 100)
    for text in [*known, *[mutated(rng.choice(known), rng, ' {}[]:,"\\019.-+etrufalsn\n') for _ in range(200)]]:
        try:
            json.loads(text, parse_constant=_refuse)
            is_json = True
        except ValueError:
            is_json = False
        assert accepts(graph, text) == is_json, text


def _refuse(name: str) -> None:
    raise ValueError(name)


def test_dates_exist() -> None:
    graph = graph_of("iso_date")
    day = datetime.date(1896, 1, 1)
    while day.year < 1905:
        assert accepts(graph, day.isoformat())
        day += datetime.timedelta(days=1)
    for year in (1900, 1904, 2000, 2100):
        for month in range(14):
            for number in (0, 28, 29, 30, 31, 32):
                text = f"{year}-{month:02}-{number:02}"
                try:
                    datetime.date.fromisoformat(text)
                    exists = True
                except ValueError:
                    exists = False
                assert accepts(graph, text) == exists, text
