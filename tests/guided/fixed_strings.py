"""A grammar that is a finite set of byte strings, decided by looking at all of them: an oracle for masks."""

from __future__ import annotations

from collections.abc import Iterable

from guided.grammars.bitset import Bitmask, pack_token_ids
from guided.grammars.errors import InvalidInputError
from guided.grammars.protocol import CompiledGrammar, Matcher
from guided.grammars.spec import GrammarSpec
from guided.grammars.vocabulary import Vocabulary

EOS_ID, OTHER_EOS_ID, PAD_ID = 260, 261, 262


def byte_vocabulary(size: int = 265) -> Vocabulary:
    """All bytes, four longer tokens, two end-of-sequence ids, a padding token; ids past 262 are the model's."""
    tokens: list[bytes | None] = [bytes([value]) for value in range(256)]
    tokens += [b"ab", b"red", b"12", b'":'] + [None] * 3
    return Vocabulary(tokens, [EOS_ID, OTHER_EOS_ID], size=size)


class FixedStrings(CompiledGrammar):
    """Exactly these texts."""

    def __init__(self, texts: Iterable[str], vocabulary: Vocabulary | None = None) -> None:
        self.texts = sorted(text.encode() for text in texts)
        super().__init__(GrammarSpec("regex", "|".join(texts)), vocabulary or byte_vocabulary())

    @property
    def num_bytes(self) -> int:
        return sum(map(len, self.texts))

    def matcher(self) -> FixedStringsMatcher:
        return FixedStringsMatcher(self)


class FixedStringsMatcher(Matcher):
    def __init__(self, grammar: FixedStrings) -> None:
        self.grammar = grammar
        self.token_ids: list[int] = []

    def allowed(self) -> list[int]:
        vocabulary = self.grammar.vocabulary
        if self.is_terminated():
            return []
        text = vocabulary.join(self.token_ids)
        ids = [
            token_id
            for token_id, token in enumerate(vocabulary.tokens)
            if token and any(whole.startswith(text + token) for whole in self.grammar.texts)
        ]
        return ids + (sorted(vocabulary.eos_token_ids) if self.is_accepting() else [])

    def fill_bitmask(self, bitmask: Bitmask, row: int = 0) -> None:
        bitmask[row] = pack_token_ids(self.allowed(), self.grammar.vocabulary.size)

    def accept_token(self, token_id: int) -> bool:
        if token_id not in self.allowed():
            return False
        self.token_ids.append(token_id)
        return True

    def is_accepting(self) -> bool:
        return not self.is_terminated() and self.grammar.vocabulary.join(self.token_ids) in self.grammar.texts

    def is_terminated(self) -> bool:
        return bool(self.token_ids) and self.token_ids[-1] in self.grammar.vocabulary.eos_token_ids

    def rollback(self, num_tokens: int) -> None:
        if num_tokens > len(self.token_ids):
            raise InvalidInputError(f"only {len(self.token_ids)} tokens to take back")
        self.token_ids = self.token_ids[: len(self.token_ids) - num_tokens]

    def fork(self) -> FixedStringsMatcher:
        fork = FixedStringsMatcher.__new__(FixedStringsMatcher)
        fork.__dict__ |= self.__dict__ | {"token_ids": list(self.token_ids)}
        return fork

    def reset(self) -> None:
        self.token_ids = []

    def find_jump_forward_bytes(self, max_bytes: int | None = None) -> bytes:
        text = self.grammar.vocabulary.join(self.token_ids)
        rests = [whole[len(text) :] for whole in self.grammar.texts if whole.startswith(text)]
        if self.is_terminated() or not rests:
            return b""
        low, high = min(rests), max(rests)
        length = next((i for i, byte in enumerate(low) if byte != high[i]), len(low))
        return low[:length][:max_bytes]

    def find_jump_forward_tokens(self) -> list[int]:
        probe, forced = self.fork(), []
        while len(allowed := probe.allowed()) == 1:
            probe.accept_token(allowed[0])
            forced.append(allowed[0])
        return forced
