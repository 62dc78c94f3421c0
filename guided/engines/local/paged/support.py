"""Finds out if a model can run on pages, by a test run.

A twin of the model, with the same weights in its own modules, gets the paged attention. A first run of a few tokens
records the attention calls of its layers. A second run packs chunks of two sequences; it must give the logits that the
model gave for each sequence alone. A model without the attention interface, or with layers that keep another kind of
state, is refused with the reason. The comparison of logits catches all other differences.

In half precision, our own network must only give finite logits in the second run: a comparison could not tell a fault
from rounding. SmolLM2 with an adapter in bfloat16: packed and plain products differ by 12 % of the largest logit on
special tokens; the packed ones are 1 % from float32.
"""

from __future__ import annotations

import copy
import inspect
from typing import TYPE_CHECKING, Any

import torch

from ....embedded.network import Config, LlamaNetwork, has_weights, unsupported_setting
from ....errors import UnsupportedModelError
from ..threads import PARAMETERS_PER_PROBE_THREAD, default_num_threads, running_in
from .attention import AttentionOptions, answer_layers, use_paged_attention
from .block_manager import BlockManager
from .packed_weights import packed_types
from .runner import PackedRunner
from .sequence import Chunk
from .storage import HALF_TYPES, KVLayout, KVStorage, stored_dtype

if TYPE_CHECKING:
    from transformers import PreTrainedModel

PROBES = ([0, 1, 2, 3, 4], [4, 3, 2])
PROBE_TOLERANCE = 0.001
"""Largest difference of logits from the model's own in float32 or float64, as a share of the largest logit."""
HALF_PROBE_TOLERANCE = 0.1  # like PROBE_TOLERANCE, for bfloat16 and float16, which have 8 and 11 bits
LAYER_TYPES = frozenset({"full_attention", "sliding_attention"})
POSITION_DEPENDENT_ROPE = "longrope"
LLAMA_CLASS = "transformers.models.llama.modeling_llama.LlamaForCausalLM"
NETWORK_TYPES = HALF_TYPES | {torch.float32}
PLAIN_PACKAGES = frozenset({"torch", "transformers", __name__.partition(".")[0]})


class Survey:
    """A `PagedPass` that records the keys and values of each layer's call, and returns zeros."""

    def __init__(self) -> None:
        self.calls: list[tuple[int, torch.Tensor, torch.Tensor]] = []

    def attend(
        self, layer: int, query: torch.Tensor, key: torch.Tensor, value: torch.Tensor, options: AttentionOptions
    ) -> torch.Tensor:
        """Record the call. Returns zeros of the shape of `PagedPass.attend`."""
        self.calls.append((layer, key, value))
        return query.new_zeros(query.shape[1], query.shape[0], value.shape[-1])


def prepare(model: PreTrainedModel, attention: str) -> tuple[Any, KVLayout]:
    """(the model's twin for a `PackedRunner`, the layout of its keys and values). The model itself does not change.

    attention: name of the attention, as in `PagedModel`.
    Raises UnsupportedModelError if the model can't run on pages.
    """
    check_config(model)
    tensors = {id(tensor): tensor for tensor in (*model.parameters(), *model.buffers())}
    twin: Any = copy.deepcopy(model, tensors).eval()  # type: ignore[no-untyped-call]
    with running_in(default_num_threads(model, PARAMETERS_PER_PROBE_THREAD)):
        twin, expected = _fastest(twin)
        use_paged_attention(twin)
        layout = survey_layout(twin)
        if isinstance(twin, LlamaNetwork) and _is_plain(twin) and twin.dtype in packed_types():
            from .packed_llama import PackedLlama  # loads its kernels on import

            twin = PackedLlama(twin).eval()
        _check_logits(twin, layout, attention, expected)
    return twin, layout


def own_network(model: Any) -> LlamaNetwork | None:
    """Our own network with the weights of a plain Llama of transformers on a CPU; None for other models.

    Other models have another class, settings that our network lacks, other weights (adapters), hooks or replaced
    methods; are in float64; or lie on another device.
    """
    if f"{type(model).__module__}.{type(model).__name__}" != LLAMA_CLASS or not _is_plain(model):
        return None
    if model.dtype not in NETWORK_TYPES:
        return None
    settings = model.config.to_dict()
    if unsupported_setting(settings) is not None:
        return None
    config, weights = Config.of(settings), model.state_dict()
    return LlamaNetwork(config, weights, None).eval() if has_weights(config, weights) else None


def _is_plain(model: torch.nn.Module) -> bool:
    """True if the model is on a CPU, and all its modules are torch's, transformers' or ours, without hooks."""
    return all(tensor.device.type == "cpu" for tensor in (*model.parameters(), *model.buffers())) and not any(
        module._forward_hooks
        or module._forward_pre_hooks
        or "forward" in vars(module)
        or not {_package(type(module)), _package(type(module).forward)} <= PLAIN_PACKAGES
        for module in model.modules()
    )


def _package(defined: Any) -> str:
    """The package that defines a class or function."""
    package: str = defined.__module__.partition(".")[0]
    return package


def _fastest(twin: Any) -> tuple[Any, list[torch.Tensor] | None]:
    """(our own network, or the twin if our own can't run this model; the logits that the test run must give, or None).

    For our own network in half precision the logits are None: rounding alone changes them by more than a test allows.
    In float32 our network must give the model's own logits: changed attributes of modules show only in these.
    """
    network = twin if isinstance(twin, LlamaNetwork) else own_network(twin)
    if network is not None and twin.dtype in HALF_TYPES:
        return network, None
    expected = _probe(twin)
    if network is None or network is twin:
        return twin, expected
    is_equal = all(_error(*both) <= PROBE_TOLERANCE for both in zip(_probe(network), expected, strict=True))
    return (network if is_equal else twin), expected


def survey_layout(twin: Any) -> KVLayout:
    """The layout of a twin's keys and values.

    Raises UnsupportedModelError if layers differ, or do not use the attention.
    """
    survey = Survey()
    tokens = torch.zeros(1, 2, dtype=torch.int64, device=twin.device)
    with torch.inference_mode(), answer_layers(survey):
        twin(input_ids=tokens, position_ids=torch.arange(2, device=twin.device)[None], use_cache=False)
    num_layers = twin.config.get_text_config().num_hidden_layers
    name = type(twin).__name__
    if [layer for layer, _, _ in survey.calls] != list(range(num_layers)):
        called = [layer for layer, _, _ in survey.calls]
        raise UnsupportedModelError(
            f"{name} has {num_layers} layers, but its attention function was called for {called}; "
            "every layer must keep its own keys and values"
        )
    shapes = {(key.shape, value.shape, key.dtype, key.device) for _, key, value in survey.calls}
    if len(shapes) > 1:
        raise UnsupportedModelError(f"{name}: keys and values differ in shape or device between layers")
    _, key, value = survey.calls[0]
    return KVLayout(num_layers, key.shape[0], key.shape[2], value.shape[2], stored_dtype(twin), key.device)


def check_config(model: PreTrainedModel | LlamaNetwork) -> None:
    """Raise UnsupportedModelError if a model's class or config shows that it can't run on pages."""
    if isinstance(model, LlamaNetwork):
        return
    name, config = type(model).__name__, model.config.get_text_config()
    if model.config.is_encoder_decoder:
        raise UnsupportedModelError(f"{name} is an encoder-decoder model; use a causal language model")
    if not model._can_set_attn_implementation():
        raise UnsupportedModelError(
            f"{name} does not use transformers' attention interface, so its keys and values can't be kept in pages"
        )
    if "position_ids" not in inspect.signature(model.forward).parameters:
        raise UnsupportedModelError(f"{name} takes no position_ids, so sequences can't be packed into one forward")
    other_types = set(getattr(config, "layer_types", None) or ()) - LAYER_TYPES
    if other_types:
        raise UnsupportedModelError(
            f"{name} has layers of type {', '.join(sorted(other_types))}; "
            f"only {', '.join(sorted(LAYER_TYPES))} can be paged"
        )
    if not getattr(config, "is_causal", True):
        raise UnsupportedModelError(f"{name} attends in both directions; use a causal language model")
    if POSITION_DEPENDENT_ROPE in str(getattr(config, "rope_parameters", None)):
        raise UnsupportedModelError(
            f"{name} uses {POSITION_DEPENDENT_ROPE} position embeddings, whose frequencies change with the length of "
            "the text; cached keys and packed sequences of different lengths would be wrong"
        )


def _probe(model: Any) -> list[torch.Tensor]:
    """The logits after the last token of each probe, (V,), without any cache."""
    inputs = [torch.tensor([token_ids], device=model.device) for token_ids in PROBES]
    with torch.inference_mode():
        return [model(input_ids=one, use_cache=False).logits[0, -1].float() for one in inputs]


def _error(logits: torch.Tensor, expected: torch.Tensor) -> float:
    """The largest difference, as a share of the largest expected logit; NaN if one of them is."""
    return float((logits - expected).abs().max() / expected.abs().max())


def _check_logits(twin: Any, layout: KVLayout, attention: str, expected: list[torch.Tensor] | None) -> None:
    """Run both probes packed in chunks. Raises UnsupportedModelError unless all logits are finite and as expected.

    expected: logits of each probe; None: any finite logits will do.
    """
    storage = KVStorage(layout, num_pages=4, page_size=4)
    runner = PackedRunner(twin, storage, attention)
    blocks = BlockManager(4, 4, storage, prefix_caching=False)
    sequences = [blocks.open(tokens) for tokens in PROBES]
    for tokens, sequence in zip(PROBES, sequences, strict=True):
        blocks.reserve(sequence, len(tokens))
    logits: dict[int, torch.Tensor] = {}
    for start, stop in ((0, 2), (2, 3), (3, 5)):
        rows = [i for i, tokens in enumerate(PROBES) if len(tokens) >= stop]
        chunks = [Chunk(sequences[i], PROBES[i][start:stop], [stop - start - 1]) for i in rows]
        logits.update(zip(rows, runner.run(chunks).float(), strict=True))
        for chunk in chunks:
            blocks.commit(chunk.sequence, chunk.token_ids)
    if not all(one.isfinite().all() for one in logits.values()):
        raise UnsupportedModelError(
            f"{type(twin).__name__} gives logits that are not finite; its weights may be damaged"
        )
    tolerance = HALF_PROBE_TOLERANCE if twin.dtype in HALF_TYPES else PROBE_TOLERANCE
    for i, one in enumerate(expected or ()):
        error = _error(logits[i], one)
        if not error <= tolerance:
            raise UnsupportedModelError(
                f"{type(twin).__name__} gives other logits on paged keys and values than by itself (off by "
                f"{error:.2g} of the largest, {tolerance} is allowed); paged attention can't reproduce this model's"
            )
