"""Structural tags on the native machine, over tokens that reach over the edges of triggers, and special tokens."""

from __future__ import annotations

import random
from typing import Any

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidStructuralTagError
from guided.grammars.limits import Limits
from guided.grammars.structural_tags import read_structural_tag
from guided.grammars.vocabulary import Vocabulary
from tests.cases.grammar_cases import ANY, F1, F2, PERSON, G, const, tag, triggered
from tests.grammars.structural_tags.recogniser import Recogniser
from tests.grammars.vocabularies import BYTES, accepted_ids, mask_of

WORDS = (
    b"a<",
    b"<f",
    b"<f=",
    b"<f=1",
    b"=1>x",
    b"x</f>",
    b"f>a<f=2",
    b"</",
    b"</o>",
    b"</o>\n",
    b'{"a',
    b'":1}',
    b"12}</f>b",
)
CALL, CALL_END = 256 + len(WORDS), 257 + len(WORDS)
END = CALL_END + 1
VOCABULARY = Vocabulary([*BYTES, *WORDS, None, None, None], [END], {"<call>": CALL, "</call>": CALL_END, "<end>": END})

FORMATS: dict[str, dict[str, Any]] = {
    "triggered": triggered(["<f"], F1, F2),
    "at least one": triggered(["<f"], F1, F2, at_least_one=True),
    "exactly one": triggered(["<f"], F1, F2, at_least_one=True, stop_after_first=True),
    "prefixes": triggered(["<f", "<f=", "f"], F1, F2, tag("f>", const("x"), ["</", "</o>"])),
    "in a tag": tag("<o>", triggered(["<f"], F1, excludes=["q"]), ["</o>", "</o>\n"]),
    "schema": triggered(["<f="], tag("<f=1>", {"type": "json_schema", "json_schema": PERSON}, "</f>")),
    "special tokens": triggered(["<call>"], tag("<call>f:", ANY, "</call>")),
    "special trigger after text": triggered(["f<call>"], tag("f<call>", const("x"), ["</call>", "."])),
    "tokens": tag({"type": "token", "token": "<call>"}, {"type": "any_tokens"}, {"type": "token", "token": "</call>"}),
    "free text and tags": {
        "type": "sequence",
        "elements": [G, {**ANY, "max_chars": 3}, {"type": "star", "content": F1}],
    },
}


@pytest.mark.parametrize("name", FORMATS)
def test_walks(name: str) -> None:
    """Masks hold what is accepted, and whatever is written to its end the plain recogniser takes, too."""
    source = {"type": "structural_tag", "format": FORMATS[name]}
    recogniser = Recogniser(read_structural_tag(source, VOCABULARY, Limits()))
    grammar = compile_grammar(VOCABULARY, structural_tag=source)
    for seed in range(12):
        rng, matcher = random.Random(seed), grammar.matcher()
        token_ids: list[int] = []
        for _ in range(25):
            allowed = mask_of(matcher, VOCABULARY)
            items = token_ids if name == "tokens" else as_items(token_ids)
            if seed < 2:
                assert allowed == accepted_ids(matcher, VOCABULARY)
            assert allowed, f"dead end after {token_ids}"
            assert matcher.is_accepting() == (END in allowed) == recogniser.matches(*items)
            telling = [token_id for token_id in allowed if token_id >= 256 and token_id != END] or allowed
            token_id = rng.choice(telling if rng.random() < 0.6 else allowed)
            assert matcher.accept_token(token_id)
            if matcher.is_terminated():
                break
            token_ids.append(token_id)


def as_items(token_ids: list[int]) -> list[str | int]:
    """Text as text, as far as it is whole characters; special tokens as ids; what is left of a character as a token."""
    items: list[str | int] = []
    data = b""
    for token_id in token_ids:
        token = VOCABULARY.tokens[token_id]
        if token is None:
            items += [data.decode(errors="replace"), token_id]
            data = b""
        else:
            data += token
    try:
        return [*items, data.decode()]
    except UnicodeDecodeError:
        return [*items, -1]


def test_json_text_of_both_forms() -> None:
    older = '{"structures": [{"begin": "<f=1>", "schema": {"type": "null"}, "end": "</f>"}], "triggers": ["<f"]}'
    newer = {
        "format": triggered(["<f"], tag("<f=1>", {"type": "json_schema", "json_schema": {"type": "null"}}, "</f>"))
    }
    for source in (older, newer):
        matcher = compile_grammar(VOCABULARY, structural_tag=source).matcher()
        for token in (b"a<", b"f", b"=", b"1", b">", b"n"):
            assert matcher.accept_token(VOCABULARY.tokens.index(token))
        assert matcher.find_jump_forward_bytes() == b"ull</f>"


def test_error_has_its_pointer() -> None:
    with pytest.raises(InvalidStructuralTagError) as raised:
        compile_grammar(VOCABULARY, structural_tag={"format": triggered(["<g"], F1)})
    assert raised.value.pointer == "/format/tags/0/begin"
