"""What combinations allow and refuse, from what is asked to matchers: tables, errors, dead ends, taking tokens back."""

from __future__ import annotations

import random
from typing import Any

import pytest

from guided.grammars import Limits, all_of, compile_grammar
from guided.grammars.bitset import allocate_bitmask
from guided.grammars.errors import (
    GrammarInputError,
    InvalidRegexError,
    LimitExceededError,
    UnsatisfiableError,
    UnsupportedGrammarError,
    UnsupportedSchemaError,
)
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.vocabulary import Vocabulary
from tests.cases.combination_cases import BRACKETS, CALLS, CASES, NUMBERS, PERSON, SETTING, CombinationCase
from tests.grammars.machine.rules.brute_force import check_walk
from tests.grammars.vocabularies import BYTES, accept_bytes, byte_vocabulary, mask_of, vocabulary_of

VOCABULARY = byte_vocabulary()
SMALL = Vocabulary(
    [*BYTES, b'{"', b'":', b'"}', b"ab", b"))", b"((", b"]]", b"</f", None, None], [264], {"<|call|>": 265}
)
NAMES = [case.name for case in CASES]


def compiled(arguments: dict[str, Any], **options: Any) -> CompiledGrammar:
    """A grammar for the small vocabulary, compiled anew."""
    return compile_grammar(SMALL, **arguments, cache=None, **options)


def fits(grammar: CompiledGrammar, text: str) -> bool:
    """True if a text can be written, byte by byte, and may end there."""
    matcher = grammar.matcher()
    return accept_bytes(matcher, text.encode()) and matcher.is_accepting()


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_table(case: CombinationCase) -> None:
    grammar = compiled(case.arguments)
    assert {text: fits(grammar, text) for text in case.allowed} == dict.fromkeys(case.allowed, True)
    assert {text: fits(grammar, text) for text in case.refused} == dict.fromkeys(case.refused, False)


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_masks_on_random_walks(case: CombinationCase) -> None:
    grammar = compiled(case.arguments)
    rng = random.Random(case.name)
    for _ in range(3):
        check_walk(grammar.matcher(), SMALL, rng, 12, b'}])"<')


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_masks_do_not_depend_on_what_was_built_before(case: CombinationCase) -> None:
    warm = compiled(case.arguments)
    for text in case.allowed + case.refused:
        fits(warm, text)
    for text in case.allowed:
        warm_matcher, cold_matcher = warm.matcher(), compiled(case.arguments).matcher()
        for byte in text.encode():
            assert mask_of(warm_matcher, SMALL) == mask_of(cold_matcher, SMALL)
            assert warm_matcher.accept_token(byte)
            assert cold_matcher.accept_token(byte)


@pytest.mark.parametrize(
    "arguments",
    [
        all_of({"json_schema": PERSON}, banned_substrings=["age"]),
        all_of({"json_schema": {"enum": ["ab", "cab"]}}, banned_substrings=["ab"]),
        all_of({"json_schema": {"type": "array", "items": {"const": "a"}, "minItems": 1}}, banned_substrings=["a"]),
        all_of({"ebnf": BRACKETS}, {"regex": r"\({3}\){2}"}),
        all_of({"structural_tag": NUMBERS}, {"regex": r"(?s)<f>[^1-9]*</f>"}, banned_substrings=["0"]),
        all_of({"regex": "a+"}, {"regex": "b+"}),
        all_of({"regex": "a+"}, banned_substrings=["a"]),
        all_of({"choice": ["ab", "cd"]}, {"regex": "a|c"}),
    ],
)
def test_impossible_combinations(arguments: dict[str, Any]) -> None:
    with pytest.raises(UnsatisfiableError, match=r"no text|without the banned substrings"):
        compiled(arguments)


@pytest.mark.parametrize(
    ("grammars", "banned", "message"),
    [
        ([{"ebnf": 'start: "ab" %json {}'}], ["a"], "this grammar without the banned substrings"),
        ([{"ebnf": 'start: "ab"'}], ["a"], "this grammar without the banned substrings"),
        ([{"regex": "a+"}], ["a"], "this grammar without the banned substrings"),
        ([{"ebnf": 'start: "ab"'}, {"regex": "a"}], [], "all of these grammars at once"),
        ([{"regex": "a+"}, {"regex": "a"}], ["a"], "all of these grammars at once without the banned substrings"),
    ],
)
def test_errors_of_impossible_combinations(grammars: list[dict[str, Any]], banned: list[str], message: str) -> None:
    with pytest.raises(UnsatisfiableError, match=f"^no text belongs to {message}$"):
        compiled(all_of(*grammars, banned_substrings=banned))


def test_a_regex_forces_the_length() -> None:
    """However the text begins, what must still come fits behind it."""
    grammar = compiled(all_of({"ebnf": BRACKETS, "dialect": "gbnf"}, {"regex": "(?s).{40}"}))
    rng = random.Random(4)
    for _ in range(20):
        matcher, text = grammar.matcher(), b""
        while not matcher.is_terminated():
            token_id = rng.choice([token for token in mask_of(matcher, SMALL) if not 127 < token < 256])
            assert matcher.accept_token(token_id)
            text += SMALL.tokens[token_id] or b""
        assert len(text) == 40


def test_a_way_out_must_stay_open() -> None:
    """What is banned is not begun where it could only be completed."""
    grammar = compiled(all_of({"structural_tag": NUMBERS}, banned_substrings=["</f"]))
    assert not fits(grammar, "<f>")
    assert accept_bytes(grammar.matcher(), b"a < b")
    matcher = grammar.matcher()
    assert accept_bytes(matcher, b"<")
    assert not matcher.accept_token(ord("f"))
    grammar = compiled(all_of({"structural_tag": CALLS}, banned_substrings=["</f"]))
    assert accept_bytes(grammar.matcher(), b"a < b")
    assert not accept_bytes(grammar.matcher(), b"a <f")
    keys = {"type": "object", "properties": {"abc": True, "b": True}, "additionalProperties": False}
    grammar = compiled(all_of({"json_schema": keys}, banned_substrings=["bc"]))
    assert fits(grammar, '{"b":1}')
    assert not accept_bytes(grammar.matcher(), b'{"a')


def test_brackets_that_could_not_be_closed() -> None:
    grammar = compiled(all_of({"ebnf": 'root ::= "(" root ")" | "x"'}, banned_substrings=[")))"]))
    assert fits(grammar, "((x))")
    assert not accept_bytes(grammar.matcher(), b"(((")


def test_tokens_that_count_by_their_ids() -> None:
    grammar = compiled(
        all_of({"ebnf": "root ::= [a-z]* <|call|> [a-z]+"}, {"regex": "[ab]{0,3}"}, banned_substrings=["ba"])
    )
    matcher = grammar.matcher()
    assert accept_bytes(matcher, b"a")
    assert 265 in mask_of(matcher, SMALL)
    assert matcher.accept_token(265)
    assert not matcher.is_accepting()
    assert accept_bytes(matcher, b"ab")
    assert matcher.is_accepting()
    assert mask_of(matcher, SMALL) == [264]


def test_rollback_fork_and_reset() -> None:
    matcher = compiled(all_of({"json_schema": PERSON}, banned_substrings=["bad"])).matcher()
    start = mask_of(matcher, SMALL)
    assert accept_bytes(matcher, b'{"name": "ba')
    inside = mask_of(matcher, SMALL)
    twin = matcher.fork()
    assert not matcher.accept_token(ord("d"))
    assert mask_of(matcher, SMALL) == inside
    assert accept_bytes(matcher, b'e", "age": 1}')
    assert matcher.is_accepting()
    assert matcher.accept_token(264)
    assert matcher.is_terminated()
    assert mask_of(matcher, SMALL) == []
    matcher.rollback(1 + len(b'e", "age": 1}'))
    assert mask_of(matcher, SMALL) == inside == mask_of(twin, SMALL)
    matcher.reset()
    assert mask_of(matcher, SMALL) == start
    assert accept_bytes(twin, b'r", ')


def test_jump_forward() -> None:
    matcher = compiled(all_of({"ebnf": BRACKETS}, {"regex": r"\({3}(a|bb)\){3}"})).matcher()
    assert matcher.find_jump_forward_bytes() == b"((("
    assert accept_bytes(matcher, b"(((b")
    assert matcher.find_jump_forward_bytes() == b"b)))"
    enum = {"enum": ["yes", "no", "now"]}
    assert compiled(all_of({"json_schema": enum}, banned_substrings=["no"])).matcher().find_jump_forward_bytes() == (
        b'"yes"'
    )
    matcher = compiled(all_of({"choice": ["yes", "no", "yellow"]}, {"regex": "ye.*"})).matcher()
    assert matcher.find_jump_forward_bytes() == b"ye"


def test_characters_that_the_vocabulary_lacks() -> None:
    vocabulary = vocabulary_of(*[bytes([byte]) for byte in b'"ab\xc3\xa9'])
    grammar = compile_grammar(
        vocabulary, **all_of({"json_schema": {"type": "string", "pattern": "^[acé]+$"}}, banned_substrings=["aa"])
    )
    matcher = grammar.matcher()
    assert matcher.accept_token(0)
    assert mask_of(matcher, vocabulary) == [1, 3]
    assert matcher.accept_token(1)
    assert mask_of(matcher, vocabulary) == [0, 3]
    nested = {"ebnf": 'root ::= "\\"" root "\\"" | [acé]'}
    matcher = compile_grammar(vocabulary, **all_of(nested, {"regex": '"+(c|a|é)"+'}), cache=None).matcher()
    assert matcher.accept_token(0)
    assert mask_of(matcher, vocabulary) == [0, 1, 3]
    with pytest.raises(UnsatisfiableError):
        compile_grammar(vocabulary, **all_of(nested, {"regex": '"*c"*'}), cache=None)


def test_report() -> None:
    grammar = compiled(all_of({"json_schema": PERSON}, banned_substrings=["x", "y"]))
    entries = [(entry.keyword, entry.enforcement) for entry in grammar.report]
    assert ("banned_substrings", "exactly; none of 2 in string values and keys") in entries
    assert any(keyword == "required" for keyword, _ in entries)
    grammar = compiled(all_of({"ebnf": BRACKETS}, {"regex": ".*"}, banned_substrings=["x"]))
    entries = [(entry.keyword, entry.enforcement) for entry in grammar.report]
    matches = "exactly; the whole text matches"
    banned = ("banned_substrings", "exactly; none of 1 in the text")
    assert entries == [banned, ("ebnf", matches), ("regex", matches)]
    assert grammar.num_bytes > 0
    grammar = compiled(all_of({"structural_tag": CALLS}, banned_substrings=["x"]))
    where = "keys, string values and the texts between documents"
    assert grammar.report[0].enforcement == f"exactly; none of 1 in {where}"


def test_a_fresh_automaton_when_one_has_grown() -> None:
    grammar = compiled(all_of({"ebnf": BRACKETS}, {"regex": ".*"}), limits=Limits(max_grammar_bytes=1000))
    assert [fits(grammar, "((x))") for _ in range(2)] == [True, True]


def test_two_that_are_not_regular() -> None:
    with pytest.raises(UnsupportedGrammarError, match=r"all_of\[0\] \(json_schema\) and all_of\[2\] \(ebnf\)"):
        compiled(all_of({"json_schema": PERSON}, {"regex": "a"}, {"ebnf": BRACKETS}))


@pytest.mark.parametrize("documents", [{"json_schema": PERSON}, {"structural_tag": CALLS}, {"ebnf": SETTING}])
@pytest.mark.parametrize("regular", [{"regex": ".*"}, {"choice": ["a"]}])
def test_documents_beside_regexes_and_choices(documents: dict[str, Any], regular: dict[str, Any]) -> None:
    (kind,) = regular
    message = f"all_of can't combine JSON documents with {kind}: put pattern, not or allOf into the schema"
    with pytest.raises(UnsupportedGrammarError, match=message):
        compiled(all_of(documents, regular, banned_substrings=["x"]))


def test_documents_alone() -> None:
    assert fits(compiled(all_of({"json_schema": PERSON})), '{"name": "x", "age": 1}')
    assert fits(compiled(all_of({"structural_tag": CALLS})), 'a <f>{"name": "x", "age": 1}</f>')


@pytest.mark.parametrize("banned", ["f>x", ">{", "</f>\n"])
def test_substrings_that_parts_around_documents_may_spell(banned: str) -> None:
    with pytest.raises(UnsupportedGrammarError, match=r"may spell '.*' together"):
        compiled(all_of({"structural_tag": CALLS}, banned_substrings=["TODO", banned]))


STYLES_WITH_EMPTY_OBJECTS = ["glm_xml", "qwen_xml", "minimax_xml", "deepseek_xml", "kimi_k3_xml"]


@pytest.mark.parametrize("style", STYLES_WITH_EMPTY_OBJECTS)
def test_texts_around_an_empty_object_of_a_style(style: str) -> None:
    """Nothing stands between the texts around an object without members."""
    schema = {"type": "object", "properties": {"s": {"type": "string"}}, "additionalProperties": False}
    content = {"type": "json_schema", "style": style, "json_schema": schema}
    tag = {"begin": "<call>f", "content": content, "end": "</call>"}
    calls = {"structural_tag": {"format": {"type": "triggered_tags", "triggers": ["<"], "tags": [tag]}}}
    assert fits(compiled(calls), "<call>f</call>")
    assert not fits(compiled(all_of(calls, banned_substrings=["TODO"])), "TODO<call>f</call>")
    with pytest.raises(UnsupportedGrammarError, match="may spell 'f</' together"):
        compiled(all_of(calls, banned_substrings=["f</"]))
    texts = [{"type": "const_string", "value": text} for text in ("TO", "DO")]
    parts = {"structural_tag": {"format": {"type": "sequence", "elements": [texts[0], content, texts[1]]}}}
    assert fits(compiled(parts), "TODO")
    with pytest.raises(UnsupportedGrammarError, match="may spell 'TODO' together"):
        compiled(all_of(parts, banned_substrings=["TODO"]))


def test_texts_around_an_empty_string_of_a_style() -> None:
    content = {"type": "json_schema", "style": "qwen_xml", "json_schema": {"type": "string"}}
    tag = {"structural_tag": {"format": {"type": "tag", "begin": "<v>", "content": content, "end": "</v>"}}}
    assert fits(compiled(all_of(tag, banned_substrings=["TODO"])), "<v></v>")
    with pytest.raises(UnsupportedGrammarError, match="may spell '><' together"):
        compiled(all_of(tag, banned_substrings=["><"]))


@pytest.mark.parametrize(("banned", "text"), [("o<f>", 'o <f>{"name":"","age":1}</f>'), ("<f>", "o <")])
def test_substrings_of_a_tag_and_the_text_before_it(banned: str, text: str) -> None:
    """Both are one terminal: a tag that would spell what is banned is not begun."""
    grammar = compiled(all_of({"structural_tag": CALLS}, banned_substrings=[banned]))
    assert fits(grammar, text)
    assert not fits(grammar, 'o<f>{"name":"","age":1}</f>')


def test_tokens_by_id_around_documents() -> None:
    """A token without text changes no text; one with a text may begin what is banned, or go on with it."""
    grammar = compiled(
        all_of({"ebnf": 'start: /a*/ <|call|> %json {"type": "string"} /[ab]*/'}, banned_substrings=["ab"])
    )
    matcher = grammar.matcher()
    assert accept_bytes(matcher, b"a")
    assert matcher.accept_token(265)
    assert accept_bytes(matcher, b'"a"b')
    assert not matcher.fork().accept_token(259)
    assert not accept_bytes(grammar.matcher(), b"b")
    spelled = {"ebnf": 'start: /a*/ <[98]> %json {"type": "string"}', "dialect": "lark"}
    with pytest.raises(UnsupportedGrammarError, match="may spell 'ab' together"):
        compiled(all_of(spelled, banned_substrings=["ab"]))
    grammar = compiled(all_of(spelled, banned_substrings=["sorry", "aa"]))
    assert fits(grammar, 'ab"x"')
    assert not fits(grammar, 'ab"sorry"')
    assert not fits(grammar, 'aab"x"')


def test_single_characters_beside_documents() -> None:
    """Characters in a row are one terminal, which loses the texts with what is banned."""
    characters = 'start: ("a".."z" | " ")* %json {"type": "string"}'
    grammar = compiled(all_of({"ebnf": characters, "dialect": "lark"}, banned_substrings=["cab"]))
    assert fits(grammar, 'ca b"x"')
    assert not fits(grammar, 'a cab"x"')
    assert not fits(grammar, '"cab"')


def test_free_tokens_beside_documents() -> None:
    """Their texts can't be held to banned substrings. Without these, a combination takes them."""
    document = {"type": "json_schema", "json_schema": PERSON}
    tag = {"begin": {"type": "token", "token": "<|call|>"}, "content": document, "end": "x"}
    free = {"type": "token_triggered_tags", "trigger_tokens": ["<|call|>"], "tags": [tag]}
    for content in (free, {"type": "sequence", "elements": [document, {"type": "any_tokens"}]}):
        tokens = {"structural_tag": {"format": content}}
        with pytest.raises(UnsupportedGrammarError, match=r"a set of \d+ tokens; .* use text instead of tokens"):
            compiled(all_of(tokens, banned_substrings=["sorry"]))
        assert compiled(all_of(tokens)).matcher().accept_token(ord(" ")) == (content is free)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ([], "all_of is empty"),
        ({"regex": "a"}, "give a list of grammars"),
        ("a", "give a list of grammars"),
        (["a"], r"all_of\[0\] is a str"),
        ([{"regex": "a", "choice": ["a"]}], r"all_of\[0\]: give exactly one grammar, 2 are given"),
        ([{"regx": "a"}], r"all_of\[0\] has 'regx'"),
        ([{"regex": "a"}, {}], r"all_of\[1\]: give exactly one grammar, 0 are given"),
        ([{"regex": 1}], r"all_of\[0\]: regex is a int"),
        ([{"regex": "a", "whitespace": "compact"}], r"all_of\[0\]: whitespace"),
        ([{"json_schema": {}, "whitespace": 3}], r"all_of\[0\]: whitespace is a int"),
        ([{"json_schema": {}, "resources": []}], r"all_of\[0\]: resources is a list"),
        ([{"banned_substrings": "ab"}], "give a list of strings"),
        ([{"banned_substrings": [1]}], r"banned_substrings\[0\] is a int"),
        ([{"banned_substrings": ["a", ""]}], r"banned_substrings\[1\] is empty"),
        ([{"banned_substrings": ["a"], "regex": "a"}], "beside regex"),
        ([{"all_of": [{"regex": "a"}, 7]}], r"all_of\[0\]\.all_of\[1\] is a int"),
    ],
)
def test_what_can_not_be_read(parts: Any, message: str) -> None:
    with pytest.raises(GrammarInputError, match=message):
        compile_grammar(SMALL, all_of=parts, cache=None)


def test_all_of_checks_its_arguments() -> None:
    with pytest.raises(GrammarInputError, match="give a list of strings"):
        all_of(banned_substrings="ab")
    with pytest.raises(GrammarInputError, match=r"all_of\[1\] is a str"):
        all_of({"regex": "a"}, "b")


def test_errors_of_parts_and_limits() -> None:
    with pytest.raises(InvalidRegexError):
        compiled(all_of({"ebnf": BRACKETS}, {"regex": "(a"}))
    with pytest.raises(UnsupportedSchemaError):
        compiled(all_of({"json_schema": {"type": "string", "pattern": r"(a)\1"}}, banned_substrings=["a"]))
    with pytest.raises(LimitExceededError, match="max_regex_bytes"):
        compiled(all_of(banned_substrings=["abc"]), limits=Limits(max_regex_bytes=2))
    long = all_of({"ebnf": BRACKETS}, {"regex": ".{500,900}"})
    with pytest.raises(LimitExceededError, match="max_automaton_states"):
        compiled(long, limits=Limits(max_automaton_states=200))
    with pytest.raises(UnsupportedGrammarError, match="does not take all_of"):
        compiled(all_of({"regex": "a"}), backend="interegular")


def test_specs_are_equal_when_what_is_asked_is() -> None:
    first = compile_grammar(SMALL, **all_of({"regex": "a*"}, banned_substrings=["b", "b"]))
    assert compile_grammar(SMALL, **all_of({"regex": "a*"}, banned_substrings=["b"])) is first


def test_batches() -> None:
    matchers: list[Matcher] = [compiled(case.arguments).matcher() for case in CASES[:3]]
    bitmask, alone = allocate_bitmask(3, SMALL.size), allocate_bitmask(3, SMALL.size)
    type(matchers[0]).fill_batch(matchers, bitmask)
    for row, matcher in enumerate(matchers):
        matcher.fill_bitmask(alone, row)
    assert (bitmask == alone).all()
