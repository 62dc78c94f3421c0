"""`FolderTokenizer`: the tokenizer of a model's folder, read without `transformers`.

The class reads files that `transformers` has written for a plain byte-pair encoding. Folders that `guided` converts
have such files. Tokens and prompts equal those of `transformers`, which reads all other files and renders all other
templates. `LLM.tokenizer` is the object of `transformers`.

PERF: processor time for SmolLM2: 0.95 s by `transformers` (its import: 0.65 s), 0.12 s this way.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import TemplateSyntaxError, meta, nodes

from ...embedded.chat_tokenizer import ChatTokenizer, environment

NAMED_TOKENS = ("bos_token", "eos_token", "pad_token", "unk_token")
_NEUTRAL_SETTINGS = {
    *("tokenizer_class", "backend", "is_local", "local_files_only", "model_max_length", "json_whitespace"),
    *("field_calibration", "plain_text"),
}
"""Settings in tokenizer_config.json that change no token."""
_OTHER_FILES = ("special_tokens_map.json", "added_tokens.json", "additional_chat_templates")
"""Files and folders that `transformers` reads, too."""
_OWN_NAMES = {"messages", "add_generation_prompt"}
_MESSAGE_KEYS = {"role", "content", "name"}


class FolderTokenizer(ChatTokenizer):
    """A folder's tokenizer, for the engine's own prompts. See `read_tokenizer` for which folders."""

    @property
    def for_callers(self) -> Any:
        """The tokenizer that `LLM.tokenizer` gives: that of `transformers`, which is imported on first use."""
        return self._full

    def _can_render(
        self, messages: Sequence[Mapping[str, Any]], variables: Mapping[str, Any], *, continues: bool
    ) -> bool:
        """True if the template reads only the texts of the messages, and the messages have nothing else."""
        are_texts = all(
            name in _MESSAGE_KEYS and type(value) is str for message in messages for name, value in message.items()
        )
        return bool(messages) and are_texts and not continues and _reads_texts_alone(self.chat_template)


def read_tokenizer(folder: Path) -> FolderTokenizer | None:
    """The tokenizer of a folder; None if its files say more than this class knows.

    folder: has a tokenizer_config.json with an object.
    """
    named = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    tokens = {name: named[name] for name in NAMED_TOKENS if named.get(name) is not None}
    if "eos_token" not in tokens or not all(isinstance(token, str) for token in tokens.values()):
        return None
    if not named.keys() <= _NEUTRAL_SETTINGS.union(NAMED_TOKENS):
        return None
    if any((folder / name).exists() for name in _OTHER_FILES):
        return None
    if not all((folder / name).is_file() for name in ("tokenizer.json", "chat_template.jinja")):
        return None
    try:
        found = FolderTokenizer(folder)
    except Exception:  # noqa: BLE001 - `tokenizers` has no class for a damaged file; transformers tells what is wrong
        return None
    backend = found.backend_tokenizer
    special = {token.content for token in backend.get_added_tokens_decoder().values() if token.special}
    is_plain = type(backend.model).__name__ == "BPE" and backend.truncation is None and backend.padding is None
    is_plain = is_plain and backend.post_processor is not None  # transformers would add one
    return found if is_plain and special.issuperset(tokens.values()) else None


@lru_cache(maxsize=8)
def _reads_texts_alone(template: str) -> bool:
    """True if a template's only variables are the messages and whether an answer follows, without filters and calls."""
    try:
        tree = environment().parse(template)
    except TemplateSyntaxError:  # such as the tags of transformers, which also tells of real errors
        return False
    special = (nodes.Filter, nodes.Call, nodes.Test, nodes.Macro)
    return meta.find_undeclared_variables(tree) <= _OWN_NAMES and next(tree.find_all(special), None) is None
