"""The values of a goal one by one, where there are few: how many different items an array of unique items can get."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ..automaton.words import spell
from ..regex import algebra as lang
from ..watch import checkpoint
from .arrays import one_spelling

if TYPE_CHECKING:
    from ..automaton.frames import Frame, ValueSpec

_LITERALS = ((b"true", "true"), (b"false", "false"), (b"null", "null"))


class ManyValuesError(Exception):
    """There are more values than were asked for, or so many that nobody should list them."""


def containers_of(spec: ValueSpec, maximum: int) -> set[bytes]:
    """The texts, compact, of all objects and arrays that a spec allows; equal objects may be there in several orders.

    Raises ManyValuesError when there are more than `maximum`, also for any part of them.
    """
    lister = _Lister(maximum)
    frames = [frame for frame in (spec.object, spec.array) if frame is not None]
    return {text for frame in frames for text, _ in lister.of_container(frame)}


class _Lister:
    """maximum: how many values of one place are listed; steps: how many are made in all."""

    def __init__(self, maximum: int) -> None:
        self._maximum = maximum
        self._steps = 64 * (maximum + 1)

    def of_container(self, frame: Frame) -> list[tuple[bytes, int]]:
        """The texts of a container just opened, each with the class that it returns."""
        return self._limited(self._completions(frame, b"[" if frame.kind == "array" else b"{", -1))

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

    def _completions(self, frame: Frame, text: bytes, last: int) -> Iterator[tuple[bytes, int]]:
        """Every way to go on from a frame. last: the index of the last key; free keys come in ascending order."""
        self._step()
        is_array = frame.kind == "array"
        if frame.close_class is not None:
            yield text + (b"]" if is_array else b"}"), frame.close_class
        comma = b"" if len(text) == 1 else b","
        for written, following, index in self._items(frame) if is_array else self._members(frame, last):
            yield from self._completions(following, text + comma + written, index)

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
            words = [word for word in self._words(language) if word not in spec.excluded_strings]
            found += [(b'"' + spell(word) + b'"', returned) for word in words]
        for language, returned in spec.numbers:
            numerals = self._words(lang.intersect(language, one_spelling()))
            words = [word for word in numerals if word not in spec.excluded_numbers]
            found += [(word.encode(), returned) for word in words]
        for text, name in _LITERALS:
            returned_literal: int | None = getattr(spec, name)
            if returned_literal is not None:
                found.append((text, returned_literal))
        for frame in (spec.object, spec.array):
            if frame is not None:
                found += self.of_container(frame)
        return found

    def _words(self, language: lang.Language) -> list[str]:
        if lang.count_words(language, self._maximum + 1) > self._maximum:
            raise ManyValuesError
        found: list[str] = []
        waiting = [("", language)]
        while waiting:
            self._step()
            text, rest = waiting.pop()
            if rest.nullable:
                found.append(text)
            for charset, target in rest.transitions():
                if not lang.is_empty(target):
                    waiting += [(text + chr(code), target) for low, high in charset for code in range(low, high + 1)]
        return found
