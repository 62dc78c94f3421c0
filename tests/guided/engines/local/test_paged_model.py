"""`PagedModel` against full recomputation with the same model, without any cache (A4.1, A4.2, B18)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any

import pytest
import torch
import transformers
from hypothesis import given, settings
from hypothesis import strategies as st

from guided.embedded.network import LlamaNetwork
from guided.engines.local.paged import Chunk, PagedModel, PagedSequence, packed_llama, support
from guided.engines.local.paged.attention import AttentionOptions
from guided.engines.local.paged.packed_llama import PackedLlama
from guided.engines.local.paged.support import own_network
from guided.errors import UnsupportedModelError
from tests.examples import examples

from .tiny_models import CONFIGS, SIZES, VOCAB_SIZE, make_model, random_tokens, recompute

TOLERANCE = 1e-4  # of logits up to about 10, float32
ALL = sorted(CONFIGS)


@pytest.fixture(scope="module", params=ALL)
def model(request: pytest.FixtureRequest) -> Any:
    return make_model(request.param)


@pytest.fixture(params=["numba", "torch"])
def attention(request: pytest.FixtureRequest) -> Any:
    return request.param


@pytest.fixture(scope="module")
def llama() -> Any:
    return make_model("llama")


def run_chunks(paged: PagedModel, sequence: PagedSequence, token_ids: Sequence[int], sizes: Sequence[int]) -> Any:
    """Run the tokens in chunks of these sizes; all logits."""
    parts, start = [], 0
    for size in sizes:
        chunk = list(token_ids[start : start + size])
        assert paged.reserve(sequence, size)
        parts.append(paged.forward([Chunk(sequence, chunk, list(range(size)))]))
        start += size
    assert start == len(token_ids)
    return torch.cat(parts)


def assert_close(logits: torch.Tensor, expected: torch.Tensor, tolerance: float = TOLERANCE) -> None:
    assert logits.dtype == torch.float32
    torch.testing.assert_close(logits, expected, atol=tolerance, rtol=0)


def test_cached_decode_equals_full_recomputation(model: Any, attention: str) -> None:
    """A4.1: RoPE is applied before the cache write, so one token at a time gives the logits of a full forward."""
    paged, tokens = PagedModel(model, num_pages=16, page_size=4, attention=attention), random_tokens(40)
    assert_close(run_chunks(paged, paged.open(tokens), tokens, [1] * 40), recompute(model, tokens))


@pytest.mark.parametrize("sizes", [(40,), (39, 1), (1, 39), (4, 4, 32), (7, 13, 1, 2, 17), (20, 20)])
def test_any_split_of_a_prefill_gives_the_same(model: Any, attention: str, sizes: Sequence[int]) -> None:
    paged, tokens = PagedModel(model, num_pages=16, page_size=4, attention=attention), random_tokens(40)
    assert_close(run_chunks(paged, paged.open(tokens), tokens, sizes), recompute(model, tokens))


def test_sequences_of_different_lengths_and_chunks_share_a_forward(model: Any, attention: str) -> None:
    """Decoded tokens, short runs and long chunks of prompts, in any order, as in a step of the engine (A4.3)."""
    paged = PagedModel(model, num_pages=64, page_size=4, attention=attention)
    texts = [random_tokens(length, seed) for seed, length in enumerate((31, 5, 44, 17, 38, 1, 29))]
    cuts = [(0, 30, 31), (0, 4, 5), (0, 44), (0, 2, 17), (0, 37, 38), (0, 1), (0, 26, 29)]
    sequences = [paged.open(text) for text in texts]
    for step in range(2):
        rows = [i for i, cut in enumerate(cuts) if step + 1 < len(cut)]
        chunks = []
        for i in rows:
            start, stop = cuts[i][step : step + 2]
            assert paged.reserve(sequences[i], stop - start)
            chunks.append(Chunk(sequences[i], texts[i][start:stop], list(range(0, stop - start, 2))))
        logits = paged.forward(chunks)
        wanted = [recompute(model, texts[i])[cuts[i][step] : cuts[i][step + 1] : 2] for i in rows]
        assert_close(logits, torch.cat(wanted))
        paged.check()
    for sequence in sequences:
        paged.close(sequence)
    paged.check()
    assert paged.num_free_pages == 64
    assert paged.usage == 0.0


def test_truncate_and_go_on(model: Any, attention: str) -> None:
    paged, tokens = PagedModel(model, num_pages=32, page_size=4, attention=attention), random_tokens(30)
    sequence = paged.open(tokens)
    run_chunks(paged, sequence, tokens, [30])
    text = tokens
    for num_forgotten in (1, 3, 12, 4):
        paged.truncate(sequence, num_forgotten)
        kept = text[:-num_forgotten]
        text = kept + random_tokens(9, seed=num_forgotten)
        logits = run_chunks(paged, sequence, text[len(kept) :], [2, 1, 6])
        assert_close(logits, recompute(model, text)[len(kept) :])
        paged.check()


def test_a_reused_prefix_gives_the_same_logits(model: Any) -> None:
    """A4.2: of a sequence that ended, and of one that still runs (B18)."""
    paged, prefix = PagedModel(model, num_pages=32, page_size=4), random_tokens(18)
    first = paged.open(prefix)
    run_chunks(paged, first, prefix, [18])
    for seed in (1, 2):
        text = prefix + random_tokens(7, seed)
        sequence = paged.open(text)
        assert sequence.num_cached_tokens == 16
        assert_close(run_chunks(paged, sequence, text[16:], [3, 6]), recompute(model, text)[16:])
        paged.close(first)
    more = random_tokens(3, seed=3)
    paged.check()
    again = paged.open(prefix + more)
    assert_close(run_chunks(paged, again, (prefix + more)[16:], [5]), recompute(model, prefix + more)[16:])


def test_colliding_hashes_give_no_foreign_prefix(llama: Any) -> None:
    """B18: with a hash that is always the same, logits are still those of the sequence's own tokens."""
    paged = PagedModel(llama, num_pages=64, page_size=4, hasher=lambda parent, tokens: b"same")
    for seed in (1, 2, 1, 3, 2):
        text = random_tokens(13, seed)
        sequence = paged.open(text)
        left = text[sequence.num_cached_tokens :]
        logits = run_chunks(paged, sequence, left, [len(left)])
        assert_close(logits, recompute(llama, text)[sequence.num_cached_tokens :])
        paged.check()


def test_a_truncated_sequence_does_not_write_into_a_shared_page(llama: Any) -> None:
    paged, text = PagedModel(llama, num_pages=32, page_size=8), random_tokens(20)
    first, second = paged.open(text), paged.open(text)
    for sequence in (first, second):
        run_chunks(paged, sequence, text, [20])
    paged.truncate(second, 9)  # into the second page, which both hold
    other = random_tokens(6, seed=5)
    assert_close(run_chunks(paged, second, other, [6]), recompute(llama, text[:11] + other)[11:])
    more = random_tokens(4, seed=6)
    assert_close(run_chunks(paged, first, more, [4]), recompute(llama, text + more)[20:])
    paged.check()


def test_a_fork_goes_on_beside_its_origin(llama: Any) -> None:
    paged, text = PagedModel(llama, num_pages=32, page_size=8), random_tokens(20)
    first = paged.open(text)
    run_chunks(paged, first, text, [20])
    second = paged.fork(first)
    for seed, sequence in ((5, second), (6, first)):
        other = random_tokens(7, seed=seed)
        assert_close(run_chunks(paged, sequence, other, [1, 6]), recompute(llama, text + other)[20:])
    paged.check()


def test_bfloat16_and_grouped_heads() -> None:
    for name in ("llama", "gemma2-softcap"):
        model = make_model(name, dtype=torch.bfloat16)
        paged, tokens = PagedModel(model, num_pages=16, page_size=4), random_tokens(24)
        assert paged.layout.dtype == torch.float32  # the kernel of attention reads it in place
        expected = recompute(model, tokens)
        logits = run_chunks(paged, paged.open(tokens), tokens, [10, 1, 1, 12])
        assert logits.dtype == torch.bfloat16
        assert (logits - expected).abs().max() < 0.1 * expected.abs().max()
        assert (logits - expected).abs().mean() < 0.01 * expected.abs().max()


def test_bfloat16_is_not_packed_where_onednn_can_not(monkeypatch: pytest.MonkeyPatch) -> None:
    """As with ONEDNN_MAX_CPU_ISA=AVX2, or on a processor without AVX-512."""
    monkeypatch.setattr(torch.ops.mkldnn, "_is_mkldnn_bf16_supported", lambda: False)
    dtypes = (torch.bfloat16, torch.float32)
    kinds = [type(PagedModel(make_model("llama", dtype), num_pages=4)._runner.twin) for dtype in dtypes]
    assert kinds == [LlamaNetwork, PackedLlama]


def test_rounding_refuses_no_llama_in_bfloat16(monkeypatch: pytest.MonkeyPatch) -> None:
    """Our network is not held against itself: SmolLM2 with an adapter was off by 12 % in that comparison."""
    monkeypatch.setattr(support, "HALF_PROBE_TOLERANCE", -1.0)
    network = own_network(make_model("llama", torch.bfloat16))
    assert network is not None
    for model in (make_model("llama", torch.bfloat16), network):
        assert PagedModel(model, num_pages=4).layout.num_layers == 3
    with pytest.raises(UnsupportedModelError, match="other logits"):
        PagedModel(make_model("qwen3", torch.bfloat16), num_pages=4)


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("is_own", [False, True])
def test_weights_that_are_no_numbers_are_refused(dtype: torch.dtype, is_own: bool) -> None:
    model = make_model("llama", dtype)
    with torch.no_grad():
        model.model.layers[1].self_attn.q_proj.weight[0, 0] = float("nan")
    with pytest.raises(UnsupportedModelError, match="not finite"):
        PagedModel(own_network(model) if is_own else model, num_pages=4)


def test_packed_products_are_compared_in_float32(monkeypatch: pytest.MonkeyPatch) -> None:
    """A processor may have a fault that only its packed products show."""
    apply = packed_llama.PackedLinear.forward
    monkeypatch.setattr(packed_llama.PackedLinear, "forward", lambda self, hidden: apply(self, hidden) * 1.5)
    with pytest.raises(UnsupportedModelError, match="other logits"):
        PagedModel(own_network(make_model("llama")), num_pages=4)


def test_float64_is_not_rounded() -> None:
    """Our network computes norms in another type than transformers' Llama in float64, so it is for others."""
    assert own_network(make_model("llama", dtype=torch.float64)) is None
    model, tokens = make_model("gpt2", dtype=torch.float64), random_tokens(24)
    paged = PagedModel(model, num_pages=16, page_size=4)
    assert paged.layout.dtype == torch.float64
    logits = run_chunks(paged, paged.open(tokens), tokens, [10, 1, 1, 12])
    with torch.inference_mode():
        expected = model(input_ids=torch.tensor([tokens]), use_cache=False).logits[0]
    torch.testing.assert_close(logits, expected, atol=1e-10, rtol=0)


def test_llamas_run_in_our_own_network(llama: Any) -> None:
    """Others do not: other classes, other settings, and models with further weights."""
    tokens = random_tokens(9)
    network = own_network(llama)
    assert network is not None
    torch.testing.assert_close(recompute(network, tokens), recompute(llama, tokens), rtol=1e-4, atol=1e-4)
    further = make_model("llama")
    further.model.layers[1].mlp.adapter = torch.nn.Linear(2, 2)
    for other in (make_model("qwen3"), make_model("llama", attention_bias=True), further):
        assert own_network(other) is None
    class_of_others = type("LlamaForCausalLM", (type(llama),), {"__module__": "their_code"})
    assert own_network(class_of_others(llama.config).eval()) is None


def hook_a_layer(model: Any) -> None:
    model.model.layers[1].mlp.register_forward_hook(lambda layer, inputs, output: output + 1.0)


def hook_inputs(model: Any) -> None:
    model.lm_head.register_forward_pre_hook(lambda layer, inputs: (inputs[0] + 1.0,))


def replace_a_forward(model: Any) -> None:
    model.model.layers[0].mlp.forward = lambda hidden: hidden * 2.0


def replace_a_module(model: Any) -> None:
    class Larger(torch.nn.Linear):
        def forward(self, input: torch.Tensor) -> torch.Tensor:
            return 2.0 * super().forward(input)

    model.model.layers[0].mlp.up_proj.__class__ = Larger


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("change", [hook_a_layer, hook_inputs, replace_a_forward, replace_a_module])
def test_what_is_hooked_into_a_llama_counts(change: Callable[[Any], None], dtype: torch.dtype) -> None:
    model, tokens = make_model("llama"), random_tokens(12)
    before = recompute(model.to(dtype), tokens)
    change(model)
    expected = recompute(model.to(dtype), tokens)
    paged = PagedModel(model, num_pages=16, page_size=4)
    logits = run_chunks(paged, paged.open(tokens), tokens, [7, 1, 4]).float()
    assert (logits - expected).abs().mean() < 0.5 * (expected - before).abs().mean()


def test_a_changed_attribute_of_a_llama_counts() -> None:
    """The network lacks it; the test run at loading sees that."""
    model, tokens = make_model("llama"), random_tokens(12)
    model.model.layers[0].self_attn.scaling *= 3.0
    paged = PagedModel(model, num_pages=16, page_size=4)
    assert type(paged._runner.twin) is type(model)
    assert_close(run_chunks(paged, paged.open(tokens), tokens, [7, 1, 4]), recompute(model, tokens))


def test_llamas_elsewhere_stay_as_they_are() -> None:
    """On another device, and with a part on another one."""
    model = make_model("llama")
    model.model.layers[1].to("meta")
    assert own_network(model) is None


def test_pages_of_any_size(llama: Any) -> None:
    for page_size in (1, 3, 16, 64):
        paged, tokens = PagedModel(llama, num_pages=40, page_size=page_size), random_tokens(37)
        assert_close(run_chunks(paged, paged.open(tokens), tokens, [33, 1, 1, 2]), recompute(llama, tokens))


def test_what_one_sequence_leaves_behind_does_not_reach_another(llama: Any, attention: str) -> None:
    """A sequence whose values became infinite must not poison those that run beside or after it."""
    paged = PagedModel(llama, num_pages=4, page_size=4, prefix_caching=False, attention=attention)
    broken = paged.open([5])
    assert paged.reserve(broken, 16)
    paged.forward([Chunk(broken, random_tokens(16), [])])
    for tensor in (paged._storage.keys, paged._storage.values):
        tensor[:, broken.pages.tolist()] = float("inf")
    paged.truncate(broken, 12)
    tokens = random_tokens(9)
    sequence = paged.open(tokens)
    logits = []
    for token in tokens:
        assert paged.reserve(sequence, 1)
        paged.reserve(broken, 0)
        logits.append(paged.forward([Chunk(sequence, [token], [0])]))
    assert_close(torch.cat(logits), recompute(llama, tokens))


def test_an_exhausted_pool_changes_nothing(llama: Any) -> None:
    paged, tokens = PagedModel(llama, num_pages=4, page_size=4), random_tokens(12)
    sequence, other = paged.open(tokens), paged.open(random_tokens(5, 1))
    run_chunks(paged, sequence, tokens, [12])
    assert paged.reserve(other, 4)
    assert paged.usage == 1.0
    assert not paged.reserve(sequence, 1)
    assert not paged.reserve(other, 5)
    paged.check()
    paged.close(other)
    assert_close(run_chunks(paged, sequence, [7], [1]), recompute(llama, tokens + [7])[12:])


def test_a_forward_that_fails_changes_nothing(llama: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    paged, tokens = PagedModel(llama, num_pages=16, page_size=4), random_tokens(12)
    sequence = paged.open(tokens)
    run_chunks(paged, sequence, tokens[:6], [6])
    assert paged.reserve(sequence, 6)
    with monkeypatch.context() as patch:
        patch.setattr(paged._runner.twin.get_output_embeddings(), "forward", lambda hidden: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            paged.forward([Chunk(sequence, tokens[6:], [5])])
    assert sequence.num_tokens == 6
    paged.check()
    assert_close(run_chunks(paged, sequence, tokens[6:], [6]), recompute(llama, tokens)[6:])


def test_no_logits_wanted(llama: Any) -> None:
    paged, tokens = PagedModel(llama, num_pages=16, page_size=4), random_tokens(12)
    sequence = paged.open(tokens)
    assert paged.reserve(sequence, 12)
    assert paged.forward([Chunk(sequence, tokens[:11])]).shape == (0, VOCAB_SIZE)
    assert_close(paged.forward([Chunk(sequence, tokens[11:], [0])]), recompute(llama, tokens)[11:])


def test_wrong_chunks_are_refused(llama: Any) -> None:
    paged = PagedModel(llama, num_pages=4, page_size=4)
    sequence, closed = paged.open([1, 2, 3]), paged.open([1])
    paged.close(closed)
    assert paged.reserve(sequence, 3)
    for chunks, message in (
        ([], "at least one chunk"),
        ([Chunk(sequence, [], [])], "at least one token"),
        ([Chunk(sequence, [1], [0]), Chunk(sequence, [2], [0])], "one chunk of a sequence"),
        ([Chunk(sequence, [1, 2, 3, 4, 5], [4])], "no room for 5"),
        ([Chunk(sequence, [1, 2], [2])], "logit position"),
        ([Chunk(closed, [1], [0])], "closed"),
        ([Chunk(PagedModel(llama, num_pages=1).open([1]), [1], [0])], "another PagedModel"),
    ):
        with pytest.raises(ValueError, match=message):
            paged.forward(chunks)
    with pytest.raises(ValueError, match="at least 1"):
        PagedModel(llama, num_pages=0)


def test_wrong_attentions_are_refused(llama: Any) -> None:
    with pytest.raises(ValueError, match="'auto', 'numba' or 'torch', not 'flash'"):
        PagedModel(llama, num_pages=4, attention="flash")


def test_the_model_itself_is_not_changed(llama: Any) -> None:
    implementation, before = llama.config._attn_implementation, recompute(llama, [5, 6, 7])
    llama.train()
    try:
        paged = PagedModel(llama, num_pages=4, page_size=4)
        assert llama.training
    finally:
        llama.eval()
    assert llama.config._attn_implementation == implementation
    assert torch.equal(recompute(llama, [5, 6, 7]), before)
    assert not paged._runner.twin.training


@pytest.mark.parametrize(
    ("model_class", "config", "message"),
    [
        (
            "T5ForConditionalGeneration",
            transformers.T5Config(vocab_size=64, d_model=16, num_layers=1),
            "encoder-decoder",
        ),
        ("BloomForCausalLM", transformers.BloomConfig(vocab_size=64, hidden_size=16, n_layer=1, n_head=2), "interface"),
        (
            "LlamaForCausalLM",
            transformers.LlamaConfig(
                **SIZES,
                rope_parameters={
                    "rope_type": "longrope",
                    "rope_theta": 1e4,
                    "short_factor": [1.0] * 4,
                    "long_factor": [2.0] * 4,
                    "original_max_position_embeddings": 64,
                },
            ),
            "longrope",
        ),
        (
            "Llama4ForCausalLM",
            transformers.Llama4TextConfig(
                **SIZES, intermediate_size_mlp=32, num_local_experts=2, attention_chunk_size=8
            ),
            "chunked_attention",
        ),
    ],
)
def test_models_that_cannot_be_paged_say_why(model_class: str, config: Any, message: str) -> None:
    model = getattr(transformers, model_class)(config).eval()
    with pytest.raises(UnsupportedModelError, match=message):
        PagedModel(model, num_pages=4)


def test_attention_with_sinks_is_refused() -> None:
    """gpt-oss adds a learned sink to the softmax."""
    sizes = SIZES | {"num_local_experts": 2, "num_experts_per_tok": 1}
    torch.manual_seed(0)
    model = transformers.GptOssForCausalLM(transformers.GptOssConfig(**sizes)).eval()
    with pytest.raises(UnsupportedModelError, match="'s_aux'"):
        PagedModel(model, num_pages=4)


def test_attention_that_differs_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """What no rule names shows in the logits of a few tokens, which are compared when the model is taken."""
    model = make_model("qwen3")
    monkeypatch.setattr(
        "guided.engines.local.paged.attention.AttentionOptions",
        lambda scaling, *rest: AttentionOptions(0.5 * scaling, *rest),
    )
    with pytest.raises(UnsupportedModelError, match="other logits"):
        PagedModel(model, num_pages=4)


@settings(max_examples=examples(15), deadline=None)
@given(data=st.data(), name=st.sampled_from(["llama", "gemma2-softcap", "gpt2"]))
def test_any_order_of_operations_equals_full_recomputation(data: st.DataObject, name: str) -> None:
    """Few pages, few tokens: prefixes are shared, evicted and rewritten all the time."""
    model = MODELS.setdefault(name, make_model(name))
    attention = data.draw(st.sampled_from(["numba", "torch"]))
    paged = PagedModel(model, num_pages=12, page_size=3, attention=attention, hasher=one_of_three_hashes)
    texts: list[tuple[PagedSequence, list[int]]] = []
    tokens_of = st.lists(st.integers(3, 4), min_size=1, max_size=9)
    for _ in range(data.draw(st.integers(4, 12))):
        action = data.draw(st.sampled_from(["open", "open", "run", "run", "run", "truncate", "close"]))
        if action == "open":
            text = data.draw(tokens_of)
            texts.append((sequence := paged.open(text), text[: sequence.num_tokens]))
        elif action == "run":
            step_forward(data, model, paged, texts, tokens_of)
        elif texts:
            sequence, text = data.draw(st.sampled_from(texts))
            if action == "close":
                paged.close(sequence)
                texts.remove((sequence, text))
            else:
                num_tokens = data.draw(st.integers(0, len(text)))
                paged.truncate(sequence, num_tokens)
                del text[len(text) - num_tokens :]
        paged.check()
    for sequence, _ in texts:
        paged.close(sequence)
    paged.check()
    assert paged.num_free_pages == 12
    assert not paged._blocks._open


MODELS: dict[str, Any] = {}


def one_of_three_hashes(parent_hash: bytes, token_ids: tuple[int, ...]) -> bytes:
    return bytes([sum(token_ids) % 3])


def step_forward(data: st.DataObject, model: Any, paged: PagedModel, texts: list[Any], tokens_of: Any) -> None:
    """Run some tokens of some sequences in one forward and compare all logits."""
    chunks, wanted = [], []
    for sequence, text in texts:
        tokens = data.draw(st.one_of(st.just([]), st.just([3]), tokens_of))
        if tokens and paged.reserve(sequence, len(tokens)):
            chunks.append(Chunk(sequence, tokens, list(range(len(tokens)))))
            text.extend(tokens)
            wanted.append(recompute(model, text)[-len(tokens) :])
    if chunks:
        assert_close(paged.forward(chunks), torch.cat(wanted))


def test_pairwise_chunks_cover_the_text(llama: Any) -> None:
    """Prefill in chunks beside decoding rows, as the engine does it: each step's logits are those of the whole text."""
    paged = PagedModel(llama, num_pages=64, page_size=4)
    decoding = [random_tokens(30, seed) for seed in range(4)]
    rows = [paged.open(text) for text in decoding]
    for row, text in zip(rows, decoding, strict=True):
        run_chunks(paged, row, text[:20], [20])
    prompt = random_tokens(33, seed=9)
    late = paged.open(prompt)
    for step, (start, stop) in enumerate(pairwise([0, 8, 16, 24, 33])):
        chunks = [Chunk(late, prompt[start:stop], [stop - start - 1])]
        chunks += [Chunk(row, [text[20 + step]], [0]) for row, text in zip(rows, decoding, strict=True)]
        assert all(paged.reserve(chunk.sequence, len(chunk.token_ids)) for chunk in chunks)
        expected = [recompute(llama, prompt)[stop - 1], *(recompute(llama, text)[20 + step] for text in decoding)]
        assert_close(paged.forward(chunks), torch.stack(expected))
