"""`FrameRopes`: the shortest texts of values and containers, from the frames that describe them.

A value returns one of several classes, and what may follow depends on the class. So the shortest text of each class is
found. As schemas may be recursive, values and containers are unknowns of a `Solver`. The rest of a container with open
alternatives is found by a search over its frames (`ContainerSearch`).
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator, Mapping

from ..machine import layout as at
from ..machine.documents.captures import ended_text
from ..machine.documents.words import quoted
from ..machine.frames import Frame, Lexeme, OpenObject, ValueSpec
from ..machine.vocabulary_tables import VocabularyTables
from ..regex.algebra import matches
from ..solver import Solver
from ..watch import checkpoint
from .container_search import ContainerSearch, Ways
from .least import Leasts
from .other_containers import NO_OTHERS, Others, excluded, other_values, wanted
from .ropes import Rope, join, text_of
from .spaces import Spaces
from .spelling import Speller
from .texts import Texts
from .unknowns import FIRST, MUST, REST, Evaluation, Outcomes, Step, Steps, Unknown

_MAX_OTHER_KEYS = 32
_FIRST_CONTEXTS = {b"{": at.FIRST_KEY, b"[": at.FIRST_ITEM}


class FrameRopes:
    """Of the frames of one grammar, on one vocabulary. texts: those of strings, keys and numbers."""

    def __init__(self, vocabulary_tables: VocabularyTables, spaces: Spaces) -> None:
        self._speller = vocabulary_tables.attached(Speller)
        self._spaces = spaces
        self.texts = Texts(vocabulary_tables)
        self._solver: Solver[Unknown, Outcomes] = Solver(self._evaluate, {}, _is_better)
        self._specs: dict[Frame, ValueSpec | None] = {}
        self._others: dict[tuple[ValueSpec, frozenset[bytes]], ValueSpec] = {}
        self._open_keys: dict[tuple[Frame, int], frozenset[str]] = {}
        self._ways: Ways = {}

    def of_value(self, frame: Frame) -> Outcomes:
        """The texts of the value that a frame expects."""
        spec = self.spec_of(frame)
        return {} if spec is None else self._solver(spec)

    def of_spec(self, spec: ValueSpec) -> Outcomes:
        """The texts of a value."""
        return self._solver(spec)

    def of_container(self, frame: Frame, mode: int, others: Others = NO_OTHERS) -> Outcomes:
        """The rest of a container, its bracket included; whitespace that must come first is left out."""
        return self._solver((frame, mode, others))

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
        for bracket in _FIRST_CONTEXTS:
            if spec.object if bracket == b"{" else spec.array:
                whole = yield from self._whole(spec, bracket, excluded(spec.excluded_containers, bracket))
                for returned, rope in whole.items():
                    _add(found, returned, rope)
        return found

    def _whole(self, spec: ValueSpec, bracket: bytes, others: Others) -> Evaluation:
        """The containers that a value may be."""
        frame = spec.object if bracket == b"{" else spec.array
        begin = None if frame is None else self._speller.rope(bracket + self._spaces.of(_FIRST_CONTEXTS[bracket]))
        if frame is None or begin is None:
            return {}
        ends = yield frame, FIRST, others
        return {returned: join(begin, rope) for returned, rope in ends.items()}

    def _container(self, frame: Frame, mode: int, others: Others) -> Evaluation:
        """The rest of a container that is compared with some others.

        A settled one ends if it may; else one more member or item comes, then the rest. What comes next either goes on
        as some of the others do, or as none does.
        """
        assert frame.kind != "value", "only containers have an end"
        if not others.lefts and not frame.is_settled:
            if frame.kind == "object" and frame.has_plenty:
                return (yield from self._with_fewer_keys(frame, mode))
            return (yield from self._search(frame, mode))
        closed = self._closed(frame, mode) if others.has_ended == others.are_wanted else {}
        if closed and frame.is_settled:
            return closed
        found: Outcomes = {}
        for piece, following, left in (yield from self._steps(frame, mode, others)):
            ends = yield following, REST, left
            for returned, rope in ends.items():
                _add(found, returned, join(piece, rope))
            if found and others.are_wanted:  # in the first order of its keys that the frames take
                break
        for returned, rope in closed.items():
            _add(found, returned, rope)
        return found

    def _with_fewer_keys(self, frame: OpenObject, mode: int) -> Evaluation:
        """The rest of an object, found as if it had no open keys yet; then once more with those that would come twice.

        So texts that differ in their open keys mostly share one search.
        """
        kept: frozenset[str] = frozenset()
        while (fewer := frame.with_used(kept)) is not frame:
            found = yield fewer, mode, NO_OTHERS
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

    def _steps(self, frame: Frame, mode: int, others: Others = NO_OTHERS) -> Steps:
        """The ways to write one more member or item, each with the other containers that begin so."""
        steps = self._items if frame.kind == "array" else self._members
        return (yield from steps(frame, mode, others))

    def _closed(self, frame: Frame, mode: int) -> Outcomes:
        """The end of a container, where it may end now."""
        found: Outcomes = {}
        completion = frame.close_class if mode != MUST else None
        if completion is not None:
            _add(found, completion, self._speller.rope(b"]" if frame.kind == "array" else b"}"))
        return found

    def _items(self, frame: Frame, mode: int, others: Others) -> Steps:
        spec = self.spec_of(frame)
        if spec is None:
            return []
        before, after = self._separator(mode, at.VALUE), self._spaces.of(at.AFTER_ITEM)
        new = None if others.lefts or frame.kind != "array" else frame.new_value_spec()
        known = others.values(min(others.keys, default=0)) if others.lefts else {}  # by the number of the next item
        steps: list[Step] = []
        for one in (spec,) if new is spec or new is None else (spec, new):
            is_chosen = bool(others.lefts or one.captures)
            for value, returned, left in (yield from self._values(one, known, others, is_chosen)):
                text = canonical(text_of(value)) if one.captures else b""
                following = frame.on_capture(returned, text) if one.captures else frame.on_return(returned)
                if following is not None:
                    steps += self._step(before, value, after, following, left)
        return steps

    def _members(self, frame: Frame, mode: int, others: Others) -> Steps:
        before, after = self._separator(mode, at.KEY), self._spaces.of(at.AFTER_MEMBER)
        steps: list[Step] = []
        for key, member, is_open in self._keys(frame, others):
            spec = self.spec_of(member)
            if spec is None:
                continue
            known, is_chosen = others.values(json.loads(key)) if others.lefts else {}, bool(others.lefts or is_open)
            for value, returned, left in (yield from self._values(spec, known, others, is_chosen)):
                checkpoint()
                following = member.on_return(returned)
                if following is not None:
                    steps += self._step(before + key + self.colon(), value, after, following, left)
            if others.lefts and _is_next(frame, key, steps):
                break
        return steps

    def _values(
        self, spec: ValueSpec, known: Mapping[bytes, Others], others: Others, is_chosen: bool
    ) -> Generator[Unknown, Outcomes, list[tuple[Rope, int, Others]]]:
        """Values that may come: those by which other containers go on, with what is left of these; and unless one of
        them is wanted, the shortest ones that are none of those."""
        found: list[tuple[Rope, int, Others]] = []
        if not others.are_wanted:
            if known and (spec, frozenset(known)) not in self._others:
                self._others[spec, frozenset(known)] = other_values(spec, known)
            new = yield self._others[spec, frozenset(known)] if known else spec
            found += [(rope, returned, NO_OTHERS) for returned, rope in new.items()]
        for text, left in known.items():
            found += [(rope, returned, left) for returned, rope in (yield from self._known(spec, text)).items()]
        return [(one._replace(is_chosen=True), cls, left) for one, cls, left in found] if is_chosen else found

    def _known(self, spec: ValueSpec, text: bytes) -> Evaluation:
        """A given value, as `text_of_value` writes it, where a spec lets it come."""
        if text[:1] in _FIRST_CONTEXTS:
            return {} if text in spec.excluded_containers else (yield from self._whole(spec, text[:1], wanted(text)))
        found: Outcomes = {}
        returned = _class_of_scalar(spec, text)
        if returned is not None:
            _add(found, returned, self._speller.rope(text))
        return found

    def _keys(self, frame: Frame, others: Others) -> Iterator[tuple[bytes, Frame, bool]]:
        """Keys that may come next, each with the frame of its value, and whether it is open: those that help; beside
        other objects also more, with their keys, and unless one of them is wanted one that is none of these."""
        assert frame.kind == "object", "only objects have keys"
        if not others.lefts and (members := frame.next_members()):
            yield from [(quoted(name), member, False) for name, member in members]
            return
        spec = frame.key_spec()
        if spec is None:
            return
        words, known = spec.words, frozenset([key for key in others.keys if isinstance(key, str)])
        helpful = [name for name in words if name in known] if others.are_wanted else _helpful(frame, words)
        is_any = others.lefts and not others.are_wanted
        for name in list(dict.fromkeys([*helpful, *words]))[:_MAX_OTHER_KEYS] if is_any else helpful:
            checkpoint()
            declared = frame.on_return(words[name])
            if declared is not None:
                yield quoted(name), declared, False
        if helpful and frame.is_settled and not others.lefts:
            return
        for language, returned in spec.open:
            texts = [quoted(name) for name in sorted(known - spec.excluded) if matches(language, name)]
            if not others.are_wanted:
                text = self.texts.of(language, "string", spec.excluded | known if known else spec.excluded)
                texts += [] if text is None else [b'"' + text]
            for key in texts:
                opened = frame.on_capture(returned, key)
                if opened is not None:
                    yield key, opened, True

    def _separator(self, mode: int, context: int) -> bytes:
        """What comes before a member or an item."""
        return b"," + self._spaces.of(context) if mode == REST else b""

    def _step(self, before: bytes, value: Rope, after: bytes, following: Frame, left: Others) -> list[Step]:
        first, last = self._speller.rope(before), self._speller.rope(after)
        return [] if first is None or last is None else [(join(first, value, last), following, left)]


def _helpful(frame: OpenObject, words: Mapping[str, int]) -> list[str]:
    """The keys that may come next and that can help to complete the object."""
    wanted = frame.helpful_keys()
    found = [name for name in words if name in wanted]
    return (found[:1] if frame.is_settled else found) or list(words)


def _is_next(frame: Frame, key: bytes, steps: list[Step]) -> bool:
    """Whether a key can come before all others: it must come, and after it all may come that may come now."""
    assert frame.kind == "object", "only objects have keys"
    names, spec = [name for name, _ in frame.next_members()] if frame.is_settled else [], frame.key_spec()
    if spec is None or [quoted(name) for name in names] != [key]:
        return False
    later = [None if one.kind != "object" else one.key_spec() for _, one, _ in steps]
    return all(one is not None and spec.words.keys() - set(names) <= one.words.keys() for one in later)


def _class_of_scalar(spec: ValueSpec, text: bytes) -> int | None:
    """The class of a scalar that is written like this; None where it may not come."""
    if text in (b"true", b"false", b"null"):
        return dict(spec.literals).get(text)
    if text[:1] == b'"':
        return _class_in(spec.strings, json.loads(text), spec.excluded_strings)
    return _class_in(spec.numbers, text.decode(), spec.excluded_numbers)


def _class_in(lexeme: Lexeme, word: str, excluded: frozenset[str]) -> int | None:
    return None if word in excluded else next((cls for language, cls in lexeme if matches(language, word)), None)


def canonical(text: bytes) -> bytes:
    """The text of a value, spelled as captured texts are."""
    return ended_text(lambda _: (text, True))


def _add(found: Outcomes, returned: int, rope: Rope | None) -> None:
    if rope is not None and rope.is_better_than(found.get(returned)):
        found[returned] = rope


def _is_better(value: Outcomes, old: Outcomes) -> bool:
    return any(rope.is_better_than(old.get(returned)) for returned, rope in value.items())
