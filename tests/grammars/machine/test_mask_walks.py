"""Masks whose walk meets the same tokens twice: strings of words beside a base, in tokens that end several of them."""

from __future__ import annotations

from guided.grammars.compile import compile_grammar
from guided.grammars.limits import Limits
from guided.grammars.native.text_matcher import TextMatcher
from guided.grammars.regex import algebra as lang
from guided.grammars.vocabulary import Vocabulary
from tests.grammars.machine.documents import Array, Object, Root, Value, boolean, string, strings
from tests.grammars.machine.machine import Machine
from tests.grammars.machine.rules.brute_force import tried_mask
from tests.grammars.vocabularies import BYTES, accepted_ids, mask_of

ALLOWED = lang.words(["a", "ab"])
OTHERS = lang.difference(lang.complement(ALLOWED), lang.text("no"))
WORDS_AND_OTHERS = strings((ALLOWED, 0), (OTHERS, 1))


def _vocabulary(*starts: bytes) -> Vocabulary:
    """All bytes, and after each of the starts so many texts that the nodes there are no small ones."""
    more = [b'a"', b'ab"', b'no"', b'x"', b'a"]', b'ab"}', b'a":', b'ab":[', b'b":true', b'ab","', b'a"]y', b'no"]y']
    more += [bytes([byte]) for byte in b"abcdefghijklmnopqrstuvwxyz"]
    tokens = sorted({start + rest for start in starts for rest in more} | set(starts))
    return Vocabulary([*BYTES, *tokens, None], [len(BYTES) + len(tokens)])


def _matcher(value: Value, vocabulary: Vocabulary, text: bytes) -> TextMatcher:
    matcher = Machine(Root(value), vocabulary, "compact", Limits()).matcher()
    assert all(matcher.accept_token(byte) for byte in text)
    return matcher


def test_a_correction_clears_what_those_behind_the_base_allowed() -> None:
    """`no` is excluded. The base, any string, goes past it to the next string, which has words of its own."""
    vocabulary = _vocabulary(b'no","', b'xx","', b'no","no","', b'no","xx","', b'ab","no","')
    matcher = _matcher(Array(WORDS_AND_OTHERS), vocabulary, b'["')
    allowed = mask_of(matcher, vocabulary)
    assert allowed == accepted_ids(matcher, vocabulary)
    texts = [token for token_id in allowed if (token := vocabulary.tokens[token_id]) and len(token) > 1]
    assert b'xx","ab"' in texts
    assert not any(b'no"' in token for token in texts)


def test_also_behind_values_and_keys() -> None:
    vocabulary = _vocabulary(b'no","', b'xx","', b'no","x":"', b'xx","x":"')
    value = Object([("k", WORDS_AND_OTHERS, True), ("a", boolean(), False)], extra=WORDS_AND_OTHERS)
    matcher = _matcher(value, vocabulary, b'{"k":"')
    allowed = mask_of(matcher, vocabulary)
    assert allowed == accepted_ids(matcher, vocabulary)
    assert not any((vocabulary.tokens[token_id] or b"").startswith(b'no"') for token_id in allowed)


def test_also_where_a_grammar_goes_on_after_the_document() -> None:
    """A document that ends behind an excluded word has not ended: nothing comes after it."""
    vocabulary = _vocabulary(b'no","', b'xx","')
    schema = '{"type": "array", "items": {"type": "string", "not": {"const": "no"}}, "contains": {"enum": ["a", "ab"]}}'
    matcher = compile_grammar(vocabulary, ebnf=f'start: %json {schema} "y"', dialect="lark", cache=None).matcher()
    assert all(matcher.accept_token(byte) for byte in b'["')
    allowed = mask_of(matcher, vocabulary)
    assert allowed == tried_mask(matcher, vocabulary)
    texts = {vocabulary.tokens[token_id] for token_id in allowed}
    assert b'xx","a"]y' in texts
    assert not texts & {b'xx","no"]y', b'no","a"]y'}


def test_tokens_are_to_be_tried_once_and_only_where_they_can_come() -> None:
    """The base lists the tokens with two captures; a correction forgets them, and lists those that its words allow."""
    unique = Array(string(), unique=True)
    vocabulary = _vocabulary(b'a":["x","', b'c":["x","')
    value = Object([("a", unique, False), ("b", boolean(), False)], extra=unique)
    for text, starts in ((b'{"', (b"a", b"c")), (b'{"b":true,"', (b"c",))):
        matcher = _matcher(value, vocabulary, text)
        assert mask_of(matcher, vocabulary) == accepted_ids(matcher, vocabulary)
        tried = [vocabulary.tokens[token_id] or b"" for token_id in _to_be_tried(matcher)]
        assert len(tried) == len(set(tried)), text
        assert {token[:1] for token in tried} == set(starts), text


def test_one_byte_that_ends_two_captures() -> None:
    """The bracket ends the number, on which the end of the inner array depends, and the inner array."""
    inner = {"type": "array", "items": {"type": "integer"}, "not": {"uniqueItems": True}}
    tokens = [b"2]", b"2]]", b"1]", b"1]]", b"2],[", b"1],[1,1]]", b"[1,2]", b"[1,1]"]
    vocabulary = Vocabulary([*BYTES, *tokens, None], [len(BYTES) + len(tokens)])
    for unique in (False, True):
        schema = {"type": "array", "uniqueItems": unique, "items": inner}
        grammar = compile_grammar(vocabulary, json_schema=schema, whitespace="compact", cache=None)
        for text in (b"[", b"[[1,", b"[[1,1],", b"[[2,2],[2,", b"[[1,2,1],[1,2,"):
            matcher = grammar.matcher()
            assert all(matcher.accept_token(byte) for byte in text)
            assert mask_of(matcher, vocabulary) == accepted_ids(matcher, vocabulary), (unique, text)


def _to_be_tried(matcher: TextMatcher) -> tuple[int, ...]:
    (tokens,) = matcher._automaton.verify.values()
    return tokens


def test_numbers_that_are_whole_documents_end_inside_of_tokens() -> None:
    """The walk drops them, as nothing of the document follows. A grammar that goes on has taken them out before."""
    vocabulary = Vocabulary([*BYTES, b"1y", b"1.5y", b"12", b"12y", b"1e5,", b'"a"y', b"1 y", None], [263])
    for schema, ends in (
        ('{"type": "number"}', [b"1y", b"1.5y", b"12y"]),
        ('{"type": ["integer", "string"]}', [b"1y", b"12y", b'"a"y']),
    ):
        grammar = compile_grammar(vocabulary, ebnf=f'start: %json {schema} "y"', dialect="lark", cache=None)
        matcher = grammar.matcher()
        for _ in range(2):
            allowed = mask_of(matcher, vocabulary)
            assert allowed == tried_mask(matcher, vocabulary)
            assert {vocabulary.tokens[token_id] for token_id in allowed} >= set(ends)
            assert matcher.accept_token(ord("1"))
            ends = [b"1y", b"12y"]
        plain = compile_grammar(vocabulary, json_schema=schema, cache=None).matcher()
        assert plain.accept_token(ord("1"))
        assert mask_of(plain, vocabulary) == tried_mask(plain, vocabulary)
