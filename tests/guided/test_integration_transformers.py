"""`GuidedLogitsProcessor` in plain `model.generate` of a tiny random Llama, and its bookkeeping step by step."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence

import jsonschema
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM, LogitsProcessorList

from guided.errors import NoAllowedTokenError
from guided.grammars.bitset import Bitmask
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import BatchMaskError, InvalidInputError, LimitExceededError, VocabularyMismatchError
from guided.grammars.protocol import CompiledGrammar
from guided.grammars.vocabulary import Vocabulary
from guided.integrations.transformers import GuidedLogitsProcessor
from tests.guided.fixed_strings import EOS_ID, OTHER_EOS_ID, PAD_ID, FixedStrings, FixedStringsMatcher, byte_vocabulary

MODEL_WIDTH = 272  # wider than the vocabulary's 265
COLORS = FixedStrings(["red", "green", "blue", "redder"])
NUMBERS = FixedStrings(["1", "12", "123", "7"])
PAIRS = FixedStrings(['{"a":1}', '{"a":12}', '{"ab":[]}', "{}"])
PROMPTS = [b"color?", b"a number, please:", b"x"]


@pytest.fixture(scope="module")
def model() -> LlamaForCausalLM:
    config = LlamaConfig(
        vocab_size=MODEL_WIDTH,
        hidden_size=16,
        intermediate_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=256,
        initializer_range=0.5,
        bos_token_id=None,
        eos_token_id=[EOS_ID, OTHER_EOS_ID],
        pad_token_id=PAD_ID,
    )
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return LlamaForCausalLM(config).eval()


def inputs(prompts: Sequence[bytes]) -> dict[str, torch.Tensor]:
    """Left-padded prompts."""
    width = max(map(len, prompts))
    ids = torch.tensor([[PAD_ID] * (width - len(prompt)) + list(prompt) for prompt in prompts])
    return {"input_ids": ids, "attention_mask": (ids != PAD_ID).long()}


def generate(
    model: LlamaForCausalLM, processor: GuidedLogitsProcessor, prompts: Sequence[bytes], **options: object
) -> list[list[int]]:
    """The new token ids of every returned sequence."""
    given = inputs(prompts)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(1)
        output = model.generate(
            **given,
            logits_processor=LogitsProcessorList([processor]),
            **{"do_sample": False, "max_new_tokens": 24} | options,
        )
    return output[:, given["input_ids"].shape[1] :].tolist()


def text_of(token_ids: list[int]) -> str:
    """The text up to the first end-of-sequence token, which must be there; only ends and padding may follow."""
    end = next(i for i, token_id in enumerate(token_ids) if token_id in (EOS_ID, OTHER_EOS_ID))
    assert set(token_ids[end:]) <= {EOS_ID, OTHER_EOS_ID, PAD_ID}
    assert PAD_ID not in token_ids[:end]
    return byte_vocabulary().join(token_ids[:end]).decode()


def texts_of(grammar: FixedStrings) -> set[str]:
    return {text.decode() for text in grammar.texts}


GENERATE_OPTIONS = {
    "greedy": {},
    "sampling": {"do_sample": True, "num_return_sequences": 6, "temperature": 2.0, "top_k": 5, "top_p": 0.9},
    "beams": {"num_beams": 4},
    "beams, all returned": {"num_beams": 4, "num_return_sequences": 4},
    "more beams than texts": {"num_beams": 9, "num_return_sequences": 9},
    "short beams": {"num_beams": 3, "length_penalty": -2.0, "early_stopping": True},
    "long beams": {"num_beams": 3, "length_penalty": 5.0, "early_stopping": "never"},
    "penalties": {"repetition_penalty": 5.0, "no_repeat_ngram_size": 2, "num_beams": 2},
    "sampled beams": {"num_beams": 4, "do_sample": True, "num_return_sequences": 2},
    "no cache": {"use_cache": False, "num_beams": 2},
}


@pytest.mark.parametrize("name", GENERATE_OPTIONS)
def test_a_batch_with_different_grammars(model: LlamaForCausalLM, name: str) -> None:
    options = GENERATE_OPTIONS[name]
    grammars = [COLORS, NUMBERS, PAIRS]
    outputs = generate(model, GuidedLogitsProcessor(grammars), PROMPTS, **options)
    rows_per_prompt = int(options.get("num_return_sequences", 1))  # type: ignore[call-overload]
    assert len(outputs) == 3 * rows_per_prompt
    for row, token_ids in enumerate(outputs):
        assert text_of(token_ids) in texts_of(grammars[row // rows_per_prompt])


@pytest.mark.parametrize("name", GENERATE_OPTIONS)
def test_one_grammar_for_all(model: LlamaForCausalLM, name: str) -> None:
    for token_ids in generate(model, GuidedLogitsProcessor(PAIRS), PROMPTS, **GENERATE_OPTIONS[name]):
        assert text_of(token_ids) in texts_of(PAIRS)


CODE = r"[a-c]{2,5}(x|éé)?"
PERSON = {
    "type": "object",
    "properties": {"name": {"enum": ["Ann", "Bob"]}, "age": {"type": "integer", "minimum": 0, "maximum": 99}},
    "required": ["name"],
    "additionalProperties": False,
}
FLAGS = {"type": "array", "items": {"type": ["boolean", "null"]}, "minItems": 1, "maxItems": 2}


@pytest.fixture(scope="module")
def compiled() -> list[CompiledGrammar]:
    vocabulary = byte_vocabulary()
    schemas = [compile_grammar(vocabulary, json_schema=schema, whitespace="compact") for schema in (PERSON, FLAGS)]
    return [compile_grammar(vocabulary, regex=CODE), *schemas]


@pytest.mark.parametrize("name", ["greedy", "sampling", "beams", "beams, all returned", "sampled beams"])
def test_compiled_grammars(model: LlamaForCausalLM, compiled: list[CompiledGrammar], name: str) -> None:
    options = GENERATE_OPTIONS[name] | {"max_new_tokens": 40}
    outputs = generate(model, GuidedLogitsProcessor(compiled), PROMPTS, **options)
    rows_per_prompt = len(outputs) // 3
    for row, token_ids in enumerate(outputs):
        text = text_of(token_ids)
        if row < rows_per_prompt:
            assert re.fullmatch(CODE, text)
        else:
            jsonschema.validate(json.loads(text), PERSON if row < 2 * rows_per_prompt else FLAGS)


CALL_ID = 263


@pytest.mark.parametrize("name", ["greedy", "beams"])
def test_other_kinds_of_grammar_with_special_tokens(model: LlamaForCausalLM, name: str) -> None:
    plain = byte_vocabulary()
    vocabulary = Vocabulary(plain.tokens, plain.eos_token_ids, {"<call>": CALL_ID})
    call = {"type": "tag", "begin": "<call>", "content": {"type": "regex", "pattern": CODE}, "end": "</call>"}
    grammars = [
        compile_grammar(vocabulary, structural_tag={"format": call}),
        compile_grammar(vocabulary, choice=["red", "green", "redder"]),
        compile_grammar(vocabulary, ebnf='root ::= "(" root ")" | [0-9]{2}'),
    ]
    options = GENERATE_OPTIONS[name] | {"max_new_tokens": 200}
    called, chosen, nested = generate(model, GuidedLogitsProcessor(grammars), PROMPTS, **options)
    assert called[0] == CALL_ID
    assert CALL_ID not in called[1:]
    assert re.fullmatch(f"{CODE}</call>", text_of(called[1:]))
    assert text_of(chosen) in ("red", "green", "redder")
    assert re.fullmatch(r"(\()*[0-9]{2}(\))*", text_of(nested))


def test_a_batch_gives_what_each_prompt_gives_alone(model: LlamaForCausalLM) -> None:
    grammars = [COLORS, NUMBERS, PAIRS]
    for num_beams in (1, 4):
        together = generate(model, GuidedLogitsProcessor(grammars), PROMPTS, num_beams=num_beams)
        for prompt, grammar, token_ids in zip(PROMPTS, grammars, together, strict=True):
            (alone,) = generate(model, GuidedLogitsProcessor(grammar), [prompt], num_beams=num_beams)
            assert text_of(alone) == text_of(token_ids)


def test_beam_search_finds_the_most_probable_text(model: LlamaForCausalLM) -> None:
    """With as many beams as there are token sequences, beam search must find the best one there is."""
    grammar = FixedStrings(["ab", "a", "ba", "bb", "b"])
    (best,) = generate(model, GuidedLogitsProcessor(grammar), [b"go"], num_beams=16, length_penalty=0.0)
    prompt = list(b"go")

    def log_probability(token_ids: list[int]) -> float:
        with torch.no_grad():
            logits = model(torch.tensor([prompt + token_ids])).logits[0, len(prompt) - 1 : -1]
        return float(logits.log_softmax(dim=1).gather(1, torch.tensor(token_ids).unsqueeze(1)).sum())

    def sequences(matcher, so_far: list[int]) -> list[list[int]]:
        if matcher.is_terminated():
            return [so_far]
        found = []
        for token_id in matcher.allowed():
            child = matcher.fork()
            assert child.accept_token(token_id)
            found += sequences(child, [*so_far, token_id])
        return found

    expected = max(sequences(grammar.matcher(), []), key=log_probability)
    assert best[: len(expected)] == expected


def test_a_free_prompt_among_guided_ones(model: LlamaForCausalLM) -> None:
    guided = generate(model, GuidedLogitsProcessor([COLORS, None, PAIRS]), PROMPTS, num_beams=2)
    (alone,) = (
        model.generate(**inputs(PROMPTS[1:2]), max_new_tokens=24, do_sample=False, num_beams=2)[:, len(PROMPTS[1]) :]
    ).tolist()
    assert guided[1][: len(alone)] == alone
    assert text_of(guided[0]) in texts_of(COLORS)
    assert text_of(guided[2]) in texts_of(PAIRS)


def test_one_processor_for_several_generations(model: LlamaForCausalLM) -> None:
    processor = GuidedLogitsProcessor(PAIRS)
    first = generate(model, processor, PROMPTS, num_beams=2)
    assert generate(model, processor, PROMPTS, num_beams=2) == first
    for prompts in ([b"x"], PROMPTS[::-1], [b"something longer than before", b"y"]):
        for token_ids in generate(model, processor, prompts):
            assert text_of(token_ids) in texts_of(PAIRS)
    for prompt in (b"x", b"hello"):  # longer than the last prompt, shorter than the last output
        assert text_of(generate(model, processor, [prompt])[0]) in texts_of(PAIRS)
    (answer,) = generate(model, processor, [b"x"])
    turn = b"x" + text_of(answer).encode() + b" and the next turn"
    assert text_of(generate(model, processor, [turn])[0]) in texts_of(PAIRS)


def test_prompts_that_could_be_a_step_back_are_refused_until_reset(model: LlamaForCausalLM) -> None:
    processor = GuidedLogitsProcessor(PAIRS)
    generate(model, processor, [b"hello"])
    with pytest.raises(InvalidInputError, match=r"call reset\(\)"):
        generate(model, processor, [b"hello{"])
    processor.reset()
    assert text_of(generate(model, processor, [b"hello{"])[0]) in texts_of(PAIRS)


def test_prompt_length_puts_the_beginning_into_the_prompt(model: LlamaForCausalLM) -> None:
    processor = GuidedLogitsProcessor(PAIRS, prompt_length=3)
    for begun in (b'{"a', b"{", b""):
        for token_ids in generate(model, processor, [b"xyz" + begun], num_beams=3, num_return_sequences=3):
            assert begun.decode() + text_of(token_ids) in texts_of(PAIRS)
    with pytest.raises(InvalidInputError, match="refuses token 63, 1 columns after prompt_length=3"):
        generate(model, processor, [b"xyz{?"])
    with pytest.raises(InvalidInputError, match="2 columns, fewer than prompt_length=3"):
        generate(model, processor, [b"xy"])


def test_assisted_decoding_steps_back(model: LlamaForCausalLM) -> None:
    grammar = FixedStrings(['{"a":1,"a":1,"a":1}', '{"a":1,"a":12}'])
    prompt = b'{"a":1,"a":12}'
    processor = GuidedLogitsProcessor(grammar, prompt_length=len(prompt))
    assisted = generate(model, processor, [prompt], prompt_lookup_num_tokens=4)
    assert text_of(assisted[0]) in texts_of(grammar)
    assert assisted == generate(model, GuidedLogitsProcessor(grammar), [prompt])


def allowed_by(processor: GuidedLogitsProcessor, rows: list[list[int]], width: int = MODEL_WIDTH) -> list[set[int]]:
    scores = processor(torch.tensor(rows), torch.zeros(len(rows), width))
    return [set(torch.isfinite(row).nonzero().flatten().tolist()) for row in scores]


def test_rows_are_followed_by_their_tokens() -> None:
    """Beams swap, double and die between steps; the mask follows the tokens."""
    processor = GuidedLogitsProcessor([COLORS, NUMBERS])
    p = ord("?")
    r, e, g = b"reg"
    ends = {EOS_ID, OTHER_EOS_ID}
    first_colors, first_numbers = set(b"rgb") | {257}, set(b"17") | {258}
    assert allowed_by(processor, [[p]] * 4) == [first_colors, first_colors, first_numbers, first_numbers]
    one, two = b"12"
    assert allowed_by(processor, [[p, r], [p, g], [p, one], [p, one]]) == [{e}, {r}, {two} | ends, {two} | ends]
    swapped = [[p, g, r], [p, r, e], [p, one, two], [p, one, EOS_ID]]
    assert allowed_by(processor, swapped) == [{e}, {ord("d")}, {ord("3")} | ends, ends]
    doubled = [[p, r, e, 100], [p, r, e, 100], [p, one, EOS_ID, PAD_ID], [p, one, two, EOS_ID]]
    assert allowed_by(processor, doubled) == [{100} | ends, {100} | ends, ends, ends]
    left = [[p, r, e, 100, 120], [p, r, e, 100, 100], [p, one, EOS_ID, PAD_ID, PAD_ID], [p, one, two, EOS_ID, PAD_ID]]
    assert allowed_by(processor, left) == [
        ends,
        {e},
        ends,
        ends,
    ]  # the first row took a banned token: only its end is left


def test_other_tokens_behind_the_same_prompt_are_a_new_prompt() -> None:
    processor = GuidedLogitsProcessor(COLORS)
    start, (p, r, e) = set(b"rgb") | {257}, b"pre"
    assert allowed_by(processor, [[p]]) == [start]
    assert allowed_by(processor, [[p, r]]) == [{e}]
    assert allowed_by(processor, [[p, e, e]]) == [start]  # no row of the last call comes before it
    assert allowed_by(processor, [[p, e, e, r, e]]) == [start]  # two tokens at once
    assert allowed_by(processor, [[p, e, e, r, e]] * 2) == [start] * 2  # another number of rows


def test_given_text_may_have_ended_already() -> None:
    processor = GuidedLogitsProcessor(NUMBERS, prompt_length=1)
    rows = [[0, ord("1"), EOS_ID, PAD_ID], [0, ord("1"), ord("2"), EOS_ID], [0, ord("1"), ord("2"), ord("3")]]
    assert allowed_by(processor, rows) == [{EOS_ID, OTHER_EOS_ID}] * 3


def test_the_same_call_again_starts_from_the_same_place() -> None:
    processor = GuidedLogitsProcessor(COLORS)
    assert allowed_by(processor, [[1, 2]]) == allowed_by(processor, [[1, 2]])


def test_scores_are_copied_and_keep_their_values() -> None:
    scores = torch.arange(MODEL_WIDTH, dtype=torch.float32).repeat(2, 1)
    masked = GuidedLogitsProcessor([COLORS, None])(torch.tensor([[5], [5]]), scores)
    assert torch.equal(scores, torch.arange(MODEL_WIDTH, dtype=torch.float32).repeat(2, 1))
    assert torch.equal(masked[1], scores[1])
    assert masked[0, ord("r")] == ord("r")
    assert masked[0].isfinite().sum() == 4


def test_the_number_of_matchers_stays_that_of_the_rows() -> None:
    processor = GuidedLogitsProcessor(FixedStrings(["a" * 50]))
    for num_tokens in range(50):
        assert allowed_by(processor, [[1, *([97] * num_tokens)]] * 3) == [{97}] * 3
        assert len(processor._matchers) == 1


def test_narrow_logits_are_a_vocabulary_mismatch(model: LlamaForCausalLM) -> None:
    wide = FixedStrings(["a"], byte_vocabulary(size=300))
    with pytest.raises(VocabularyMismatchError, match="300 tokens, but the model's logits only 272"):
        generate(model, GuidedLogitsProcessor(wide), [b"x"])


def test_a_grammar_at_a_dead_end_is_an_error() -> None:
    processor = GuidedLogitsProcessor(FixedStrings(["a"], Vocabulary([b"b", None], [1])))
    with pytest.raises(NoAllowedTokenError, match="row 0"):
        allowed_by(processor, [[0]], width=2)


class Spent(FixedStrings):
    """A grammar whose masks go past a limit."""

    def matcher(self) -> SpentMatcher:
        return SpentMatcher(self)


class SpentMatcher(FixedStringsMatcher):
    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        raise LimitExceededError("max_mask_seconds", 5, "seconds")


def test_rows_past_a_limit_are_named() -> None:
    processor = GuidedLogitsProcessor([None, COLORS, Spent(["a"])])
    with pytest.raises(BatchMaskError, match="row 4: limit max_mask_seconds") as caught:
        allowed_by(processor, [[1], [1], [2], [2], [3], [3]])
    assert list(caught.value.errors) == [4, 5]
    assert all(isinstance(error, LimitExceededError) for error in caught.value.errors.values())


NO_END = FixedStrings(["a"], Vocabulary([b"a"], []))
OTHER = FixedStrings(["a"], byte_vocabulary(size=266))
BAD_ARGUMENTS: list[tuple[Callable[[], object], type[Exception], str]] = [
    (lambda: GuidedLogitsProcessor([]), InvalidInputError, "at least one"),
    (lambda: GuidedLogitsProcessor([None]), InvalidInputError, "at least one"),
    (lambda: GuidedLogitsProcessor(COLORS, prompt_length=-1), InvalidInputError, "prompt_length"),
    (lambda: GuidedLogitsProcessor(NO_END), InvalidInputError, "no end-of-sequence"),
    (lambda: GuidedLogitsProcessor([COLORS, OTHER]), VocabularyMismatchError, "different vocabularies"),
    (lambda: allowed_by(GuidedLogitsProcessor([COLORS, COLORS]), [[1]] * 3), InvalidInputError, "3 rows can't"),
    (lambda: allowed_by(GuidedLogitsProcessor([COLORS, COLORS]), [[1]]), InvalidInputError, "1 rows can't"),
]


@pytest.mark.parametrize(("call", "error", "message"), BAD_ARGUMENTS)
def test_bad_arguments(call: Callable[[], object], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        call()


def test_a_compiled_grammar_is_told_from_a_sequence() -> None:
    assert isinstance(COLORS, CompiledGrammar)
    assert allowed_by(GuidedLogitsProcessor((COLORS,)), [[1]]) == allowed_by(GuidedLogitsProcessor(COLORS), [[1]])
