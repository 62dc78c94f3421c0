"""Read Mistral's tokenizers: tekken (a tiktoken vocabulary behind a block of special tokens) and SentencePiece.

The reader takes `mistral_common` objects, the `transformers` class that wraps them, and `tekken*.json` files. No id of
the special block stands for a text.
"""

from __future__ import annotations

import base64
from typing import Any

from ..errors import TokenizerError
from .base import ReadTokenizer
from .sentencepiece_model import read_sentencepiece_processor

_END_OF_TEXT = "</s>"

# Names by rank in tekken files of versions up to v7, which do not list their special tokens.
# fmt: off
_UNLISTED_SPECIAL_TOKENS = (
    "<unk>", "<s>", "</s>", "[INST]", "[/INST]", "[AVAILABLE_TOOLS]", "[/AVAILABLE_TOOLS]", "[TOOL_RESULTS]",
    "[/TOOL_RESULTS]", "[TOOL_CALLS]", "[IMG]", "<pad>", "[IMG_BREAK]", "[IMG_END]", "[PREFIX]", "[MIDDLE]", "[SUFFIX]",
    "[SYSTEM_PROMPT]", "[/SYSTEM_PROMPT]", "[TOOL_CONTENT]",
)
# fmt: on
_LAST_VERSION_WITHOUT_LIST = 7


def read_mistral(tokenizer: Any) -> ReadTokenizer:
    """Read a `mistral_common` tokenizer: `MistralTokenizer`, or the tekken or SentencePiece one inside it."""
    wrapped = getattr(tokenizer, "tokenizer", tokenizer)
    instruct = getattr(wrapped, "instruct_tokenizer", None)
    inner = tokenizer if instruct is None else instruct.tokenizer
    if hasattr(inner, "id_to_byte_piece"):
        return _read_tekken(inner)
    return read_sentencepiece_processor(inner._model)


def read_tekken_file(data: dict[str, Any]) -> ReadTokenizer:
    """Read the parsed JSON of a `tekken*.json` file. Raises TokenizerError when the file contradicts itself."""
    config = data["config"]
    num_special = int(config["default_num_special_tokens"])
    num_plain = int(config["default_vocab_size"]) - num_special
    entries = data["vocab"][:num_plain]
    if len(entries) != num_plain or any(entry["rank"] != rank for rank, entry in enumerate(entries)):
        raise TokenizerError(f"tekken file does not hold the ranks 0 to {num_plain - 1} in order")
    special = _special_tokens_of_file(data, num_special)
    plain = [base64.b64decode(entry["token_bytes"], validate=True) for entry in entries]
    return ReadTokenizer([None] * num_special + plain, frozenset({special[_END_OF_TEXT]}), special)


def _read_tekken(tokenizer: Any) -> ReadTokenizer:
    special_ids = tokenizer.special_ids
    tokens = [None if i in special_ids else tokenizer.id_to_byte_piece(i) for i in range(tokenizer.n_words)]
    special = {tokenizer.id_to_piece(i): i for i in sorted(special_ids)}
    return ReadTokenizer(tokens, frozenset({tokenizer.eos_id}), special)


def _special_tokens_of_file(data: dict[str, Any], num_special: int) -> dict[str, int]:
    listed = data.get("special_tokens")
    if listed is not None:
        named = {entry["token_str"]: entry["rank"] for entry in listed}
    elif int(data["config"]["version"].removeprefix("v")) <= _LAST_VERSION_WITHOUT_LIST:
        named = {name: rank for rank, name in enumerate(_UNLISTED_SPECIAL_TOKENS)}
    else:
        raise TokenizerError("tekken file lists no special tokens, which its version must")
    if named.get(_END_OF_TEXT) is None or max(named.values()) >= num_special:
        raise TokenizerError(
            f"tekken file has no {_END_OF_TEXT!r} or more special tokens than the {num_special} it counts"
        )
    return named | {f"<SPECIAL_{rank}>": rank for rank in range(len(named), num_special)}
