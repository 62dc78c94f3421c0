"""Tests a compiled grammar by writing texts with it, to find problems that appear only while texts are generated.

Parts of a grammar are built on demand, so a grammar that compiles may still meet a limit later. With a schema, the
trial writes each described field once, including masks and the way to the end. With other grammars it writes long
texts, to reach bounds of lengths. The first text repeats tokens, another has ordinary words, another takes tokens of
the shortest completion.
"""

from __future__ import annotations

import json
import random
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from guided.grammars.bitset import allocate_bitmask
from guided.grammars.errors import GuidedError, InvalidSchemaError, NoCompletionError, UnsupportedGrammarError
from guided.grammars.json_paths import pointer_of

from .document_place import DocumentPlace
from .subschemas import ITEM, FieldPath, Subschemas

if TYPE_CHECKING:
    from guided.grammars.protocol import CompiledGrammar, Matcher

MAX_TOKENS = 2_000  # maximum number of tokens of one text
MAX_LONG_TOKENS = 20_000  # maximum number of tokens of a text of a grammar without fields
_LONG_SHARES = (0.4, 0.6, 0.8)  # each of these texts ends after this share of the time
_OTHERS_EVERY = 50  # number of tokens of the first text for each token that is not a repetition
MAX_IDLE_TEXTS = 3  # after this many texts without a new field, the other fields count as unreachable
_MASK_EVERY = 8  # tokens between masks, which cost most; between them likely tokens are tried
NUM_TEXTS = len(_LONG_SHARES)  # number of texts of a grammar without fields
_SHARE_OF_FIELDS = 0.3  # maximum share of the time to look for fields; the rest is for texts
_INSIDE = ("string", "name", "scalar")


class TrialError(GuidedError):
    """A grammar compiles but can't be generated from. where: the field. text: the text before the failure."""

    def __init__(self, where: str, text: str, cause: GuidedError | None) -> None:
        self.where = where
        self.text = text
        reason = "no token is allowed there" if cause is None else str(cause)
        super().__init__(f"it compiles, but generating fails at {where}, after {_shown(text)}: {reason}")


@dataclass(frozen=True)
class TrialResult:
    """The result of a trial.

    not_tried: fields that were not reached.
    reason: why they were not; None if all were.
    num_bytes: length of the longest text.
    """

    num_texts: int
    num_tokens: int
    num_fields: int
    not_tried: tuple[str, ...]
    reason: str | None
    seconds: float
    num_bytes: int


def try_out(grammar: CompiledGrammar, schema: Any = None, *, max_seconds: float) -> TrialResult:
    """Write texts with a grammar until each field was begun, for at most `max_seconds` of this thread's processor time.

    schema: the JSON Schema that the grammar was compiled from; None for other kinds.
    Raises TrialError if a mask, a state or a completion can't be built, and if no token is allowed.
    """
    trial = _Running(grammar, schema, max_seconds)
    trial.run()
    return trial.result()


class _Running:
    def __init__(self, grammar: CompiledGrammar, schema: Any, max_seconds: float) -> None:
        self._grammar = grammar
        self._is_json = schema is not None
        self._start_s = time.thread_time()
        self._max_seconds = max_seconds
        self._fields: list[FieldPath] = []
        self._lacks_fields = False
        for field in _parts_of(schema).fields() if self._is_json else ():
            if self._has_used(_SHARE_OF_FIELDS):
                self._lacks_fields = True
                break
            self._fields.append(field)
        self._missing = set(self._fields)
        self._wanted = _prefixes(self._missing)
        self._bitmask = allocate_bitmask(1, grammar.vocabulary.size)
        self._random = random.Random(0)
        self._by_byte = grammar.vocabulary.byte_ids
        self._num_texts = self._num_tokens = 0
        self._num_inside = 0  # steps since the open string, name or number began
        self._reason: str | None = None
        self._last_token: int | None = None
        self._words: list[int] = []  # tokens of ordinary words in the last mask
        self._ending: list[int] = []  # tokens of the shortest completion
        self._num_bytes = 0  # length of the longest text

    def run(self) -> None:
        num_idle = 0
        num_texts = MAX_IDLE_TEXTS if self._is_json else NUM_TEXTS
        while num_idle < num_texts and not self._is_over():
            num_missing = len(self._missing)
            self._write()
            self._num_texts += 1
            if self._is_json and not self._missing:
                return
            num_idle = 0 if len(self._missing) < num_missing else num_idle + 1

    def result(self) -> TrialResult:
        not_tried = tuple(pointer_of(path) for path in self._fields if path in self._missing)
        if self._lacks_fields:
            self._reason = f"looking for fields took too long: {len(self._fields)} were found"
        if not_tried and self._reason is None:
            self._reason = "no text that was tried led there"
        seconds = round(time.thread_time() - self._start_s, 3)
        return TrialResult(
            self._num_texts, self._num_tokens, len(self._fields), not_tried, self._reason, seconds, self._num_bytes
        )

    def _is_over(self) -> bool:
        if not self._has_used(1):
            return False
        self._reason = f"{self._max_seconds:g} seconds were over"
        return True

    def _has_used(self, share: float) -> bool:
        """True if this share of the time is used up."""
        return time.thread_time() - self._start_s >= share * self._max_seconds

    def _write(self) -> None:
        """Write one text to its end; it begins missing fields where possible."""
        matcher, place, text = self._grammar.matcher(), DocumentPlace(), bytearray()
        try:
            for _ in range(MAX_TOKENS if self._is_json else MAX_LONG_TOKENS):
                if not self._is_json and self._has_used(_LONG_SHARES[self._num_texts]):
                    break
                if self._is_over() or (self._is_json and not self._missing) or place.mode == "end":
                    break
                new = self._step(matcher, place)
                if new is None:
                    break
                text += new
                self._num_bytes = max(self._num_bytes, len(text))
                if self._is_json:
                    place.feed(new)
                    self._note(place.begun)
            self._num_tokens += len(matcher.find_shortest_completion())
        except (NoCompletionError, UnsupportedGrammarError) as error:
            self._reason = f"the way to the end was not found: {error}"
        except GuidedError as error:
            if isinstance(error, TrialError):
                raise
            raise TrialError(self._where(place), text.decode(errors="replace"), error) from error

    def _step(self, matcher: Matcher, place: DocumentPlace) -> bytes | None:
        """Write the next token or wished text. Returns its bytes, or None if the text is over."""
        self._num_tokens += 1
        if not self._is_json and self._num_tokens % _MASK_EVERY:
            token_id = self._likely()
            if token_id is not None and matcher.accept_token(token_id):
                return self._grammar.vocabulary.tokens[token_id] or b""
        choices = self._choices(matcher, place)
        if not choices:
            return None
        if not self._is_json:
            return self._take(matcher, self._long_choice(matcher, choices))
        self._num_inside = self._num_inside + 1 if place.mode in _INSIDE else 0
        for wish in self._wishes(place):
            if self._spell(matcher, wish):
                return wish
        if self._num_inside > 1:  # takes the shortest way out of the value
            return self._take(matcher, matcher.find_shortest_completion()[0])
        return self._take(matcher, self._random.choice(choices))

    def _choices(self, matcher: Matcher, place: DocumentPlace) -> list[int]:
        """The tokens that continue the text; [] if it can only end. Raises TrialError if no token is allowed."""
        matcher.fill_bitmask(self._bitmask)
        allowed = np.flatnonzero(np.unpackbits(self._bitmask[0].view(np.uint8), bitorder="little"))
        if not len(allowed):
            raise TrialError(self._where(place), "", None)
        ends = self._grammar.vocabulary.eos_token_ids
        return [int(token_id) for token_id in allowed if int(token_id) not in ends]

    def _likely(self) -> int | None:
        """A token that is probably allowed, for the current text; None without a guess."""
        if self._num_texts == 0:
            return self._last_token
        some = self._words if self._num_texts == 1 else self._ending
        return self._random.choice(some) if some else None

    def _long_choice(self, matcher: Matcher, choices: list[int]) -> int:
        """A token that lets a text become long."""
        if self._num_texts == 1:
            self._words = [token for token in choices if self._is_word(token)]
            return self._random.choice(self._words or choices)
        if self._num_texts == 2:
            self._ending = self._ending or matcher.find_shortest_completion()
            return self._random.choice([token for token in self._ending if token in choices] or choices)
        if self._last_token not in choices or self._random.randrange(_OTHERS_EVERY // _MASK_EVERY) == 0:
            self._last_token = self._random.choice(choices)  # repetitions rarely end a text
        assert self._last_token is not None
        return self._last_token

    def _is_word(self, token_id: int) -> bool:
        token = self._grammar.vocabulary.tokens[token_id] or b""
        return token.isascii() and token.strip().isalpha()

    def _take(self, matcher: Matcher, token_id: int) -> bytes:
        matcher.accept_token(token_id)
        return self._grammar.vocabulary.tokens[token_id] or b""

    def _spell(self, matcher: Matcher, text: bytes) -> bool:
        """Write these bytes, one token each, if all are allowed; otherwise change nothing."""
        for num_taken in range(len(text)):
            token_id = self._by_byte.get(text[num_taken : num_taken + 1])
            if token_id is None or not matcher.accept_token(token_id):
                matcher.rollback(num_taken)
                return False
        return True

    def _wishes(self, place: DocumentPlace) -> Iterable[bytes]:
        """Texts that lead to missing fields, then texts that leave the value soon."""
        path = place.path
        if place.mode in ("key", "after") and place.is_in_object:
            commas = (b",", b", ") if place.mode == "after" else (b"",)
            for field in self._fields:
                if field[:-1] == path and field in self._wanted and field[-1] != ITEM:
                    name = json.dumps(field[-1], ensure_ascii=False).encode()
                    yield from (comma + name for comma in commas)
        if place.mode == "value" and path in self._wanted:
            yield from (b"[", b"{") if path + (ITEM,) in self._wanted else (b"{", b"[")
        if place.mode in ("key", "after") or (place.mode == "value" and path not in self._missing):
            yield from (b"}", b"]")
        if place.mode in _INSIDE and self._num_inside > 1:
            yield from (b'"', b",", b"}", b"]")

    def _note(self, begun: set[FieldPath]) -> None:
        if not begun.isdisjoint(self._missing):
            self._missing -= begun
            self._wanted = _prefixes(self._missing)

    def _where(self, place: DocumentPlace) -> str:
        return f"the field {pointer_of(place.path) or '(root)'}" if self._is_json else "a place"


def _parts_of(schema: Any) -> Subschemas:
    """The parts of a schema. If only another backend knows the schema's draft, they are found as in 2020-12."""
    try:
        return Subschemas(schema)
    except InvalidSchemaError:
        return Subschemas({keyword: value for keyword, value in schema.items() if keyword != "$schema"})


def _prefixes(paths: set[FieldPath]) -> set[FieldPath]:
    return {path[:length] for path in paths for length in range(len(path) + 1)}


def _shown(text: str) -> str:
    return repr(text if len(text) <= 80 else "..." + text[-80:])
