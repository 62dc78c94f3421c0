"""Lists the values that a spec allows, if there are few. Also makes one text for all texts of equal values."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from typing import Any

from ..machine.documents.words import quoted, spell
from ..machine.frames import Frame, ValueSpec
from ..regex import algebra as lang
from ..regex import ecma
from ..watch import checkpoint
from . import numbers
from .number_lists import plain_text


class ManyValuesError(Exception):
    """There are more values than the given maximum, or too many to list."""


def containers_of(spec: ValueSpec, maximum: int) -> set[bytes]:
    """The compact texts of all objects and arrays that a spec allows. Equal objects may appear in several orders.

    Raises ManyValuesError if there are more than `maximum`, also for any part of them.
    """
    lister = _Lister(maximum)
    frames = [frame for frame in (spec.object, spec.array) if frame is not None]
    return {text for frame in frames for text, _ in lister.of_container(frame)}


def words_of(language: lang.Language, maximum: int) -> list[str]:
    """The words of a language. Raises ManyValuesError if there are more than `maximum`."""
    if isinstance(language, lang.Words):
        if len(language.words) > maximum:
            raise ManyValuesError
        return sorted(language.words)
    if lang.count_words(language, maximum + 1) > maximum:
        raise ManyValuesError
    found: list[str] = []
    waiting = [("", language)]
    while waiting:
        checkpoint()
        text, rest = waiting.pop()
        if rest.nullable:
            found.append(text)
        for charset, target in rest.transitions():
            if not lang.is_empty(target):
                waiting += [(text + chr(code), target) for low, high in charset for code in range(low, high + 1)]
    return found


_EXACT_DIGITS = 15  # decimals with at most this number of significant digits are different doubles: DBL_DIG of ISO C
_MOST_ZEROS = 290  # maximum number of zeros after the point, so that no number is below the smallest normal double


@cache
def one_spelling() -> lang.Language:
    """A Language with one text for each number: no exponent, no zeros at the end of a fraction, no -0.

    Fractions have few enough digits that different texts are different doubles.
    """
    fractions = [f"0\\.0{{0,{_MOST_ZEROS}}}[1-9](?:[0-9]{{0,{_EXACT_DIGITS - 2}}}[1-9])?"]
    for digits in range(1, _EXACT_DIGITS):  # number of digits before the point
        fractions.append(f"[1-9][0-9]{{{digits - 1}}}\\.[0-9]{{0,{_EXACT_DIGITS - 1 - digits}}}[1-9]")
    return ecma.full(f"-?(?:{'|'.join(fractions)})|-?[1-9][0-9]*|0")


def in_one_spelling(language: lang.Language) -> lang.Language:
    """The texts of a language of numbers that are in `one_spelling`; a list of words if the language is one."""
    values = numbers.values_in(language)
    texts = language if values is None else lang.words([plain_text(value) for value in values])
    return lang.intersect(texts, one_spelling())


def canonical(text: bytes) -> bytes:
    """The same text for all texts of equal values: sorted keys, and one spelling for equal numbers."""
    return json.dumps(_plain(json.loads(text)), sort_keys=True, ensure_ascii=False, separators=(",", ":")).encode()


def text_of_value(text: bytes) -> bytes:
    """The same text for all texts of equal values. text: a value without whitespace outside strings."""
    first = text[:1]
    if first == b'"':
        return quoted(json.loads(text))
    return canonical(text) if first in (b"{", b"[") else text


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, list):
        return [_plain(one) for one in value]
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    return value


class _Lister:
    """Lists the values of specs and containers.

    maximum: maximum number of values of one container. The work is limited, too: to 64 * (maximum + 1) steps.
    """

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._steps = 64 * (maximum + 1)
        self._opened: set[Frame] = set()  # containers whose values are being listed, each inside the one before

    def of_container(self, frame: Frame) -> list[tuple[bytes, int]]:
        """The texts of a container that has just been opened, each with the class that it returns.

        A container that may contain itself has infinitely many values, since everything that a frame offers can be
        completed.
        """
        if frame in self._opened:
            raise ManyValuesError
        self._opened.add(frame)
        found = self._limited(self._completions(frame, b"[" if frame.kind == "array" else b"{"))
        self._opened.remove(frame)
        return found

    def _limited(self, found: Iterator[tuple[bytes, int]]) -> list[tuple[bytes, int]]:
        texts: list[tuple[bytes, int]] = []
        for pair in found:
            texts.append(pair)
            if len(texts) > self._maximum:
                raise ManyValuesError
        return texts

    def _step(self) -> None:
        checkpoint()
        self._steps -= 1
        if self._steps < 0:
            raise ManyValuesError

    def _completions(self, frame: Frame, text: bytes) -> Iterator[tuple[bytes, int]]:
        """All continuations of a frame, without recursion, since an array may become long before it may end."""
        is_array = frame.kind == "array"
        end = b"]" if is_array else b"}"
        waiting = [(frame, text, -1)]  # with the index of the last key: open keys come in ascending order
        while waiting:
            self._step()
            frame, text, last = waiting.pop()
            if frame.close_class is not None:
                yield text + end, frame.close_class
            start = text if len(text) == 1 else text + b","
            further = self._items(frame) if is_array else self._members(frame, last)
            waiting += [(following, start + written, index) for written, following, index in further]

    def _items(self, frame: Frame) -> Iterator[tuple[bytes, Frame, int]]:
        spec = frame.value_spec()
        for text, returned in [] if spec is None else self._values(spec):
            captures = spec is not None and spec.captures
            following = frame.on_capture(returned, text) if captures else frame.on_return(returned)
            if following is not None:
                yield text, following, -1

    def _members(self, frame: Frame, last: int) -> Iterator[tuple[bytes, Frame, int]]:
        spec = frame.key_spec()
        if spec is None:
            return
        if spec.open:
            raise ManyValuesError
        for key, index in spec.words.items():
            member = frame.on_return(index) if index > last else None
            value = None if member is None else member.value_spec()
            if member is None or value is None:
                continue
            for text, returned in self._values(value):
                following = member.on_return(returned)
                if following is not None:
                    yield b'"' + spell(key) + b'":' + text, following, index

    def _values(self, spec: ValueSpec) -> list[tuple[bytes, int]]:
        found: list[tuple[bytes, int]] = []
        for language, returned in spec.strings:
            words = [word for word in words_of(language, self._maximum) if word not in spec.excluded_strings]
            found += [(quoted(word), returned) for word in words]
        for language, returned in spec.numbers:
            numerals = words_of(in_one_spelling(language), self._maximum)
            words = [word for word in numerals if word not in spec.excluded_numbers]
            found += [(word.encode(), returned) for word in words]
        found += spec.literals
        for frame in (spec.object, spec.array):
            if frame is not None:
                found += self.of_container(frame)
        return found
