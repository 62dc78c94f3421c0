"""`guided.LLM`: stop strings, stop tokens and several outputs of one prompt, on a tiny random model."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path

import pytest

from guided.grammars.compile import compile_grammar
from guided.grammars.errors import InvalidInputError, LimitExceededError, NoCompletionError
from guided.llm import LLM
from guided.output.completion import Completion
from guided.params.sampling_params import SamplingParams

FREE = SamplingParams(seed=5, max_new_tokens=60, ignore_eos=True)


@pytest.fixture(scope="module")
def llm(tiny_model_folder: Path) -> LLM:
    return LLM(str(tiny_model_folder), device="cpu")


@pytest.fixture(scope="module")
def free(llm: LLM) -> Completion:
    """A text without an end of its own."""
    return llm.generate("the text", FREE)


def streamed(llm: LLM, params: SamplingParams) -> list[str]:
    return [chunk.text for chunk in llm.stream("the text", params)]


@pytest.mark.parametrize("place", [3, 17, 40])
def test_a_stop_string_is_cut_off_and_ends_the_work(llm: LLM, free: Completion, place: int) -> None:  # B19
    stop = free.text[place : place + 3]
    params = replace(FREE, stop=stop)
    completion = llm.generate("the text", params)
    assert completion.text == free.text.partition(stop)[0]
    assert (completion.finish_reason, completion.error) == ("stop", None)
    assert completion.token_ids == free.token_ids[: len(completion.token_ids)]
    assert len(completion.token_ids) < len(free.token_ids)
    assert completion.usage.num_completion_tokens == len(completion.token_ids)
    assert "".join(streamed(llm, params)) == completion.text
    assert all(stop not in "".join(streamed(llm, params)[:i]) for i in range(20))
    kept = llm.generate("the text", replace(params, include_stop_str_in_output=True))
    assert kept.text == completion.text + stop
    assert llm.generate("the text", replace(FREE, stop_regex=f"[{stop[0]}]")).text == free.text.partition(stop[0])[0]


def test_the_rest_of_the_batch_goes_on(llm: LLM, free: Completion) -> None:  # B17
    stop = free.text[4:6]
    cut, whole = llm.generate(["the text", "the text"], [replace(FREE, stop=[stop, "never there"]), FREE])
    assert cut.text == free.text.partition(stop)[0]
    assert whole.token_ids == free.token_ids


def test_what_never_comes_changes_nothing(llm: LLM, free: Completion) -> None:  # B19
    params = replace(FREE, stop=free.text[-2:] + "never")
    completion = llm.generate("the text", params)
    assert (completion.text, completion.finish_reason) == (free.text, "length")
    assert "".join(streamed(llm, params)) == free.text


def test_stops_may_come_later_only(llm: LLM, free: Completion) -> None:  # A5.3
    """A stop before min_new_tokens is a part of the text; the first one from there on ends it."""
    pieces = [llm.vocabulary.tokens[token_id] or b"" for token_id in free.token_ids]
    assert free.text.encode() == b"".join(pieces) or "\ufffd" in free.text
    early, end = next(
        (i, k)
        for k in range(31, 60)
        for i in range(20)
        if pieces[i] == pieces[k] not in pieces[29:k] and _is_ascii(pieces[k])
    )
    stop = pieces[end].decode()
    cut = llm.generate("the text", replace(FREE, stop=stop))
    assert len(cut.token_ids) <= early + 1
    late = llm.generate("the text", replace(FREE, stop=stop, min_new_tokens=30))
    assert late.token_ids == free.token_ids[: end + 1]
    assert (late.finish_reason, late.stopped_by) == ("stop", stop)
    assert late.text.count(stop) >= 1, "the early one is shown"
    banned = llm.generate("the text", replace(FREE, stop_token_ids=[free.token_ids[early]], min_new_tokens=30))
    assert free.token_ids[early] not in banned.token_ids[:29], "a token that would end the text is not drawn before"
    assert len(banned.token_ids) >= 30


def _is_ascii(piece: bytes) -> bool:
    return piece.isascii() and piece.decode().isprintable()


def test_stop_tokens(llm: LLM, free: Completion) -> None:  # A5.1
    place = next(i for i in range(5, 60) if llm.vocabulary.tokens[free.token_ids[i]])
    token_id = free.token_ids[place]
    first = free.token_ids.index(token_id)
    completion = llm.generate("the text", replace(FREE, stop_token_ids=[token_id]))
    assert completion.token_ids == free.token_ids[: first + 1]
    assert completion.finish_reason == "stop"
    token = (llm.vocabulary.tokens[token_id] or b"").decode("utf-8", "replace")
    kept = llm.generate("the text", replace(FREE, stop_token_ids=[token_id], include_stop_str_in_output=True))
    assert kept.text.endswith(token)
    assert kept.text.startswith(completion.text)


def test_the_first_token_may_be_the_end(llm: LLM) -> None:  # A2.3
    first = llm.generate("the text", replace(FREE, max_new_tokens=1)).token_ids[0]
    completion = llm.generate("the text", replace(FREE, stop_token_ids=[first]))
    assert (completion.text, completion.token_ids, completion.finish_reason) == ("", (first,), "stop")


def test_a_grammar_ends_where_it_ends(llm: LLM) -> None:
    grammar = compile_grammar(llm.vocabulary, regex="yes|no")
    with pytest.raises(InvalidInputError, match="ignore_eos can't be used with a grammar"):
        SamplingParams(regex="yes|no", ignore_eos=True)
    with pytest.raises(InvalidInputError, match=r"grammar= excludes .*ignore_eos"):
        llm.generate("a", SamplingParams(ignore_eos=True), grammar=grammar)


def test_a_count_behind_anything_ends_within_the_budget(llm: LLM) -> None:
    completion = llm.generate("the text", SamplingParams(regex=".*TODO.{80}", max_new_tokens=90, seed=1))
    assert completion.fits_grammar
    assert completion.text[-84:-80] == "TODO"


def test_a_budget_without_a_known_end_is_an_error(llm: LLM, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise LimitExceededError("max_completion_places", 7, "places")

    monkeypatch.setattr("guided.grammars.native.text_matcher.TextMatcher.restrict_to_budget", refuse)
    completion = llm.generate("the text", SamplingParams(regex="a{50}", max_new_tokens=5), keep_errors=True)
    assert (completion.finish_reason, completion.num_tokens) == ("error", 5)
    assert isinstance(completion.error, NoCompletionError)
    assert "max_completion_places = 7" in str(completion.error)


def test_a_stop_cuts_the_text_of_a_grammar(llm: LLM) -> None:
    params = SamplingParams(seed=3, regex="[a-c]{2}-[a-c]{2}")
    whole = llm.generate("a", params)
    assert (whole.stopped_by, whole.is_complete) == (None, True)
    cases = {"stop": "-", "stop_regex": "-", "stop_token_ids": [llm.tokenizer.encode("-")[0]]}
    for name, value in cases.items():
        for grammar in (None, llm.compile(params)):
            one = replace(params if grammar is None else SamplingParams(seed=3), **{name: value})
            cut = llm.generate("a", one, grammar=grammar)
            assert (cut.text, cut.finish_reason, cut.is_complete) == (whole.text[:2], "stop", False)
            assert cut.stopped_by in ("-", cases["stop_token_ids"][0])  # type: ignore[index]
            kept = llm.generate("a", replace(one, include_stop_str_in_output=True), grammar=grammar)
            assert kept.text == whole.text[:3]
            streamed = list(llm.stream("a", one, grammar=grammar))
            assert "".join(chunk.text for chunk in streamed) == cut.text
            assert streamed[-1].finish_reason == "stop"


LETTERS = {"type": "array", "items": {"enum": ['the\\"in', "in"]}, "minItems": 4, "maxItems": 4}


def test_a_stop_within_a_string_of_a_document_counts_where_the_caller_says_so(llm: LLM) -> None:
    for params in (
        SamplingParams(seed=3, json_schema=LETTERS, whitespace="compact"),
        SamplingParams(
            seed=3, all_of=[{"json_schema": LETTERS, "whitespace": "compact"}, {"banned_substrings": ["x"]}]
        ),
    ):
        token_id = llm.tokenizer.encode("in")[0]
        for fields in {"stop": "in"}, {"stop_regex": "(?i)IN"}, {"stop": '\\"i'}, {"stop_token_ids": [token_id]}:
            whole = llm.generate("a", replace(params, **fields))  # type: ignore[arg-type]
            assert len(json.loads(whole.text)) == 4
            assert whole.is_complete
        cut = llm.generate("a", replace(params, stop="in", stop_in_strings=True))
        assert cut.text == llm.generate("a", params).text.partition("in")[0]
        assert (cut.finish_reason, cut.is_complete, cut.stopped_by) == ("stop", False, "in")
        outside = llm.generate("a", replace(params, stop=","))
        assert outside.text == llm.generate("a", params).text.partition(",")[0]
        over = llm.generate("a", replace(params, stop='n",'))
        assert over.text == llm.generate("a", params).text.partition('n",')[0]


def test_bad_stop_regexes_raise_before_anything_runs(llm: LLM) -> None:
    for call in (llm.generate, llm.stream):
        with pytest.raises(InvalidInputError, match="stop_regex"):
            call("a", SamplingParams(stop_regex="^a"))  # type: ignore[operator]


def test_several_outputs_of_one_seed(llm: LLM, free: Completion) -> None:  # B16
    completion = llm.generate("the text", replace(FREE, n=3))
    outputs = [completion, *completion.alternatives]
    assert len({one.token_ids for one in outputs}) == 3
    assert completion.token_ids == free.token_ids
    again = llm.generate(["other", "the text"], [FREE, replace(FREE, n=3)])[1]
    assert [one.token_ids for one in (again, *again.alternatives)] == [one.token_ids for one in outputs]
    unseeded = llm.generate("the text", replace(FREE, n=3, seed=None))
    assert len({one.token_ids for one in (unseeded, *unseeded.alternatives)}) == 3


def test_several_outputs_in_a_stream(llm: LLM) -> None:  # B16
    params = replace(FREE, n=2, regex=None)
    completion = llm.generate("the text", params)
    texts = ["", ""]
    ends = []
    for chunk in llm.stream("the text", params):
        texts[chunk.index] += chunk.text
        if chunk.finish_reason is not None:
            ends.append(chunk.index)
            assert chunk.completion is not None
            assert chunk.completion.text == texts[chunk.index]
    assert sorted(ends) == [0, 1]
    assert texts == [completion.text, completion.alternatives[0].text]


def test_bad_words_reach_the_sampler_as_ids(llm: LLM) -> None:
    completion = llm.generate("the text", replace(FREE, temperature=0, bad_words=["a", "the"]))
    plain = llm.generate("the text", replace(FREE, temperature=0))
    assert llm.tokenizer.encode("a")[0] not in completion.token_ids
    assert len(plain.token_ids) == len(completion.token_ids)


def test_spaces_between_special_tokens(llm: LLM) -> None:  # A5.1
    params = replace(FREE, max_new_tokens=300, skip_special_tokens=False)
    tight, spaced = llm.generate(["a", "a"], [replace(params, spaces_between_special_tokens=False), params])
    assert "<|" in tight.text
    assert tight.token_ids == spaced.token_ids
    assert spaced.text.replace(" <|", "<|").replace("|> ", "|>").replace(" ", "") == tight.text.replace(" ", "")
    assert len(spaced.text) > len(tight.text)


def test_outputs_with_a_regex_are_read_by_coroutines_and_threads_alike(llm: LLM) -> None:
    """Their chunks are found several at a time."""
    params = replace(FREE, stop_regex="#{9}", n=3, max_new_tokens=12)
    expected = llm.generate("the text", params)

    async def read() -> tuple[dict[int, str], Completion]:
        generation = llm.start("the text", params)
        texts = {0: "", 1: "", 2: ""}
        for _ in range(2):
            chunk = await anext(generation)
            texts[chunk.index] += chunk.text
        for chunk in await asyncio.to_thread(list, generation):
            texts[chunk.index] += chunk.text
        return texts, generation.result(timeout_s=20)

    texts, completion = asyncio.run(read())
    everything = [completion, *completion.alternatives]
    assert [one.text for one in everything] == [texts[0], texts[1], texts[2]]
    assert [one.text for one in everything] == [one.text for one in (expected, *expected.alternatives)]


def test_a_text_that_is_read_at_its_end_comes_in_one_chunk(llm: LLM) -> None:
    params = replace(FREE, n=2, logprobs=1)
    chunks = list(llm.start("the text", params))
    at_end = list(llm.start("the text", params, read_at_end=True))
    assert len(chunks) > len(at_end) == 2
    for whole in at_end:
        parts = [chunk for chunk in chunks if chunk.index == whole.index]
        assert whole.text == "".join([chunk.text for chunk in parts])
        assert whole.token_ids == tuple(token_id for chunk in parts for token_id in chunk.token_ids)
        assert [one.token_id for one in whole.logprobs or ()] == list(whole.token_ids)
        assert whole.completion is not None
        assert whole.completion.text == whole.text
    with_stop = list(llm.start("the text", replace(FREE, stop="never in it"), read_at_end=True))
    assert len(with_stop) == 1
