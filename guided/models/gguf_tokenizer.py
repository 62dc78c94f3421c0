"""`write_tokenizer`: a GGUF file's tokenizer as standard files, with its chat template and special tokens.

`transformers` builds the vocabulary and the merges. This module adds what decides where a text is cut first
(`PRE_TOKENIZERS`), and refuses vocabularies that contradict themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import ModelNotFoundError, UnsupportedModelError
from .gguf_header import Header

_KEY = "tokenizer.ggml."
_CONTROL = 3  # type of a token that marks something and is no text

_WORD = r"[^\r\n\p{L}\p{N}]?\p{L}+"
_SPACES = r"\s*[\r\n]+|\s+(?!\S)|\s+"
_REST = rf" ?[^\s\p{{L}}\p{{N}}]+[\r\n]*|{_SPACES}"
_CONTRACTIONS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)"
_UPPER, _LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
_CASED = rf"[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]*[{_LOWER}]+|[^\r\n\p{{L}}\p{{N}}]?[{_UPPER}]+[{_LOWER}]*"


@dataclass(frozen=True)
class PreTokenizer:
    """The rules of byte-level BPE for cutting a text into pieces before it merges.

    pattern: the pieces; None: those of GPT-2.
    splits_digits: each digit is a piece of its own, found before all others.
    ignores_merges: a piece that is a token is not merged.
    adds_bos: the tokenizer begins a text with its first token if the file does not say.
    normalizes: texts are brought into Unicode's form NFC.
    """

    pattern: str | None = None
    splits_digits: bool = False
    ignores_merges: bool = False
    adds_bos: bool = False
    normalizes: bool = False


_LLAMA3 = PreTokenizer(rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}{{1,3}}|{_REST}", ignores_merges=True, adds_bos=True)
_QWEN2 = PreTokenizer(rf"{_CONTRACTIONS}|{_WORD}|\p{{N}}|{_REST}", normalizes=True)
_TEKKEN = PreTokenizer(
    rf"{_CASED}|\p{{N}}| ?[^\s\p{{L}}\p{{N}}]+[\r\n/]*|{_SPACES}", ignores_merges=True, adds_bos=True
)
PRE_TOKENIZERS: Mapping[str, PreTokenizer] = {
    "gpt-2": PreTokenizer(),
    "smollm": PreTokenizer(splits_digits=True),
    "llama-bpe": _LLAMA3,
    "llama3": _LLAMA3,
    "llama-v3": _LLAMA3,
    "qwen2": _QWEN2,
    "deepseek-r1-qwen": _QWEN2,
    "tekken": _TEKKEN,
}
"""Names in `tokenizer.ggml.pre` of byte-level BPE."""

END_TOKENS = frozenset(
    {
        *("<|eot_id|>", "<|eom_id|>", "<|end_of_text|>", "<|im_end|>", "<|endoftext|>", "<|end|>"),
        *("<end_of_turn>", "<turn|>", "<EOT>", "</s>"),
    }
)
"""Control tokens with these texts end an answer, also if the file names another one as its end token."""


def end_token_ids(header: Header) -> list[int]:
    """The ids of the tokens that end an answer, in order."""
    metadata = header.metadata
    keys = [f"{_KEY}{name}_token_id" for name in ("eos", "eot", "eom")]
    named: set[int] = {metadata[key] for key in keys if key in metadata}
    types = metadata.get(_KEY + "token_type") or []
    tokens = zip(metadata[_KEY + "tokens"], types, strict=True) if types else ()
    named |= {index for index, (token, kind) in enumerate(tokens) if kind == _CONTROL and token in END_TOKENS}
    return sorted(named)


def check_tokenizer(header: Header) -> None:
    """Raise UnsupportedModelError for a tokenizer of another kind, ModelNotFoundError for a broken one."""
    metadata = header.metadata
    kind, pre = metadata.get(_KEY + "model"), metadata.get(_KEY + "pre")
    if kind not in ("gpt2", "llama"):
        raise _unsupported(header, "model", kind, ["gpt2", "llama"])
    if kind == "gpt2" and pre not in PRE_TOKENIZERS:
        raise _unsupported(header, "pre", pre, sorted(PRE_TOKENIZERS))
    if metadata.get(_KEY + "add_eos_token"):
        raise _unsupported(header, "add_eos_token", True, ["false"])
    tokens = _texts(header, "tokens")
    for key, number in (("token_type", int), ("scores", float))[: 2 if kind == "llama" else 1]:
        given = metadata.get(_KEY + key)
        if not isinstance(given, list) or len(given) != len(tokens) or not isinstance(given[0], number):
            raise _broken(header, f"{key} must hold one number for each of the {len(tokens)} tokens")
    vocabulary = set(tokens)
    if len(vocabulary) != len(tokens):
        raise _broken(header, "a token stands in it twice")
    for name in ("bos", "eos", "eot", "eom", "unknown", "padding"):
        token_id = metadata.get(f"{_KEY}{name}_token_id", 0)
        if not 0 <= token_id < len(tokens):
            raise _broken(header, f"{name}_token_id is {token_id}, and there are {len(tokens)} tokens")
    merges = _texts(header, "merges") if kind == "gpt2" or _KEY + "merges" in metadata else []
    for merge in merges:
        left, _, right = merge.partition(" ")
        if not {left, right, left + right} <= vocabulary:
            raise _broken(header, f"the merge {merge!r} is not one of two tokens into a third")


def _texts(header: Header, key: str) -> list[str]:
    """A list of texts. Raises ModelNotFoundError if the file has none."""
    texts = header.metadata.get(_KEY + key)
    if not isinstance(texts, list) or not texts or not all(isinstance(text, str) for text in texts):
        raise _broken(header, f"it has no {key}")
    return texts


def write_tokenizer(header: Header, folder: Path, max_context_tokens: int) -> None:
    """Write tokenizer.json, tokenizer_config.json and the chat template.

    Raises what `check_tokenizer` does, and ModelNotFoundError if the tokenizer that is made has other tokens.
    """
    from transformers import PreTrainedTokenizerFast

    check_tokenizer(header)
    tokenizer: Any = PreTrainedTokenizerFast.from_pretrained(
        header.path.parent, gguf_file=header.path.name, local_files_only=True, model_max_length=max_context_tokens
    )
    backend = tokenizer.backend_tokenizer
    metadata = header.metadata
    tokens = metadata[_KEY + "tokens"]
    if len(tokenizer) != len(tokens):
        raise _broken(header, f"it gives {len(tokenizer)} tokens instead of {len(tokens)}")
    adds_bos = True
    if metadata[_KEY + "model"] == "llama":
        _mark_spaces(backend, metadata.get(_KEY + "add_space_prefix", True))
    else:
        pre_tokenizer = PRE_TOKENIZERS[metadata[_KEY + "pre"]]
        _cut_texts(backend, pre_tokenizer)
        adds_bos = pre_tokenizer.adds_bos
    _begin_texts(backend, tokenizer.bos_token if metadata.get(_KEY + "add_bos_token", adds_bos) else None)
    tokenizer.save_pretrained(folder)


def _cut_texts(backend: Any, pre_tokenizer: PreTokenizer) -> None:
    from tokenizers import Regex, normalizers, pre_tokenizers

    steps: list[Any] = [pre_tokenizers.Digits(individual_digits=True)] if pre_tokenizer.splits_digits else []
    if pre_tokenizer.pattern is not None:
        steps.append(pre_tokenizers.Split(Regex(pre_tokenizer.pattern), behavior="isolated"))
    byte_level = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=pre_tokenizer.pattern is None)
    backend.pre_tokenizer = pre_tokenizers.Sequence([*steps, byte_level])
    backend.model.ignore_merges = pre_tokenizer.ignores_merges
    if pre_tokenizer.normalizes:
        backend.normalizer = normalizers.NFC()


def _mark_spaces(backend: Any, adds_space: bool) -> None:
    """Let a SentencePiece vocabulary read spaces as it was trained to. adds_space: a text begins with one more."""
    from tokenizers import decoders, normalizers

    mark = "\u2581"
    begin = [normalizers.Prepend(mark)] if adds_space else []
    backend.normalizer = normalizers.Sequence([*begin, normalizers.Replace(" ", mark)])
    backend.pre_tokenizer = None
    end = [decoders.Strip(" ", 1, 0)] if adds_space else []
    steps = [decoders.Replace(mark, " "), decoders.ByteFallback(), decoders.Fuse()]
    backend.decoder = decoders.Sequence([*steps, *end])


def _begin_texts(backend: Any, bos_token: str | None) -> None:
    """Begin each text with a token. bos_token: None: with none."""
    from tokenizers import processors

    begin = [] if bos_token is None else [bos_token]
    backend.post_processor = processors.TemplateProcessing(
        single=[*begin, "$A"],
        pair=[*begin, "$A", *(f"{token}:1" for token in begin), "$B:1"],
        special_tokens=[(token, backend.token_to_id(token)) for token in begin],
    )


def _unsupported(header: Header, key: str, value: Any, known: list[str]) -> UnsupportedModelError:
    return UnsupportedModelError(
        f"{str(header.path)!r}: {_KEY}{key} = {value!r} is not supported; supported: {', '.join(known)}; "
        "give a folder or hub name of the model instead"
    )


def _broken(header: Header, reason: str) -> ModelNotFoundError:
    return ModelNotFoundError(f"{str(header.path)!r}: its tokenizer is broken: {reason}")
