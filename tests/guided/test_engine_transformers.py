"""The transformers engine against slow, plain recomputation: the cache, the batch and the padding must not show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
import torch
from transformers import AutoModelForCausalLM, AutoTokenizer, GPT2Config, MistralConfig, Qwen3Config

from guided.engines.base import TokenEvent
from guided.engines.factory import EngineOptions
from guided.engines.local.loading import load_transformers_engine
from guided.engines.local.paged import Chunk, PagedSequence
from guided.engines.local.transformers import TransformersEngine
from guided.engines.settings import EngineSettings
from guided.errors import ContextLengthError, NoAllowedTokenError, UnsupportedModelError
from guided.grammar_state.state import GrammarState
from guided.grammars.bitset import Bitmask
from guided.grammars.errors import GuidedError, InvalidInputError, VocabularyMismatchError
from guided.grammars.vocabulary import Vocabulary
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest
from tests.guided.fixed_strings import FixedStrings, FixedStringsMatcher

GREEDY = SamplingParams(temperature=0, max_new_tokens=12)
PROMPTS = ["a", "the quick brown fox", "in 2024, and then", "x" * 40]


@pytest.fixture(scope="module")
def engine(tiny_model_folder: Path) -> TransformersEngine:
    loaded = load_transformers_engine(str(tiny_model_folder), EngineOptions(device="cpu"))
    assert isinstance(loaded.engine, TransformersEngine)
    return loaded.engine


@pytest.fixture(scope="module")
def model(tiny_model_folder: Path) -> Any:
    return AutoModelForCausalLM.from_pretrained(tiny_model_folder).eval()


@pytest.fixture(scope="module")
def tokenizer(tiny_model_folder: Path) -> Any:
    return AutoTokenizer.from_pretrained(tiny_model_folder)


@pytest.fixture
def prompts(tokenizer: Any) -> list[list[int]]:
    return [tokenizer.encode(prompt) for prompt in PROMPTS]


def outputs(events: Sequence[TokenEvent]) -> dict[int, list[int]]:
    token_ids: dict[int, list[int]] = defaultdict(list)
    for event in events:
        if event.token_id is not None:
            token_ids[event.index].append(event.token_id)
    return dict(token_ids)


def reasons(events: Sequence[TokenEvent]) -> dict[int, str]:
    return {event.index: event.finish_reason for event in events if event.finish_reason is not None}


def recompute_greedy(model: Any, prompt: list[int], num_tokens: int, eos_token_ids: frozenset[int]) -> list[int]:
    """Greedy tokens without a cache and without a batch: the whole text again for each token."""
    token_ids = list(prompt)
    for _ in range(num_tokens):
        with torch.inference_mode():
            logits = model(torch.tensor([token_ids]), use_cache=False).logits[0, -1]
        token_ids.append(int(logits.argmax()))
        if token_ids[-1] in eos_token_ids:
            break
    return token_ids[len(prompt) :]


def test_cached_batched_decode_is_full_recomputation(
    engine: TransformersEngine, model: Any, prompts: list[list[int]]
) -> None:  # A2.2
    got = outputs(list(engine.run([PromptRequest(prompt, GREEDY) for prompt in prompts])))
    for i, prompt in enumerate(prompts):
        assert got[i] == recompute_greedy(model, prompt, 12, engine.vocabulary.eos_token_ids)


def test_greedy_tokens_are_those_of_transformers_generate(
    engine: TransformersEngine, model: Any, prompts: list[list[int]]
) -> None:
    got = outputs(list(engine.run([PromptRequest(prompts[1], GREEDY)])))[0]
    ids = torch.tensor([prompts[1]])
    expected = model.generate(ids, attention_mask=torch.ones_like(ids), do_sample=False, max_new_tokens=12)
    assert got == expected[0, len(prompts[1]) :].tolist()


def test_logits_of_cached_steps_are_those_of_full_recomputation(
    engine: TransformersEngine, model: Any, prompts: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    one_by_one = EngineSettings(max_draft_tokens=0)
    engine = TransformersEngine(model, engine.vocabulary, model_name="one by one", settings=one_by_one)
    seen: dict[PagedSequence, list[torch.Tensor]] = {}  # requests may join in different steps, each in its turn
    forward = engine.paged_model.forward

    def recorded(chunks: list[Chunk]) -> torch.Tensor:
        logits = forward(chunks)
        owners = [chunk.sequence for chunk in chunks for _ in chunk.logit_positions]
        for sequence, row in zip(owners, logits, strict=True):
            seen.setdefault(sequence, []).append(row)
        return logits

    monkeypatch.setattr(engine.paged_model, "forward", recorded)
    params = SamplingParams(temperature=0, max_new_tokens=6, ignore_eos=True)
    got = outputs(list(engine.run([PromptRequest(prompt, params) for prompt in prompts])))
    assert len(seen) == len(prompts)
    for i, (prompt, rows) in enumerate(zip(prompts, seen.values(), strict=True)):
        with torch.inference_mode():
            full = model(torch.tensor([prompt + got[i]])).logits[0, len(prompt) - 1 : -1]
        cached = torch.stack(rows)
        torch.testing.assert_close(cached, full, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("temperature", [0.0, 1.0])
def test_batch_is_single(
    engine: TransformersEngine, prompts: list[list[int]], temperature: float
) -> None:  # A1.3, A5.6, B17
    params = [SamplingParams(temperature=temperature, seed=i, top_p=0.9, max_new_tokens=5 + 4 * i) for i in range(4)]
    requests = [PromptRequest(prompt, one) for prompt, one in zip(prompts, params, strict=True)]
    together = list(engine.run(requests))
    for i, request in enumerate(requests):
        alone = list(engine.run([request]))
        assert outputs(alone)[0] == outputs(together)[i]
        assert reasons(alone)[0] == reasons(together)[i]


def test_more_requests_than_the_batch_holds(tiny_model_folder: Path, model: Any, prompts: list[list[int]]) -> None:
    tokenizer = AutoTokenizer.from_pretrained(tiny_model_folder)
    vocabulary = Vocabulary.from_tokenizer(tokenizer, vocab_size=model.config.vocab_size)
    requests = [PromptRequest(prompt, GREEDY) for prompt in prompts]
    results = []
    for max_batch_size in (1, 3, 64):
        settings = EngineSettings(max_batch_size=max_batch_size)
        engine = TransformersEngine(model, vocabulary, model_name="tiny", settings=settings)
        results.append(outputs(list(engine.run(requests))))
    assert results[0] == results[1] == results[2]
    assert set(results[0]) == {0, 1, 2, 3}


def test_any_end_of_sequence_token_stops(
    engine: TransformersEngine, prompts: list[list[int]], tokenizer: Any
) -> None:  # A1.6, A2.3
    for name in ("<|im_end|>", "<|endoftext|>"):
        eos = tokenizer.convert_tokens_to_ids(name)
        events = list(engine.run([PromptRequest(prompts[0], GREEDY, OnlyToken(engine.vocabulary, eos))]))
        assert [(event.token_id, event.finish_reason) for event in events] == [(eos, "stop")]


def test_ignore_eos_goes_on(
    engine: TransformersEngine, prompts: list[list[int]], monkeypatch: pytest.MonkeyPatch
) -> None:
    eos = min(engine.vocabulary.eos_token_ids)
    forward = engine.paged_model.forward
    boost = torch.zeros(engine.vocabulary.size).index_fill(0, torch.tensor([eos]), 1e6)
    monkeypatch.setattr(engine.paged_model, "forward", lambda chunks: forward(chunks) + boost)
    stopped = list(engine.run([PromptRequest(prompts[0], GREEDY)]))
    assert [(event.token_id, event.finish_reason) for event in stopped] == [(eos, "stop")]
    params = SamplingParams(temperature=0, max_new_tokens=3, ignore_eos=True)
    going = list(engine.run([PromptRequest(prompts[0], params)]))
    assert outputs(going)[0] == [eos] * 3
    assert reasons(going)[0] == "length"


def test_max_new_tokens_is_exact(engine: TransformersEngine, prompts: list[list[int]]) -> None:  # A2.2
    for count in (1, 2, 7):
        params = SamplingParams(temperature=0, max_new_tokens=count, ignore_eos=True)
        events = list(engine.run([PromptRequest(prompts[1], params)]))
        assert (len(events), events[-1].finish_reason) == (count, "length")


def test_the_context_ends_a_request(engine: TransformersEngine) -> None:
    prompt = [5] * (engine.max_context_tokens - 3)
    params = SamplingParams(temperature=0, max_new_tokens=None, ignore_eos=True)
    events = list(engine.run([PromptRequest(prompt, params)]))
    assert (len(events), events[-1].finish_reason) == (3, "length")


def test_rows_with_and_without_a_grammar_mix(engine: TransformersEngine, model: Any, prompts: list[list[int]]) -> None:
    choices = [["yes", "no"], None, ['{"the":12}', '{"then":[]}'], None]
    grammars = [None if choice is None else FixedStrings(choice, engine.vocabulary) for choice in choices]
    parts = zip(prompts, grammars, strict=True)
    events = list(engine.run([PromptRequest(prompt, GREEDY, grammar) for prompt, grammar in parts]))
    got = outputs(events)
    assert engine.vocabulary.join(got[0]) in (b"yes", b"no")
    assert engine.vocabulary.join(got[2]) in (b'{"the":12}', b'{"then":[]}')
    assert reasons(events)[0] == reasons(events)[2] == "stop"
    for i in (1, 3):
        assert got[i] == recompute_greedy(model, prompts[i], 12, engine.vocabulary.eos_token_ids)


def test_forced_tokens_are_those_the_grammar_left_no_choice_in(
    engine: TransformersEngine, prompts: list[list[int]]
) -> None:
    grammar = FixedStrings(['{"city":"Rome"}', '{"city":"Bern"}'], engine.vocabulary)
    params = SamplingParams(temperature=0, max_new_tokens=None)
    events = list(engine.run([PromptRequest(prompts[0], params, grammar)]))
    matcher = grammar.matcher()
    for event in events:
        assert event.token_id is not None
        token = engine.vocabulary.tokens[event.token_id]
        is_forced = bool(token) and matcher.find_jump_forward_bytes().startswith(token or b"?")
        assert event.is_forced == is_forced
        assert matcher.accept_token(event.token_id)
    assert [event.is_forced for event in events].count(False) == 2  # the city's first letter, the end
    assert sum(event.is_forced for event in events) >= 5


def test_a_token_that_goes_past_the_forced_bytes_is_a_choice(engine: TransformersEngine, tokenizer: Any) -> None:
    grammar = FixedStrings(["12a", "13b"], engine.vocabulary)  # "1" is forced; the token "12" says more
    row = GrammarState(grammar, None)
    token_ids = [*tokenizer.convert_tokens_to_ids(["12", "a"]), tokenizer.eos_token_id]
    assert [row.accept(token_id) for token_id in token_ids] == [False, True, False]
    assert row.matcher.is_terminated()


class OnlyToken(FixedStrings):
    """A grammar that allows one token id for ever (an end-of-sequence id, or text)."""

    def __init__(self, vocabulary: Vocabulary, token_id: int) -> None:
        super().__init__([], vocabulary)
        self.token_id = token_id

    def matcher(self) -> OnlyTokenMatcher:
        return OnlyTokenMatcher(self)


class OnlyTokenMatcher(FixedStringsMatcher):
    grammar: OnlyToken

    def allowed(self) -> list[int]:
        return [] if self.is_terminated() else [self.grammar.token_id]


class FailsLater(FixedStrings):
    """A grammar whose matcher gives up after two tokens."""

    def matcher(self) -> FailsLaterMatcher:
        return FailsLaterMatcher(self)


class FailsLaterMatcher(FixedStringsMatcher):
    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        if len(self.token_ids) == 2:
            raise GuidedError("the limit is spent")
        super().fill_bitmask(bitmask, row)


class RefusesAll(FixedStrings):
    """A broken grammar: refuses what its bitmask allows."""

    def matcher(self) -> RefusesAllMatcher:
        return RefusesAllMatcher(self)


class RefusesAllMatcher(FixedStringsMatcher):
    def accept_token(self, token_id: int) -> bool:
        return False


@pytest.mark.parametrize(
    ("grammar_class", "choices", "error", "num_tokens"),
    [
        (FixedStrings, [], NoAllowedTokenError, 0),
        (FailsLater, ["..a", "..b"], GuidedError, 2),
        (RefusesAll, ["a"], GuidedError, 0),
    ],
)
def test_an_error_ends_its_own_row_only(
    engine: TransformersEngine,
    model: Any,
    prompts: list[list[int]],
    grammar_class: type[FixedStrings],
    choices: list[str],
    error: type[Exception],
    num_tokens: int,
) -> None:
    bad = grammar_class(choices, engine.vocabulary)
    requests = [PromptRequest(prompts[0], GREEDY, bad)] + [PromptRequest(prompt, GREEDY) for prompt in prompts[1:]]
    events = list(engine.run(requests))
    failed = [event for event in events if event.finish_reason == "error"]
    assert [event.index for event in failed] == [0]
    assert isinstance(failed[0].error, error)
    assert failed[0].token_id is None
    assert len(outputs(events).get(0, [])) == num_tokens
    for i in (1, 2, 3):
        assert outputs(events)[i] == recompute_greedy(model, prompts[i], 12, engine.vocabulary.eos_token_ids)


def test_several_runs_at_a_time(engine: TransformersEngine, model: Any, prompts: list[list[int]]) -> None:  # A4.3
    first = engine.run([PromptRequest(prompts[0], GREEDY)])
    begun = next(first).token_id
    for _ in range(2):
        second = outputs(list(engine.run([PromptRequest(prompts[1], GREEDY)])))[0]
        assert second == recompute_greedy(model, prompts[1], 12, engine.vocabulary.eos_token_ids)
    got = [begun, *outputs(list(first))[0]]
    assert got == recompute_greedy(model, prompts[0], 12, engine.vocabulary.eos_token_ids)


def test_no_requests_no_events(engine: TransformersEngine) -> None:
    assert list(engine.run([])) == []


def test_bad_requests_are_refused_before_anything_runs(engine: TransformersEngine) -> None:
    size, context = engine.vocabulary.size, engine.max_context_tokens
    with pytest.raises(InvalidInputError, match="no tokens"):
        engine.run([PromptRequest([], GREEDY)])
    with pytest.raises(InvalidInputError, match=f"0..{size - 1}"):
        engine.run([PromptRequest([size], GREEDY)])
    with pytest.raises(ContextLengthError, match=f"prompt 1 has {context} tokens.*{context}"):
        engine.run([PromptRequest([1], GREEDY), PromptRequest([1] * context, GREEDY)])


def test_a_grammar_of_another_vocabulary_is_refused(engine: TransformersEngine) -> None:
    vocabulary = engine.vocabulary
    other = Vocabulary([*vocabulary.tokens, None], vocabulary.eos_token_ids)
    with pytest.raises(VocabularyMismatchError, match=f"{other.size} tokens.*{vocabulary.fingerprint[:12]}"):
        engine.run([PromptRequest([1], GREEDY, FixedStrings(["a"], other))])
    equal = Vocabulary(vocabulary.tokens, vocabulary.eos_token_ids)
    assert list(engine.run([PromptRequest([1], GREEDY, FixedStrings(["a"], equal))]))


def test_a_grammar_needs_an_end_of_sequence_token(model: Any, engine: TransformersEngine) -> None:
    without_end = Vocabulary(engine.vocabulary.tokens, [])
    other = TransformersEngine(model, without_end, model_name="tiny")
    with pytest.raises(InvalidInputError, match="end-of-sequence"):
        other.run([PromptRequest([1], GREEDY, FixedStrings(["a"], without_end))])


def test_a_vocabulary_of_another_width_is_refused(model: Any, engine: TransformersEngine) -> None:
    narrow = Vocabulary(engine.vocabulary.tokens[:-1], engine.vocabulary.eos_token_ids)
    with pytest.raises(VocabularyMismatchError, match=f"vocab_size={engine.vocabulary.size}"):
        TransformersEngine(model, narrow, model_name="tiny")


def small(config_class: type[Any], **options: Any) -> Any:
    """A random model of another architecture, as wide as the tiny one."""
    sizes = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4}
    config = config_class(vocab_size=280, initializer_range=0.3, max_position_embeddings=64, **(sizes | options))
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        return AutoModelForCausalLM.from_config(config).eval()


@pytest.mark.parametrize(
    "make_model",
    [
        lambda: small(MistralConfig, num_key_value_heads=2, sliding_window=6),
        lambda: small(Qwen3Config, num_key_value_heads=2, head_dim=8),
        lambda: small(GPT2Config, n_inner=64),  # absolute positions: padding must not count
    ],
    ids=["sliding_window", "qk_norm", "absolute_positions"],
)
def test_other_architectures(
    engine: TransformersEngine, prompts: list[list[int]], make_model: Callable[[], Any]
) -> None:
    model = make_model()
    other = TransformersEngine(model, engine.vocabulary, model_name="other", settings=EngineSettings(max_batch_size=4))
    params = [SamplingParams(temperature=0, max_new_tokens=3 + 4 * i) for i in range(4)]
    parts = zip(prompts, params, strict=True)
    got = outputs(list(other.run([PromptRequest(prompt, one) for prompt, one in parts])))
    for i, prompt in enumerate(prompts):
        assert got[i] == recompute_greedy(model, prompt, 3 + 4 * i, engine.vocabulary.eos_token_ids)


def test_recurrent_models_are_refused(engine: TransformersEngine) -> None:
    from transformers import Mamba2Config, Mamba2ForCausalLM

    config = Mamba2Config(
        num_heads=4, head_dim=8, hidden_size=16, vocab_size=280, num_hidden_layers=1, state_size=4, n_groups=1
    )
    with pytest.raises(UnsupportedModelError, match="position_ids"):
        TransformersEngine(Mamba2ForCausalLM(config), engine.vocabulary, model_name="mamba")
