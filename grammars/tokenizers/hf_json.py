"""Read a `tokenizer.json` without the library `tokenizers`: the vocabularies of byte-pair encodings.

`TokenizerJson` shows `hf_fast` what a `tokenizers.Tokenizer` of the same file would show.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .base import ReadTokenizer, unreadable
from .hf_fast import read_backend


def read_json(content: Mapping[str, Any]) -> ReadTokenizer:
    """Read the content of a tokenizer.json. Raises TokenizerError for what only the library can read."""
    try:
        return read_backend(TokenizerJson(content))
    except KeyError as error:
        raise unreadable(f"its file has no {error}, as files of earlier versions") from None


@dataclass(frozen=True)
class AddedToken:
    """A token that is found before the text is split."""

    content: str
    special: bool
    normalized: bool


class BPE:
    """The model's settings."""

    def __init__(self, settings: Mapping[str, Any]) -> None:
        if settings["type"] != "BPE":
            raise unreadable(f"its model is {settings['type']}, not BPE")
        self.unk_token = settings["unk_token"]
        self.continuing_subword_prefix = settings["continuing_subword_prefix"]
        self.end_of_word_suffix = settings["end_of_word_suffix"]
        self.byte_fallback = settings["byte_fallback"]


class _Component:
    """A normalizer, pre-tokenizer or decoder."""

    def __init__(self, state: Mapping[str, Any]) -> None:
        self._state = state

    def __getstate__(self) -> Any:
        return json.dumps(self._state)


class TokenizerJson:
    """The attributes of a tokenizer that `hf_fast.read_backend` reads. content: parsed JSON of the tokenizer's file."""

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.model = BPE(content["model"])
        self._vocabulary: dict[str, int] = dict(content["model"]["vocab"])
        self.decoder, self.normalizer, self.pre_tokenizer = (
            None if content[name] is None else _Component(content[name])
            for name in ("decoder", "normalizer", "pre_tokenizer")
        )
        self._added: dict[int, AddedToken] = {}
        for token in content["added_tokens"]:
            known = self._vocabulary.setdefault(token["content"], len(self._vocabulary))
            if known != token["id"]:
                raise unreadable(f"added token {token['content']!r} has the id {token['id']}, not {known}")
            self._added[known] = AddedToken(token["content"], token["special"], token["normalized"])
        self._strings = {token_id: string for string, token_id in self._vocabulary.items()}

    def get_vocab(self, *, with_added_tokens: bool) -> dict[str, int]:
        """The ids of all tokens."""
        assert with_added_tokens
        return self._vocabulary

    def get_added_tokens_decoder(self) -> dict[int, AddedToken]:
        """The added tokens by their ids."""
        return self._added

    def id_to_token(self, token_id: int) -> str | None:
        """The string of a token; None for an id without one."""
        return self._strings.get(token_id)

    def token_to_id(self, string: str) -> int | None:
        """The id of a token; None for an unknown string."""
        return self._vocabulary.get(string)
