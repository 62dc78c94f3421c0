"""`ChatTokenizer`: the embedded model's tokenizer, built on the library `tokenizers` alone; also the base class of
`FolderTokenizer`, for other folders.

The class offers everything that prompts and vocabularies need, with the names of a `transformers` tokenizer. Any other
attribute loads the `transformers` tokenizer and asks that. Importing `transformers` takes longer than everything else
before a first answer.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from typing import Any

from jinja2 import Template
from jinja2.sandbox import ImmutableSandboxedEnvironment
from tokenizers import Tokenizer

from guided.grammars.watch import checkpoint


class ChatTokenizer:
    """The embedded model's tokenizer.

    folder: contains tokenizer.json, tokenizer_config.json and chat_template.jinja.
    """

    clean_up_tokenization_spaces = False

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.backend_tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.init_kwargs: dict[str, Any] = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
        self.chat_template = (folder / "chat_template.jinja").read_text(encoding="utf-8")
        added = self.backend_tokenizer.get_added_tokens_decoder()
        self.all_special_ids = [token_id for token_id, token in added.items() if token.special]
        self.eos_token: str = self.init_kwargs["eos_token"]
        eos_token_id = self.backend_tokenizer.token_to_id(self.eos_token)
        assert eos_token_id is not None, "the tokenizer of the package has its end token"
        self.eos_token_id = eos_token_id

    def __len__(self) -> int:
        return int(self.backend_tokenizer.get_vocab_size(with_added_tokens=True))

    def encode(self, text: str, *, add_special_tokens: bool = True) -> list[int]:
        """The token ids of a text. Names of special tokens in the text become special tokens."""
        return list(self.backend_tokenizer.encode(text, add_special_tokens=add_special_tokens).ids)

    def __call__(self, texts: list[str], *, add_special_tokens: bool = True, **options: Any) -> Any:
        """The ids of each text as `input_ids`. A single text, or any other option, is left to `transformers`."""
        if not isinstance(texts, list) or options not in ({}, {"return_attention_mask": False}):
            return self._full(texts, add_special_tokens=add_special_tokens, **options)
        found = self.backend_tokenizer.encode_batch(texts, add_special_tokens=add_special_tokens)
        return {"input_ids": [one.ids for one in found]}

    def decode(self, token_ids: int | Sequence[int], *, skip_special_tokens: bool = False) -> str:
        """The text of token ids."""
        listed = [token_ids] if isinstance(token_ids, int) else list(token_ids)
        return str(self.backend_tokenizer.decode(listed, skip_special_tokens=skip_special_tokens))

    def get_chat_template(self, *, tools: Any = None) -> str:
        """The source of the chat template, which is the same with and without tools."""
        return self.chat_template

    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        *,
        tokenize: bool = True,
        add_generation_prompt: bool = False,
        continue_final_message: bool = False,
        **variables: Any,
    ) -> Any:
        """The text of a conversation. tokenize: return token ids instead, by `transformers`."""
        if (
            tokenize
            or "chat_template" in variables
            or not self._can_render(messages, variables, continues=continue_final_message)
        ):
            variables |= {"tokenize": tokenize, "continue_final_message": continue_final_message}
            variables |= {"add_generation_prompt": add_generation_prompt}
            return self._full.apply_chat_template(messages, **{"chat_template": self.chat_template, **variables})
        # As in transformers, a missing content equals None.
        written = [{key: value for key, value in message.items() if value is not None} for message in messages]
        rendered = _parsed(self.chat_template).render(
            messages=written, add_generation_prompt=add_generation_prompt and not continue_final_message, **variables
        )
        # The template writes an assistant's message unchanged, followed by the end token.
        return rendered.removesuffix(self.eos_token) if continue_final_message else rendered

    @property
    def for_callers(self) -> Any:
        """The tokenizer that `LLM.tokenizer` gives: this one."""
        return self

    def _can_render(
        self, messages: Sequence[Mapping[str, Any]], variables: Mapping[str, Any], *, continues: bool
    ) -> bool:
        """True if the template is rendered here, False if `transformers` has to do it."""
        return True

    @cached_property
    def _full(self) -> Any:
        from transformers import AutoTokenizer

        return AutoTokenizer.from_pretrained(self._folder, local_files_only=True)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(f"a {type(self).__name__} has no {name!r}")
        return getattr(self._full, name)


class _Environment(ImmutableSandboxedEnvironment):
    """A Jinja environment that can be cancelled: a schema of 300 KB renders for half a second, with a macro call for
    each part.
    """

    def call(self, *args: Any, **kwargs: Any) -> Any:
        """See jinja2's `SandboxedEnvironment.call`. Also a point at which a cancelled request ends."""
        checkpoint()
        return super().call(*args, **kwargs)


@cache
def environment() -> ImmutableSandboxedEnvironment:
    """The environment of chat templates."""
    found = _Environment(trim_blocks=True, lstrip_blocks=True)
    found.filters["tojson"] = partial(json.dumps, ensure_ascii=False)
    return found


@lru_cache(maxsize=8)
def _parsed(source: str) -> Template:
    return environment().from_string(source)
