"""`all_of` with Python types, in sampling parameters, over HTTP and on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from pydantic import BaseModel

import guided
from guided.cli.grammar_options import read_grammar
from guided.grammars import all_of
from guided.grammars.errors import GrammarInputError, InvalidInputError
from guided.requests.grammars import RequestGrammars
from guided.server.protocol.constraints import ConstraintFields, read_constraint
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary

VOCABULARY = byte_vocabulary()


class City(BaseModel):
    name: str


def test_python_types_in_a_combination() -> None:
    grammar = guided.compile_grammar(VOCABULARY, **all_of({"json_schema": City}, banned_substrings=["x"]))
    matcher = grammar.matcher()
    assert accept_bytes(matcher, b'{"name": "Oslo"}')
    assert matcher.is_accepting()
    assert not accept_bytes(grammar.matcher(), b'{"name": "x')


def test_what_is_no_list_is_refused() -> None:
    with pytest.raises(GrammarInputError, match="give a list of grammars"):
        guided.compile_grammar(VOCABULARY, all_of={"regex": "a"})  # type: ignore[arg-type]
    with pytest.raises(GrammarInputError, match=r"all_of\[0\] is a str"):
        guided.compile_grammar(VOCABULARY, all_of=["a"])  # type: ignore[list-item]


def test_requests_have_the_whitespace_of_the_model() -> None:
    params = guided.SamplingParams(**all_of(all_of({"json_schema": City}), banned_substrings=["x"]))
    assert params.constraint == "all_of"
    grammar = RequestGrammars(VOCABULARY, None, "compact").get(params)
    assert grammar is not None
    assert accept_bytes(grammar.matcher(), b'{"name":"Oslo"}')
    assert not accept_bytes(grammar.matcher(), b'{"name": ')


def test_field_of_a_request() -> None:
    parts = [{"regex": "a+"}, {"banned_substrings": ["aaa"]}]
    constraint = read_constraint(ConstraintFields.model_validate({"all_of": parts}))
    assert constraint is not None
    assert constraint.arguments == {"all_of": parts}


def test_file_of_the_commands(tmp_path: Path) -> None:
    parts = [{"regex": "a+"}, {"banned_substrings": ["aaa"]}]
    path = tmp_path / "both.json"
    path.write_text(json.dumps(parts), encoding="utf-8")
    options = dict.fromkeys(("schema", "regex", "choice", "choices", "ebnf", "dialect", "structural_tag", "library"))
    assert read_grammar(**options, all_of=path) == {"all_of": parts}
    path.write_text("[", encoding="utf-8")
    with pytest.raises(InvalidInputError, match="is no JSON"):
        read_grammar(**options, all_of=path)
