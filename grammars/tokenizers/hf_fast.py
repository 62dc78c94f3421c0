"""Read Hugging Face fast tokenizers: `tokenizers.Tokenizer`, and the `transformers` tokenizers built on one.

The token strings come from the backend's `id_to_token`, as its decoder's do. Added tokens, gaps in the ids and
overridden entries are therefore the same as in decoding.
"""

from __future__ import annotations

from typing import Any

from .base import ReadTokenizer, unreadable
from .hf_pipeline import TokenSpelling, read_spelling


def read_fast(tokenizer: Any) -> ReadTokenizer:
    """Read a `transformers` tokenizer that has a `backend_tokenizer`."""
    backend = tokenizer.backend_tokenizer
    refuse_clean_up(tokenizer, type(backend.model).__name__)
    return read_backend(backend, frozenset(tokenizer.all_special_ids), named_eos_ids(tokenizer))


def read_backend(
    backend: Any, special_ids: frozenset[int] = frozenset(), eos_token_ids: frozenset[int] = frozenset()
) -> ReadTokenizer:
    """Read a `tokenizers.Tokenizer`.

    special_ids: added tokens with these ids have no text, like the tokens that the backend marks as special. Ordinary
        tokens among the ids (a pad_token chosen from the vocabulary) keep their text, as in the backend's decoding.
    eos_token_ids: ids of the end-of-sequence tokens, which a `tokenizers.Tokenizer` itself does not name.
    """
    spelling = read_spelling(backend)
    strings = _token_strings(backend)
    added = backend.get_added_tokens_decoder()
    without_text = {i for i, token in added.items() if token.special or i in special_ids}
    if spelling.unknown_id is not None:
        without_text.add(spelling.unknown_id)
    for token_id in added.keys() - without_text:
        _check_added(token_id, added[token_id], strings[token_id], spelling)
    tokens = [None if i in without_text or not text else spelling.decode(text) for i, text in enumerate(strings)]
    return ReadTokenizer(
        tokens,
        eos_token_ids,
        special_tokens={added[i].content if i in added else strings[i]: i for i in sorted(without_text)},
        added_tokens={token.content: i for i, token in added.items() if tokens[i] is not None},
        preparation=spelling.preparation,
    )


def named_eos_ids(tokenizer: Any) -> frozenset[int]:
    """Return the end-of-sequence ids that a `transformers` tokenizer names: none, one or several."""
    ends = tokenizer.eos_token_id
    if ends is None:
        return frozenset()
    return frozenset(ends) if isinstance(ends, list | tuple) else frozenset({ends})


def _token_strings(backend: Any) -> list[str]:
    """Return the token strings by id; "" for an id without a token."""
    ids = backend.get_vocab(with_added_tokens=True).values()
    return [backend.id_to_token(token_id) or "" for token_id in range(max(ids, default=-1) + 1)]


def _check_added(token_id: int, token: Any, string: str, spelling: TokenSpelling) -> None:
    """Raise TokenizerError for an added token that decodes to another text than the one it matches in prompts."""
    text = spelling.unnormalize(string) if token.normalized else token.content
    if spelling.decode(string) != spelling.preparation.read_marks(text).encode():
        raise unreadable(
            f"added token {token.content!r} (id {token_id}) decodes to "
            f"{spelling.decode(string)!r}; add it as a special token or remove it"
        )


def refuse_clean_up(tokenizer: Any, model: str = "") -> None:
    """Raise TokenizerError when the tokenizer's `decode` changes the tokens' text.

    `clean_up_tokenization_spaces` makes `decode` drop spaces; recent `transformers` ignore it for BPE models.
    """
    if not tokenizer.clean_up_tokenization_spaces:
        return
    if model != "BPE" or getattr(
        tokenizer, "clean_up_tokenization_spaces_for_bpe_even_though_it_will_corrupt_output", True
    ):
        raise unreadable(
            "clean_up_tokenization_spaces drops spaces from decoded text; set "
            "tokenizer.clean_up_tokenization_spaces = False"
        )
