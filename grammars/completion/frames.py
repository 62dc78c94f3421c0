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
from .languages import Shortest, plain
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
from .spelling import Speller
from .unknowns import FIRST, MUST, REST, Evaluation, Outcomes, Step, Steps, Unknown

_MAX_OTHER_KEYS = 32
_NOTHING_LEFT: Excluded = frozenset({(), frozenset()})


class FrameRopes:
    """Of the frames of one grammar, on one vocabulary. strings, numbers: the shortest texts of both."""

    def __init__(self, speller: Speller, spaces: Spaces) -> None:
        self._speller = speller
        self._spaces = spaces
        self.strings = Shortest(speller, spell)
        self.numbers = Shortest(speller, plain)
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
        frame, mode, excluded = unknown
        return self._other_container(*unknown) if excluded else self._container(frame, mode)

    def _value(self, spec: ValueSpec) -> Evaluation:
        found: Outcomes = {}
        for language, returned in spec.strings:
            text = self.strings.text(language, spec.excluded_strings)
            _add(found, returned, None if text is None else self._speller.rope(b'"' + text + b'"'))
        for language, returned in spec.numbers:
            text = self.numbers.text(language, spec.excluded_numbers)
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

    def _container(self, frame: Frame, mode: int) -> Evaluation:
        assert frame.kind != "value", "only containers have an end"
        if frame.is_settled:
            return (yield from self._settled(frame, mode))
        if frame.kind == "object" and frame.has_plenty:
            return (yield from self._with_fewer_keys(frame, mode))
        return (yield from self._search(frame, mode))

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

    def _steps(self, frame: Frame, mode: int) -> Steps:
        """The ways to write one more member or item."""
        return (yield from self._items(frame, mode) if frame.kind == "array" else self._members(frame, mode))

    def _settled(self, frame: Frame, mode: int) -> Evaluation:
        """The rest of a settled container: it ends if it may, else one more member or item comes, then the rest."""
        return self._closed(frame, mode) or (yield from self._after((yield from self._steps(frame, mode))))

    def _other_container(self, frame: Frame, mode: int, excluded: Excluded) -> Evaluation:
        """The rest of a container that must not become equal to any of the excluded ones.

        What comes next either goes on as some of these do, or as none does. Of many keys, only the first are tried.
        """
        steps = self._other_items if frame.kind == "array" else self._other_members
        found = yield from self._after((yield from steps(frame, mode, excluded)))
        if not excluded & _NOTHING_LEFT:
            for returned, rope in self._closed(frame, mode).items():
                _add(found, returned, rope)
        return found

    def _closed(self, frame: Frame, mode: int) -> Outcomes:
        """The end of a container, where it may end now."""
        found: Outcomes = {}
        completion = frame.close_class if mode != MUST else None
        if completion is not None:
            _add(found, completion, self._speller.rope(b"]" if frame.kind == "array" else b"}"))
        return found

    def _after(self, steps: list[Step]) -> Evaluation:
        """The rest of a container that goes on with one of some steps."""
        found: Outcomes = {}
        for piece, following, left in steps:
            ends = yield following, REST, left
            for returned, rope in ends.items():
                _add(found, returned, join(piece, rope))
        return found

    def _other_items(self, frame: Frame, mode: int, excluded: Excluded) -> Steps:
        """The ways to write one more item, each with the excluded arrays that begin so."""
        spec = self.spec_of(frame)
        if spec is None:
            return []
        before, after = self._separator(mode, at.VALUE), self._spaces.of(at.AFTER_ITEM)
        steps: list[Step] = []
        for value, returned, left in (yield from self._other_values(spec, next_items(excluded))):
            text = canonical(text_of(value))
            following = frame.on_capture(returned, text) if spec.captures else frame.on_return(returned)
            if following is not None:
                steps += self._step(before, value, after, following, left)
        return steps

    def _other_members(self, frame: Frame, mode: int, excluded: Excluded) -> Steps:
        """The ways to write one more member, each with the excluded objects that have it."""
        before, after = self._separator(mode, at.KEY), self._spaces.of(at.AFTER_MEMBER)
        steps: list[Step] = []
        for name, key, member in self._other_keys(frame, keys_of(excluded)):
            spec = self.spec_of(member)
            if spec is None:
                continue
            for value, returned, left in (yield from self._other_values(spec, next_values(excluded, name))):
                following = member.on_return(returned)
                if following is not None:
                    steps += self._step(before + key + self.colon(), value, after, following, left)
        return steps

    def _other_values(
        self, spec: ValueSpec, known: Mapping[bytes, Excluded]
    ) -> Generator[Unknown, Outcomes, list[tuple[Rope, int, Excluded]]]:
        """Values that may come: those of the excluded containers, and the shortest one that is none of these."""
        if (spec, frozenset(known)) not in self._others:
            self._others[spec, frozenset(known)] = other_values(spec, known) if known else spec
        others = yield self._others[spec, frozenset(known)]
        values = [(rope._replace(is_chosen=True), returned, NOTHING_EXCLUDED) for returned, rope in others.items()]
        for text, left in known.items():
            written = self._known_values.written(spec, text)
            rope = None if written is None else self._speller.rope(written[0])
            if written is not None and rope is not None:
                values.append((rope._replace(is_chosen=True), written[1], left))
        return values

    def _other_keys(self, frame: Frame, known: frozenset[str]) -> Iterator[tuple[str, bytes, Frame]]:
        """Keys that may come next: declared ones, those of the excluded objects, and one that is none of these."""
        assert frame.kind == "object", "only objects have keys"
        spec = frame.key_spec()
        if spec is None:
            return
        offered = [*_helpful(frame, spec.words), *spec.words]
        for name in list(dict.fromkeys(offered))[:_MAX_OTHER_KEYS]:
            checkpoint()
            declared = frame.on_return(spec.words[name])
            if declared is not None:
                yield name, b'"' + spell(name) + b'"', declared
        for language, returned in spec.open:
            names = [name for name in known - spec.excluded if matches(language, name)]
            text = self.strings.text(language, spec.excluded | known)
            for key in [*map(spell, names), *([] if text is None else [text])]:
                opened = frame.on_capture(returned, b'"' + key + b'"')
                if opened is not None:
                    yield json.loads(b'"' + key + b'"'), b'"' + key + b'"', opened

    def _separator(self, state: int, context: int) -> bytes:
        """What comes before a member or an item."""
        return b"," + self._spaces.of(context) if state == REST else b""

    def _items(self, frame: Frame, state: int) -> Steps:
        """The ways to write one more item."""
        spec = self.spec_of(frame)
        if spec is None:
            return []
        before, after = self._separator(state, at.VALUE), self._spaces.of(at.AFTER_ITEM)
        new = frame.new_value_spec() if frame.kind == "array" else spec
        steps: list[Step] = []
        for one in (spec,) if new is spec or new is None else (spec, new):
            values = yield one
            for returned, rope in values.items():
                following = (
                    frame.on_capture(returned, canonical(text_of(rope))) if one.captures else frame.on_return(returned)
                )
                if following is not None:
                    chosen = rope._replace(is_chosen=True) if one.captures else rope
                    steps += self._step(before, chosen, after, following)
        return steps

    def _members(self, frame: Frame, state: int) -> Steps:
        """The ways to write one more member that bring the object nearer to its end."""
        before, after = self._separator(state, at.KEY), self._spaces.of(at.AFTER_MEMBER)
        steps = []
        for key, member, is_open in self._next_members(frame):
            value = self.spec_of(member)
            if value is None:
                continue
            values = yield value
            for returned, rope in values.items():
                checkpoint()
                following = member.on_return(returned)
                if following is not None:
                    chosen = rope._replace(is_chosen=True) if is_open else rope
                    steps += self._step(before + key + self.colon(), chosen, after, following)
        return steps

    def _step(
        self, before: bytes, value: Rope, after: bytes, following: Frame, left: Excluded = NOTHING_EXCLUDED
    ) -> list[Step]:
        first, last = self._speller.rope(before), self._speller.rope(after)
        return [] if first is None or last is None else [(join(first, value, last), following, left)]

    def _next_members(self, frame: Frame) -> Iterator[tuple[bytes, Frame, bool]]:
        """Keys that may come next, those that help; each with the frame of its value, and whether it is open."""
        assert frame.kind == "object", "only objects have members"
        first = frame.first_missing() if frame.is_settled else None
        if first is not None:
            name, member = first
            yield b'"' + spell(name) + b'"', member, False
            return
        spec = frame.key_spec()
        if spec is None:
            return
        words = spec.words
        helpful = _helpful(frame, words)
        for name in helpful:
            checkpoint()
            declared = frame.on_return(words[name])
            if declared is not None:
                yield b'"' + spell(name) + b'"', declared, False
        if not helpful or not frame.is_settled:
            for language, returned in spec.open:
                text = self.strings.text(language, spec.excluded)
                if text is not None:
                    key = b'"' + text + b'"'
                    opened = frame.on_capture(returned, key)
                    if opened is not None:
                        yield key, opened, True


def _helpful(frame: OpenObject, words: Mapping[str, int]) -> list[str]:
    """The keys that may come next and that can help to complete the object."""
    wanted = frame.helpful_keys()
    found = [name for name in words if name in wanted]
    return (found[:1] if frame.is_settled else found) or list(words)


def canonical(text: bytes) -> bytes:
    """The text of a value, spelled as captured texts are."""
    return ended_text(lambda _: (text, True))


def _add(found: Outcomes, returned: int, rope: Rope | None) -> None:
    if rope is not None and rope.is_better_than(found.get(returned)):
        found[returned] = rope


def _is_better(value: Outcomes, old: Outcomes) -> bool:
    return any(rope.is_better_than(old.get(returned)) for returned, rope in value.items())
