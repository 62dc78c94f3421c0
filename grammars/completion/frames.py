"""`FrameRopes`: the shortest texts of values and containers, from the frames that describe them.

A value returns one of several classes, and what may follow depends on the class. So the shortest text of each class is
found. As schemas may be recursive, values and containers are unknowns of a `Solver`. The rest of a container with open
alternatives is found by a search over its frames (`ContainerSearch`).
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping

from ..automaton import layout as at
from ..automaton.captures import ended_text
from ..automaton.frames import Frame, OpenObject, ValueSpec
from ..automaton.words import spell
from ..regex.algebra import matches
from ..solver import Solver
from ..watch import checkpoint
from .container_search import ContainerSearch, Ways
from .known_values import KnownValues
from .least import Leasts
from .other_containers import (
    NOTHING_EXCLUDED,
    Excluded,
    excluded_containers,
    keys_of,
    next_items,
    next_values,
    other_values,
)
from .ropes import Rope, join, text_of
from .spaces import Spaces
from .texts import Texts
from .tools import Tools
from .unknowns import FIRST, MUST, REST, Evaluation, Outcomes, Step, Steps, Unknown

_MAX_OTHER_KEYS = 32
_NOTHING_LEFT: Excluded = frozenset({(), frozenset()})


class FrameRopes:
    """Of the frames of one grammar, on one vocabulary. texts: those of strings, keys and numbers."""

    def __init__(self, tools: Tools, spaces: Spaces) -> None:
        self._speller = tools.speller
        self._spaces = spaces
        self.texts = Texts(tools)
        self._solver: Solver[Unknown, Outcomes] = Solver(self._evaluate, {}, _is_better)
        self._specs: dict[Frame, ValueSpec | None] = {}
        self._others: dict[tuple[ValueSpec, frozenset[bytes]], ValueSpec] = {}
        self._open_keys: dict[tuple[Frame, int], frozenset[str]] = {}
        self._ways: Ways = {}
        self._known_values = KnownValues(spaces)

    def of_value(self, frame: Frame) -> Outcomes:
        """The texts of the value that a frame expects."""
        spec = self.spec_of(frame)
        return {} if spec is None else self._solver(spec)

    def of_spec(self, spec: ValueSpec) -> Outcomes:
        """The texts of a value."""
        return self._solver(spec)

    def of_container(self, frame: Frame, mode: int, excluded: Excluded = NOTHING_EXCLUDED) -> Outcomes:
        """The rest of a container, its bracket included; whitespace that must come first is left out."""
        return self._solver((frame, mode, excluded))

    def spec_of(self, frame: Frame) -> ValueSpec | None:
        """The frame's spec, the same object each time."""
        if frame not in self._specs:
            self._specs[frame] = frame.value_spec()
        return self._specs[frame]

    def colon(self) -> bytes:
        """What comes between a key and its value."""
        return self._spaces.of(at.COLON) + b":" + self._spaces.of(at.VALUE)

    def _evaluate(self, unknown: Unknown) -> Evaluation:
        if isinstance(unknown, ValueSpec):
            return self._value(unknown)
        return self._container(*unknown)

    def _value(self, spec: ValueSpec) -> Evaluation:
        found: Outcomes = {}
        for language, returned in spec.strings:
            text = self.texts.of(language, "string", spec.excluded_strings)
            _add(found, returned, None if text is None else self._speller.rope(b'"' + text))
        for language, returned in spec.numbers:
            text = self.texts.of(language, "number", spec.excluded_numbers)
            _add(found, returned, None if text is None else self._speller.rope(text))
        for text, returned in spec.literals:
            _add(found, returned, self._speller.rope(text))
        for frame, bracket, context in ((spec.object, b"{", at.FIRST_KEY), (spec.array, b"[", at.FIRST_ITEM)):
            begin = None if frame is None else self._speller.rope(bracket + self._spaces.of(context))
            if frame is not None and begin is not None:
                ends = yield frame, FIRST, excluded_containers(spec.excluded_containers, bracket)
                for returned, rope in ends.items():
                    _add(found, returned, join(begin, rope))
        return found

    def _container(self, frame: Frame, mode: int, excluded: Excluded) -> Evaluation:
        """The rest of a container that must not become equal to any of the excluded ones.

        A settled one ends if it may; else one more member or item comes, then the rest. What comes next either goes on
        as some of the excluded ones do, or as none does.
        """
        assert frame.kind != "value", "only containers have an end"
        if not excluded and not frame.is_settled:
            if frame.kind == "object" and frame.has_plenty:
                return (yield from self._with_fewer_keys(frame, mode))
            return (yield from self._search(frame, mode))
        closed = {} if excluded & _NOTHING_LEFT else self._closed(frame, mode)
        if closed and not excluded:
            return closed
        found: Outcomes = {}
        for piece, following, left in (yield from self._steps(frame, mode, excluded)):
            ends = yield following, REST, left
            for returned, rope in ends.items():
                _add(found, returned, join(piece, rope))
        for returned, rope in closed.items():
            _add(found, returned, rope)
        return found

    def _with_fewer_keys(self, frame: OpenObject, mode: int) -> Evaluation:
        """The rest of an object, found as if it had no open keys yet; then once more with those that would come twice.

        So texts that differ in their open keys mostly share one search.
        """
        kept: frozenset[str] = frozenset()
        while (fewer := frame.with_used(kept)) is not frame:
            found = yield fewer, mode, NOTHING_EXCLUDED
            repeated = self._open_keys.get((fewer, mode), kept).difference(kept).intersection(frame.used)
            if not repeated:
                return found
            kept |= repeated
        return (yield from self._search(frame, mode))

    def _search(self, frame: Frame, mode: int) -> Evaluation:
        """The rest of a container with open alternatives."""
        search = ContainerSearch(self._speller, Leasts(self._speller, self._spaces), self._steps, self._ways)
        found, self._open_keys[frame, mode] = yield from search.run(frame, mode)
        return found

    def _steps(self, frame: Frame, mode: int, excluded: Excluded = NOTHING_EXCLUDED) -> Steps:
        """The ways to write one more member or item, each with the excluded containers that begin so."""
        steps = self._items if frame.kind == "array" else self._members
        return (yield from steps(frame, mode, excluded))

    def _closed(self, frame: Frame, mode: int) -> Outcomes:
        """The end of a container, where it may end now."""
        found: Outcomes = {}
        completion = frame.close_class if mode != MUST else None
        if completion is not None:
            _add(found, completion, self._speller.rope(b"]" if frame.kind == "array" else b"}"))
        return found

    def _items(self, frame: Frame, mode: int, excluded: Excluded) -> Steps:
        spec = self.spec_of(frame)
        if spec is None:
            return []
        before, after = self._separator(mode, at.VALUE), self._spaces.of(at.AFTER_ITEM)
        new = None if excluded or frame.kind != "array" else frame.new_value_spec()
        steps: list[Step] = []
        for one in (spec,) if new is spec or new is None else (spec, new):
            is_chosen = bool(excluded or one.captures)
            for value, returned, left in (yield from self._values(one, next_items(excluded), is_chosen)):
                text = canonical(text_of(value)) if one.captures else b""
                following = frame.on_capture(returned, text) if one.captures else frame.on_return(returned)
                if following is not None:
                    steps += self._step(before, value, after, following, left)
        return steps

    def _members(self, frame: Frame, mode: int, excluded: Excluded) -> Steps:
        before, after = self._separator(mode, at.KEY), self._spaces.of(at.AFTER_MEMBER)
        steps: list[Step] = []
        for key, member, is_open in self._keys(frame, excluded):
            spec = self.spec_of(member)
            if spec is None:
                continue
            known = next_values(excluded, json.loads(key)) if excluded else {}
            for value, returned, left in (yield from self._values(spec, known, bool(excluded or is_open))):
                checkpoint()
                following = member.on_return(returned)
                if following is not None:
                    steps += self._step(before + key + self.colon(), value, after, following, left)
        return steps

    def _values(
        self, spec: ValueSpec, known: Mapping[bytes, Excluded], is_chosen: bool
    ) -> Generator[Unknown, Outcomes, list[tuple[Rope, int, Excluded]]]:
        """Values that may come: those by which excluded containers go on, with what is left of these, and the shortest
        ones that are none of those."""
        if known and (spec, frozenset(known)) not in self._others:
            self._others[spec, frozenset(known)] = other_values(spec, known)
        others = yield self._others[spec, frozenset(known)] if known else spec
        found = [(rope, returned, NOTHING_EXCLUDED) for returned, rope in others.items()]
        for text, left in known.items():
            written = self._known_values.written(spec, text)
            rope = None if written is None else self._speller.rope(written[0])
            if written is not None and rope is not None:
                found.append((rope, written[1], left))
        return [(one._replace(is_chosen=True), cls, left) for one, cls, left in found] if is_chosen else found

    def _keys(self, frame: Frame, excluded: Excluded) -> Iterator[tuple[bytes, Frame, bool]]:
        """Keys that may come next, each with the frame of its value, and whether it is open: those that help; where
        objects are excluded also others, with their keys and one that is none of these."""
        assert frame.kind == "object", "only objects have keys"
        first = frame.first_missing() if frame.is_settled and not excluded else None
        if first is not None:
            yield _key(first[0]), first[1], False
            return
        spec = frame.key_spec()
        if spec is None:
            return
        words, known = spec.words, keys_of(excluded)
        helpful = _helpful(frame, words)
        for name in list(dict.fromkeys([*helpful, *words]))[:_MAX_OTHER_KEYS] if excluded else helpful:
            checkpoint()
            declared = frame.on_return(words[name])
            if declared is not None:
                yield _key(name), declared, False
        if helpful and frame.is_settled and not excluded:
            return
        for language, returned in spec.open:
            texts = [_key(name) for name in known - spec.excluded if matches(language, name)]
            text = self.texts.of(language, "string", spec.excluded | known if known else spec.excluded)
            for key in texts if text is None else [*texts, b'"' + text]:
                opened = frame.on_capture(returned, key)
                if opened is not None:
                    yield key, opened, True

    def _separator(self, mode: int, context: int) -> bytes:
        """What comes before a member or an item."""
        return b"," + self._spaces.of(context) if mode == REST else b""

    def _step(self, before: bytes, value: Rope, after: bytes, following: Frame, left: Excluded) -> list[Step]:
        first, last = self._speller.rope(before), self._speller.rope(after)
        return [] if first is None or last is None else [(join(first, value, last), following, left)]


def _helpful(frame: OpenObject, words: Mapping[str, int]) -> list[str]:
    """The keys that may come next and that can help to complete the object."""
    wanted = frame.helpful_keys()
    found = [name for name in words if name in wanted]
    return (found[:1] if frame.is_settled else found) or list(words)


def _key(name: str) -> bytes:
    return b'"' + spell(name) + b'"'


def canonical(text: bytes) -> bytes:
    """The text of a value, spelled as captured texts are."""
    return ended_text(lambda _: (text, True))


def _add(found: Outcomes, returned: int, rope: Rope | None) -> None:
    if rope is not None and rope.is_better_than(found.get(returned)):
        found[returned] = rope


def _is_better(value: Outcomes, old: Outcomes) -> bool:
    return any(rope.is_better_than(old.get(returned)) for returned, rope in value.items())
