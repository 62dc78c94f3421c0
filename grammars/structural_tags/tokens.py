"""Finds the tokens that a structural tag names: by id, by text, or inside strings.

Special tokens have no text, so a string could never spell them. The name of a special token in a string of a structural
tag therefore means the token: `<|tool_call|>` is one token, never its characters. (xgrammar accepts both. Such strings
are copied from chat templates, which render the token.)
"""

from __future__ import annotations

from ..regex import algebra as lang
from ..rules.expressions import EMPTY, Expression, Sequence, Terminal, TokenRef
from ..vocabulary import Vocabulary
from .places import TagValue


class TokenNames:
    """The names of the tokens of one vocabulary."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._special = {
            name: token_id
            for name, token_id in vocabulary.special_tokens.items()
            if vocabulary.tokens[token_id] is None
        }
        self._first_characters = frozenset([name[0] for name in self._special if name])
        self._lengths = sorted({len(name) for name in self._special if name}, reverse=True)

    def resolve(self, place: TagValue, may_end: bool = False) -> frozenset[int]:
        """The ids of a token; several if tokens share its text.

        place: an id, or a token's text or name.
        may_end: True: tokens that end the text are allowed.
        Raises InvalidStructuralTagError for a token that is unknown or not allowed.
        """
        ids = self._by_name(place) if isinstance(place.value, str) else frozenset((self._by_id(place),))
        if not may_end and ids & self._vocabulary.eos_token_ids:
            raise place.error(f"{place.value!r} ends the whole text, so it can't be a part of it; leave it out")
        return ids

    def ends_text(self, name: str) -> bool:
        """True if a name is that of a special token that ends the text."""
        return self._special.get(name) in self._vocabulary.eos_token_ids

    def _by_id(self, place: TagValue) -> int:
        token_id = place.integer(0)
        vocabulary = self._vocabulary
        if token_id >= vocabulary.size:
            raise place.error(f"token {token_id} is outside the vocabulary of {vocabulary.size} tokens")
        is_known = vocabulary.tokens[token_id] is not None or token_id in vocabulary.special_tokens.values()
        if not is_known and token_id not in vocabulary.eos_token_ids:
            raise place.error(f"token {token_id} is padding: the tokenizer has no such token")
        return token_id

    def _by_name(self, place: TagValue) -> frozenset[int]:
        if place.value in self._vocabulary.special_tokens:
            return frozenset((self._vocabulary.special_tokens[place.value],))
        ids = frozenset(self._vocabulary.sorted_tokens.ids_of(place.nonempty_text().encode()))
        if not ids:
            raise place.error(f"the vocabulary has no token {place.value!r}")
        return ids

    def split(self, place: TagValue) -> list[str | TokenRef]:
        """Split a string at the names of special tokens. At each position the longest name counts.

        Returns texts, none of them empty, and references to tokens.
        """
        text = place.text()
        parts: list[str | TokenRef] = []
        start = end = 0
        while end < len(text):
            name = self._name_at(text, end) if text[end] in self._first_characters else ""
            if not name:
                end += 1
                continue
            if start < end:
                parts.append(text[start:end])
            parts.append(TokenRef(self.resolve(TagValue(name, place.pointer))))
            start = end = end + len(name)
        return [*parts, text[start:]] if start < end else parts

    def special_in(self, place: TagValue) -> list[tuple[str, int]]:
        """The special tokens in a string: (name, id). Raises InvalidStructuralTagError if a token ends the text."""
        found, text, start = list[tuple[str, int]](), place.text(), 0
        while start < len(text):
            name = self._name_at(text, start) if text[start] in self._first_characters else ""
            if name:
                self.resolve(TagValue(name, place.pointer))
                found.append((name, self._special[name]))
            start += max(len(name), 1)
        return found

    def _name_at(self, text: str, start: int) -> str:
        names = (text[start : start + length] for length in self._lengths)
        return next((name for name in names if name in self._special), "")


def spell(parts: list[str | TokenRef]) -> Expression:
    """The expression of some texts and tokens in a row."""
    expressions = tuple([Terminal(lang.text(part)) if isinstance(part, str) else part for part in parts])
    return expressions[0] if len(expressions) == 1 else Sequence(expressions) if expressions else EMPTY
