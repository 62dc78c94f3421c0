"""Where a text stops to be one of a grammar's: held to a walk byte by byte; what is said to be allowed there is."""

from __future__ import annotations

import random
from typing import Any

import pytest

from guided import compile_grammar
from guided.grammars.errors import InvalidInputError
from guided.workbench.inspection.match import Acceptor, TextMatch, match_text
from guided.workbench.inspection.samples import TextSampler
from tests.cases.ebnf_cases import EBNF_CASES
from tests.cases.grammar_cases import CHOICE_CASES, REGEX_CASES
from tests.cases.json_schema_cases import CASES
from tests.grammars.vocabularies import accept_bytes, byte_vocabulary, vocabulary_of

VOCABULARY = byte_vocabulary()
PERSON = {
    "type": "object",
    "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
    "required": ["name"],
    "additionalProperties": False,
}


def match(text: str, **grammar: Any) -> TextMatch:
    return match_text(compile_grammar(VOCABULARY, **grammar), text)


def test_places() -> None:
    found = match('{\n"name": "Bjö\nrn"}', json_schema=PERSON)
    assert (found.is_accepted, found.is_beginning, found.found) == (False, False, "\n")
    assert (found.num_chars, found.num_bytes, found.line, found.column) == (14, 15, 2, 13)
    assert found.expected.document == "/name"
    assert found.expected.schemas == ("/properties/name",)


def test_accepted_and_beginnings() -> None:
    whole = match('{"name": "a"}', json_schema=PERSON)
    assert (whole.is_accepted, whole.is_beginning, whole.found, whole.expected.may_end) == (True, False, None, True)
    part = match('{"name": "a"', json_schema=PERSON)
    assert (part.is_accepted, part.is_beginning, part.found, part.expected.may_end) == (False, True, None, False)
    empty = match("", regex="a*")
    assert (empty.is_accepted, empty.line, empty.column) == (True, 1, 1)


def test_a_character_is_refused_whole() -> None:
    """`ö` and `ô` begin with the same byte: the place is before the character, not inside of it."""
    found = match("xô", regex="x[öa]")
    assert (found.num_bytes, found.num_chars, found.column, found.found) == (1, 1, 2, "ô")
    assert "a" in found.expected.examples


def test_special_tokens_by_name() -> None:
    vocabulary = byte_vocabulary()
    vocabulary = type(vocabulary)(vocabulary.tokens, vocabulary.eos_token_ids, {"<call>": len(vocabulary.tokens) - 2})
    grammar = compile_grammar(vocabulary, ebnf='start: <call> "a"', dialect="lark")
    acceptor = Acceptor(grammar)
    assert acceptor.allows(b"<call>a")
    assert acceptor.match(b"<call>b").num_bytes == len(b"<call>")
    assert acceptor.match(b"").expected.text == "the token <call>"


def test_a_vocabulary_without_the_byte() -> None:
    grammar = compile_grammar(vocabulary_of(b"ab", b"c"), regex="(ab|c)*")
    with pytest.raises(InvalidInputError, match="no token for the single byte b'a'"):
        match_text(grammar, "ab")


GRAMMARS: list[dict[str, Any]] = [
    *[case.arguments for case in REGEX_CASES],
    *[{"ebnf": case.grammar, "dialect": case.dialect} for case in EBNF_CASES[::3] if "token" not in case.name],
    *[{"json_schema": case.schema} for case in CASES[::4]],
]


@pytest.mark.parametrize("seed", range(3))
def test_mutated_texts_stop_where_bytes_do(seed: int) -> None:
    """The oracle: the matcher, fed byte by byte. Examples that are named can follow; the character found can't."""
    rng = random.Random(seed)
    num_stopped = 0
    for given in GRAMMARS:
        grammar = compile_grammar(VOCABULARY, **given)
        text = TextSampler(grammar, rng.randrange(1000), 60).draw()
        place = rng.randrange(len(text) + 1)
        text = text[:place] + rng.choice('x0{"é ]日') + text[place + rng.randrange(2) :]
        found = match_text(grammar, text)
        before = text.encode()[: found.num_bytes]
        assert before.decode() == text[: found.num_chars]
        matcher = grammar.matcher()
        assert accept_bytes(matcher, before)
        assert found.is_accepted == (len(before) == len(text.encode()) and matcher.is_accepting())
        if found.found is not None:
            num_stopped += 1
            assert text[found.num_chars] == found.found
            assert not accept_bytes(matcher.fork(), found.found.encode())
        assert all(accept_bytes(matcher.fork(), example.encode()) for example in found.expected.examples)
        assert found.expected.may_end == matcher.is_accepting()
        assert found.expected.text
    assert num_stopped > len(GRAMMARS) / 4


@pytest.mark.parametrize("case", CHOICE_CASES, ids=lambda case: case.name)
def test_choices_are_named(case: Any) -> None:
    found = match_text(compile_grammar(VOCABULARY, choice=case.source), "")
    named = [one.text for one in found.expected.options if one.kind == "text"]
    assert named == [one for one in case.source if one][:50]
