"""Finds and loads `transformers` models: by a folder, by a Hugging Face hub name, or as a loaded model.

The model in the package has a network of its own and needs no `transformers`.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import torch
from safetensors import SafetensorError

from guided.grammars.errors import GuidedError, InvalidInputError
from guided.grammars.vocabulary import Vocabulary

from ...embedded.files import is_embedded
from ...embedded.loading import load_chat_tokenizer, load_config, load_eos_token_ids, load_network
from ...errors import ModelNotFoundError, UnsupportedModelError
from ...models.cache import cached
from ...models.find import checked_dtype
from ...models.folders import checkpoint_in, is_model_folder, model_folder
from ...models.hub import HUB_TIMEOUT_S, first_line, hub_errors
from ..factory import EngineOptions, LoadedEngine, refuse_engine_args
from .checkpoints import TELLS_KEYS, load_checkpoint
from .llama_folder import load_llama, load_plain_tokenizer
from .threads import running_in
from .transformers import TransformersEngine, eos_token_ids_of, logits_width

T = TypeVar("T")

log = logging.getLogger(__name__)


def load_transformers_engine(model: Any, options: EngineOptions) -> LoadedEngine:
    """Load a `TransformersEngine`.

    model: a folder, a hub name, or a loaded model; a loaded model needs `options.tokenizer`, too.
    options: see `guided.LLM`. `limits` is ignored: this engine gets compiled grammars.
    A folder or a model in the local cache needs no network. The hub is asked only for a name that is not cached, and
    never with HF_HUB_OFFLINE=1. Raises the errors that `guided.LLM` lists.
    """
    refuse_engine_args(options.engine_args, "transformers")
    if isinstance(model, str | os.PathLike):
        name = os.fspath(model)
        loaded_model, loaded_tokenizer = _load_files(name, options.tokenizer, options.device, options.dtype)
    else:
        name = _check_loaded(model, options.tokenizer, options.device, options.dtype)
        loaded_model, loaded_tokenizer = model, options.tokenizer
    eos_token_ids = eos_token_ids_of(loaded_model.generation_config)
    vocabulary = _read_vocabulary(loaded_tokenizer, logits_width(loaded_model), eos_token_ids)
    engine = TransformersEngine(
        loaded_model,
        vocabulary,
        model_name=_short_name(name),
        tokenizer=loaded_tokenizer,
        settings=options.settings,
        processor_settings=options.processor_settings,
    )
    log.info(
        "loaded %s on %s as %s: a vocabulary of %d tokens, a context of %d%s",
        *(name, loaded_model.device, loaded_model.dtype, vocabulary.size, engine.max_context_tokens),
        "" if engine.num_threads is None else f", {engine.num_threads} threads",
    )
    return LoadedEngine(engine, loaded_tokenizer)


def _short_name(name: str) -> str:
    """The name of the model's folder, also if `name` is a checkpoint in it; else `name` itself."""
    folder = model_folder(name)
    return Path(folder).resolve().name if Path(folder).is_dir() else name


def load_text_side(name: str) -> tuple[Any, Vocabulary, Any]:
    """(tokenizer, vocabulary, config) of a model, without its weights. name: folder or hub name."""
    name = model_folder(name)
    if is_embedded(name):
        own = load_config()
        chat_tokenizer = load_chat_tokenizer()
        vocabulary = _read_vocabulary(chat_tokenizer, own.vocab_size, frozenset(load_eos_token_ids()))
        return chat_tokenizer, vocabulary, own
    from transformers import AutoConfig, GenerationConfig

    config = _load(name, lambda local: AutoConfig.from_pretrained(name, local_files_only=local))
    tokenizer = _load(name, lambda local: _load_tokenizer(name, local))
    try:
        generation_config = _load(name, lambda local: GenerationConfig.from_pretrained(name, local_files_only=local))
    except ModelNotFoundError:  # the file is optional; without it transformers reads config.json too
        generation_config = GenerationConfig.from_model_config(config)
    width = config.get_text_config().vocab_size
    vocabulary = _read_vocabulary(tokenizer, width, eos_token_ids_of(generation_config))
    return tokenizer, vocabulary, config


def _read_vocabulary(tokenizer: Any, width: int, eos_token_ids: frozenset[int]) -> Vocabulary:
    """The vocabulary of a tokenizer.

    width: number of columns of the model's logits.
    eos_token_ids: tokens that end a text, besides the tokenizer's end-of-sequence tokens.
    """
    named = tokenizer.eos_token_id
    own = frozenset() if named is None else frozenset([named] if isinstance(named, int) else named)
    return Vocabulary.from_tokenizer(tokenizer, vocab_size=width, eos_token_ids=eos_token_ids | own)


def _check_loaded(model: Any, tokenizer: Any, device: str, dtype: str) -> str:
    """The name of a loaded model. Raises InvalidInputError if the arguments don't fit together."""
    from transformers import PreTrainedModel
    from transformers.tokenization_utils_base import PreTrainedTokenizerBase

    if not isinstance(model, PreTrainedModel):
        raise InvalidInputError(
            f"model must be a folder, a hub name or a transformers PreTrainedModel, not {type(model).__name__}"
        )
    if not isinstance(tokenizer, PreTrainedTokenizerBase):
        raise InvalidInputError("a loaded model needs its loaded tokenizer: LLM(model, tokenizer=tokenizer)")
    if device != "auto" or dtype != "auto":
        raise InvalidInputError("device and dtype are for models loaded by name; move the loaded model yourself")
    return model.name_or_path or type(model).__name__


def _load_files(name: str, tokenizer: Any, device: str, dtype: str) -> tuple[Any, Any]:
    target_device = _resolve_device(device)
    target_dtype = _resolve_dtype(dtype, target_device)
    if is_embedded(name):
        with running_in(1):  # the model is small: several threads would mostly wait for each other
            model: Any = load_network(target_dtype if isinstance(target_dtype, torch.dtype) else None)
    else:
        model = _load(name, lambda local: _load_model(name, target_device, target_dtype, local))
    name = model_folder(name)
    if tokenizer is None or isinstance(tokenizer, str | os.PathLike):
        tokenizer_name = name if tokenizer is None else os.fspath(tokenizer)
        if is_embedded(tokenizer_name):
            tokenizer = load_chat_tokenizer()
        else:
            tokenizer = _load(tokenizer_name, lambda local: _load_tokenizer(tokenizer_name, local))
    return model.to(target_device), tokenizer


def _load(name: str, load: Callable[[bool], T]) -> T:
    """Call `load(True)`, which reads a folder or the local cache. If a hub name is not cached, call `load(False)`,
    which may use the network.

    Raises ModelNotFoundError and UnsupportedModelError.
    """
    is_folder = is_model_folder(name)
    try:
        try:
            return load(True)
        except (OSError, ValueError):
            if is_folder:
                raise
        log.info("%s is not complete in the local cache; asking the Hugging Face hub", name)
        _check_hub(name)
        return load(False)
    except SafetensorError as error:
        raise ModelNotFoundError(f"the weights in {name!r} are damaged: {error}; {_advice_on_damage(name)}") from error
    except hub_errors() as error:
        raise ModelNotFoundError(f"can't load {name!r}: {first_line(error)}") from error
    except ValueError as error:
        if isinstance(error, GuidedError):
            raise
        raise UnsupportedModelError(f"can't load {name!r}: {first_line(error)}") from error


def _advice_on_damage(name: str) -> str:
    """Advice about damaged weights: a folder in the cache can be made again."""
    is_cached = Path(name).resolve().is_relative_to(cached("").resolve())
    return "delete that folder, and it is made again" if is_cached else "delete that file and get it again"


def _load_model(name: str, device: torch.device, dtype: torch.dtype | str, local_files_only: bool) -> Any:
    if device.type == "cpu" and isinstance(dtype, torch.dtype):
        network = load_llama(Path(name), dtype)
        if network is not None:
            return network
    from transformers import AutoModelForCausalLM

    checkpoint = checkpoint_in(name)
    # With output_loading_info it returns a pair, which its annotation does not say.
    loaded: Any = (
        load_checkpoint(checkpoint, dtype)
        if checkpoint is not None
        else AutoModelForCausalLM.from_pretrained(name, dtype=dtype, local_files_only=local_files_only, **TELLS_KEYS)
    )
    model, info = loaded
    absent = sorted(info["missing_keys"]) + sorted(str(key) for key in info["mismatched_keys"])
    if absent:
        raise UnsupportedModelError(
            f"model {name!r} is incomplete: no usable weights for {absent[0]} ({len(absent)} tensors in all)"
        )
    return model


def _load_tokenizer(name: str, local_files_only: bool) -> Any:
    plain = load_plain_tokenizer(Path(name))
    if plain is not None:
        return plain
    from transformers import AutoTokenizer

    return AutoTokenizer.from_pretrained(name, local_files_only=local_files_only)


def _check_hub(name: str) -> None:
    """Raise ModelNotFoundError unless the hub has the model. A quick request replaces many retried downloads."""
    from huggingface_hub import HfApi
    from huggingface_hub.errors import OfflineModeIsEnabled, RepositoryNotFoundError

    advice = "give an existing folder, a cached model, or 'embedded' for the small one"
    try:
        HfApi().model_info(name, timeout=HUB_TIMEOUT_S)
    except RepositoryNotFoundError as error:
        raise ModelNotFoundError(f"no folder {name!r}, and the Hugging Face hub has no such model; {advice}") from error
    except OfflineModeIsEnabled as error:
        raise ModelNotFoundError(
            f"no folder {name!r}, not in the local cache, and HF_HUB_OFFLINE is set; {advice}"
        ) from error
    except hub_errors() as error:
        raise ModelNotFoundError(
            f"no folder {name!r}, not in the local cache, and the hub can't be asked ({first_line(error)}); {advice}"
        ) from error


def _resolve_device(device: str) -> torch.device:
    """The device by its name; "auto": the first CUDA device if there is one, else the CPU. Raises InvalidInputError."""
    if device == "auto":
        device = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        return torch.empty(0, device=device).device
    except (RuntimeError, AssertionError) as error:
        raise InvalidInputError(f"device {device!r} can't be used: {first_line(error)}") from error


def _resolve_dtype(dtype: str, device: torch.device) -> torch.dtype | str:
    """The dtype by its name; "auto": the checkpoint's own dtype, but float32 on a CPU, where half precision is slower.

    Raises InvalidInputError.
    """
    if dtype == "auto":
        return torch.float32 if device.type == "cpu" else "auto"
    found: torch.dtype = getattr(torch, checked_dtype(dtype))
    return found
