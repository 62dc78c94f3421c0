"""A model's vocabulary from its files, for commands that need neither the model nor the libraries that run it.

No library is needed for a folder if its `tokenizer.json` determines all tokens. Otherwise `transformers` loads the
tokenizer: for hub names, and for tokenizers of special classes, which may change the tokens of the file.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from guided.grammars.errors import TokenizerError
from guided.grammars.tokenizers.hf_json import read_json
from guided.grammars.vocabulary import Vocabulary

from .embedded.files import package_folder
from .models.find import NamedModel, tokenizer_folder

_PLAIN_CLASSES = {"TokenizersBackend", "PreTrainedTokenizerFast"}
_SPECIAL_TOKENS = {"bos_token", "eos_token", "unk_token", "sep_token", "pad_token", "cls_token", "mask_token"}
_LISTS_OF_SPECIAL_TOKENS = {"extra_special_tokens", "additional_special_tokens"}
_CHANGE_NO_TOKEN = {
    *(
        "tokenizer_class",
        "backend",
        "clean_up_tokenization_spaces",
        "model_max_length",
        "chat_template",
        "name_or_path",
    ),
    *("is_local", "local_files_only", "padding_side", "truncation_side", "model_input_names"),
    *("json_whitespace", "plain_text", "field_calibration"),
}


def load_vocabulary(name: str | None) -> Vocabulary:
    """The vocabulary that a model's engine would have, without its weights.

    name: a folder or a hub name, found as `guided.LLM` finds it; the same errors. None: the embedded model.
    """
    name = str(package_folder()) if name is None or NamedModel(name).is_embedded else tokenizer_folder(name)
    vocabulary = _plain_vocabulary(Path(name)) if name else None
    if vocabulary is not None:
        return vocabulary
    from .engines.local.loading import load_text_side

    return load_text_side(name)[1]


def _plain_vocabulary(folder: Path) -> Vocabulary | None:
    """The vocabulary of a folder, if its files alone determine what `transformers` would read; else None."""
    named, config = _read_json(folder / "tokenizer_config.json"), _read_json(folder / "config.json")
    if named is None or config is None or not (folder / "tokenizer.json").is_file():
        return None
    special_tokens = _special_tokens(named)
    width = config.get("vocab_size")
    is_clean = named.get("clean_up_tokenization_spaces", False) is False
    is_plain = named.get("tokenizer_class") in _PLAIN_CLASSES and is_clean
    if not is_plain or special_tokens is None or not isinstance(width, int):
        return None
    try:
        read = read_json(json.loads((folder / "tokenizer.json").read_text(encoding="utf-8")))
    except (TokenizerError, ValueError):
        return None
    if not special_tokens <= read.special_tokens.keys():
        return None  # transformers would add the missing special tokens
    generation_config = _read_json(folder / "generation_config.json")
    ends = (config if generation_config is None else generation_config).get("eos_token_id")
    eos_token_ids = {read.special_tokens[named["eos_token"]]} if named.get("eos_token") else set[int]()
    eos_token_ids |= set() if ends is None else {ends} if isinstance(ends, int) else set(ends)
    return Vocabulary._from_read(read, width, eos_token_ids or None)


def _special_tokens(named: dict[str, Any]) -> set[str] | None:
    """The special tokens that a tokenizer's config names; None if its other keys may change tokens."""
    if named.keys() - _SPECIAL_TOKENS - _LISTS_OF_SPECIAL_TOKENS - _CHANGE_NO_TOKEN:
        return None
    one_each = [named[key] for key in named.keys() & _SPECIAL_TOKENS if named[key] is not None]
    lists = [named[key] for key in named.keys() & _LISTS_OF_SPECIAL_TOKENS]
    if not all(isinstance(given, list) for given in lists):
        return None
    tokens = [*one_each, *(token for given in lists for token in given)]
    return set(tokens) if all(isinstance(token, str) for token in tokens) else None


def _read_json(path: Path) -> dict[str, Any] | None:
    """The object in a JSON file; None if the file is absent or damaged, so that `transformers` reports it."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError):
        return None
    return content if isinstance(content, dict) else None
