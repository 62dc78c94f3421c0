"""`FrameRopes`: the shortest texts of values and containers, from the frames that describe them.

A value returns one of several classes, and the texts that may follow depend on the class. The shortest text of each
class is therefore computed. Schemas may be recursive, so values and containers are unknowns of a `Solver`. A search
over frames (`ContainerSearch`) finds the rest of a container with open alternatives.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Generator

from ..machine import layout as at
from ..machine.documents.captures import ended_text
from ..machine.documents.strings import BARE_NAME_END
from ..machine.documents.words import quoted
from ..machine.frames import (
    Frame,
    Marks,
    OpenArray,
    OpenObject,
    StyledContainer,
    StyledFrame,
    StyledSpec,
    ValueSpec,
)
from ..machine.quotes.lexemes import QuoteLexemes
from ..machine.vocabulary_tables import VocabularyTables
from ..solver import Solver
from ..watch import checkpoint
from .container_search import ContainerSearch, Ways
from .least import Leasts
from .ropes import Rope, join, text_of
from .spaces import Spaces
from .spelling import speller_of
from .texts import Texts
from .unknowns import FIRST, MUST, REST, Evaluation, Outcomes, Step, Steps, Unknown, as_json, closing


class FrameRopes:
    """The shortest texts for one grammar's frames on one vocabulary. texts: shortest strings, keys and numbers."""

    def __init__(self, vocabulary_tables: VocabularyTables, spaces: Spaces, quotes: QuoteLexemes | None = None) -> None:
        self._speller = speller_of(vocabulary_tables, quotes)
        self._spaces = spaces
        self.texts = Texts(vocabulary_tables, quotes)
        self._solver: Solver[Unknown, Outcomes] = Solver(self._evaluate, {}, _is_better)
        self._specs: dict[Frame, ValueSpec | StyledSpec | None] = {}
        self._open_keys: dict[tuple[Frame, int], frozenset[str]] = {}
        self._ways: Ways = {}
        self._broken: dict[StyledSpec, StyledSpec] = {}  # spec -> spec of its texts after a line break

    def of_value(self, frame: Frame) -> Outcomes:
        """Return the shortest text of each class, for the value that a frame expects."""
        spec = self.spec_of(frame)
        return {} if spec is None else self._solver(spec)

    def of_spec(self, spec: ValueSpec | StyledSpec) -> Outcomes:
        """Return the shortest text of each class, for a value."""
        return self._solver(spec)

    def of_container(self, frame: Frame, mode: int) -> Outcomes:
        """Return the shortest rest of a container for each class, with its bracket but without whitespace before it."""
        return self._solver((frame, mode))

    def spec_of(self, frame: Frame) -> ValueSpec | StyledSpec | None:
        """Return the frame's spec, the same object each time."""
        if frame not in self._specs:
            styled = frame.styled_spec() if isinstance(frame, StyledFrame) else None
            self._specs[frame] = frame.value_spec() if styled is None else styled
        return self._specs[frame]

    def after_break(self, spec: StyledSpec) -> Outcomes:
        """Return the shortest text of each class, for a value between marks, after a line break."""
        if spec not in self._broken:
            self._broken[spec] = StyledSpec(spec.after_break or (), f"\n{spec.end}", None, spec.object, spec.array)
        return self._solver(self._broken[spec])

    def colon(self, frame: Frame | None = None) -> bytes:
        """Return the bytes between a key and its value. frame: the value's frame; None: a value in JSON."""
        is_styled = isinstance(frame, StyledFrame)
        if is_styled:
            return b""
        spec = None if frame is None else frame.value_spec()
        before = b"" if spec is not None and spec.marks is not None else self._spaces.of(at.COLON) + b":"
        return before + self._spaces.of(at.VALUE)

    def _evaluate(self, unknown: Unknown) -> Evaluation:
        if isinstance(unknown, ValueSpec):
            return self._value(unknown)
        if isinstance(unknown, StyledSpec):
            return self._marked_value(unknown)
        return self._container(*unknown)

    def _value(self, spec: ValueSpec) -> Evaluation:
        found: Outcomes = {}
        for returned, string in self.strings(spec):
            _add(found, returned, self._speller.rope(string))
        for language, returned in spec.numbers:
            text = self.texts.of(language, "number", spec.excluded_numbers)
            _add(found, returned, None if text is None else self._speller.rope(text))
        for text, returned in spec.literals:
            _add(found, returned, self._speller.rope(text))
        yield from self._add_containers(found, spec)
        return found

    def strings(self, spec: ValueSpec) -> list[tuple[int, bytes]]:
        """A shortest string of each language, with its class."""
        found: list[tuple[int, bytes]] = []
        for language, returned in spec.strings:
            text = self.texts.of(language, "string" if spec.marks is None else "text", spec.excluded_strings)
            if text is not None:
                quote = b"" if spec.marks is None else spec.marks.opening
                found.append((returned, (quote or b'"') + text + quote))
        return found

    def _marked_value(self, spec: StyledSpec) -> Evaluation:
        """Return the shortest text of each class, for a value between marks. The end mark is included, except after an
        array or object.
        """
        found: Outcomes = {}
        for language, returned in spec.texts:
            text = self.texts.of(language, "text")
            _add(found, returned, None if text is None else self._speller.rope(text + spec.end.encode()))
        for language, returned in spec.after_break or ():
            text = self.texts.of(language, "text")
            _add(
                found, returned, None if text is None else self._speller.rope(b"\n" + text + b"\n" + spec.end.encode())
            )
        yield from self._add_containers(found, spec)
        return found

    def _add_containers(self, found: Outcomes, spec: ValueSpec | StyledSpec) -> Generator[Unknown, Outcomes, None]:
        for bracket, frame, context in ((b"{", spec.object, at.FIRST_KEY), (b"[", spec.array, at.FIRST_ITEM)):
            opening = b"" if isinstance(frame, StyledFrame) else bracket + self._spaces.of(context)
            begin = None if frame is None else self._speller.rope(opening)
            if frame is not None and begin is not None:
                ends = yield frame, FIRST
                for returned, rope in ends.items():
                    _add(found, returned, join(begin, rope))

    def _container(self, frame: Frame, mode: int) -> Evaluation:
        """Return the rest of a container: its end if it may end now; else one more member or item, and the rest after
        that. A container with open alternatives (not `is_settled`) needs a search.
        """
        found: Outcomes = {}
        alternatives = frame.alternatives if isinstance(frame, StyledContainer) else ()
        if alternatives:
            for one in alternatives:
                ends = yield one, MUST
                for returned, rope in ends.items():
                    _add(found, returned, rope)
            return found
        container = as_json(frame)
        if not container.is_settled:
            if container.kind == "object" and container.has_plenty:
                return (yield from self._with_fewer_keys(frame, mode))
            return (yield from self._search(frame, mode))
        found = self._closed(frame, mode)
        if found:
            return found
        for piece, following in (yield from self._steps(frame, mode)):
            ends = yield following, REST
            for returned, rope in ends.items():
                _add(found, returned, join(piece, rope))
        return found

    def _with_fewer_keys(self, frame: Frame, mode: int) -> Evaluation:
        """Return the rest of an object, computed as if it had no open keys.

        If the result repeats some of its keys, it is computed again with these. Texts that differ in their open keys
        therefore mostly share one search.
        """
        kept: frozenset[str] = frozenset()
        assert frame.kind == "object"
        container = as_json(frame)
        assert container.kind == "object"
        while (fewer := frame.with_used(kept)) is not frame:
            found = yield fewer, mode
            repeated = self._open_keys.get((fewer, mode), kept).difference(kept).intersection(container.used)
            if not repeated:
                return found
            kept |= repeated
        return (yield from self._search(frame, mode))

    def _search(self, frame: Frame, mode: int) -> Evaluation:
        """Return the rest of a container with open alternatives."""
        search = ContainerSearch(self._speller, Leasts(self._speller, self._spaces), self._steps, self._ways)
        found, self._open_keys[frame, mode] = yield from search.run(frame, mode)
        return found

    def _steps(self, frame: Frame, mode: int) -> Steps:
        """Return the ways to write one more member or item."""
        assert frame.kind != "value", "only containers have members or items"
        return (yield from self._items(frame, mode) if frame.kind == "array" else self._members(frame, mode))

    def _closed(self, frame: Frame, mode: int) -> Outcomes:
        """Return the end of a container if it may end now."""
        found: Outcomes = {}
        completion = frame.close_class if mode != MUST else None
        if completion is not None:
            _add(found, completion, self._speller.rope(closing(frame)))
        return found

    def _items(self, frame: OpenArray, mode: int) -> Steps:
        spec = self.spec_of(frame)
        if not isinstance(spec, ValueSpec):
            return []
        before, after = self._separator(mode, at.VALUE), self._spaces.of(at.AFTER_ITEM)
        new = frame.new_value_spec()
        steps: list[Step] = []
        for one in (spec,) if new is spec or new is None else (spec, new):
            values = yield one
            for returned, value in values.items():
                text = canonical(text_of(value), one.marks) if one.captures else b""
                following = frame.on_capture(returned, text) if one.captures else frame.on_return(returned)
                if following is not None:
                    steps += self._step(
                        before, value._replace(is_chosen=True) if one.captures else value, after, following
                    )
        return steps

    def _members(self, frame: OpenObject | StyledContainer, mode: int) -> Steps:
        is_styled = isinstance(frame, StyledFrame)
        before, after = self._separator(mode, at.KEY), self._spaces.of(at.AFTER_MEMBER)
        if is_styled:
            before = after = b""
        steps: list[Step] = []
        for key, member, is_open in (yield from self._keys(frame)):
            colon = self.colon(member)
            for value, following in (yield from self._values(member, key)):
                checkpoint()
                value = value._replace(is_chosen=True) if is_open else value
                steps += self._step(before + key + colon, value, after, following)
        return steps

    def _values(self, member: Frame, before: bytes) -> Steps:
        """Return the ways to write a member's value, with the marks after it. before: text of the value so far."""
        spec = self.spec_of(member)
        if spec is None:
            return []
        values = yield spec
        steps: list[Step] = []
        for returned, value in values.items():
            written = before + text_of(value) if spec.captures else b""
            following = member.on_capture(returned, written) if spec.captures else member.on_return(returned)
            if following is not None and following.kind == "value":  # the mark behind an array or object
                ends = yield from self._values(following, written)
                steps += [(join(value, end), after) for end, after in ends]
            elif following is not None:
                steps.append((value, following))
        return steps

    def _keys(
        self, frame: OpenObject | StyledContainer
    ) -> Generator[Unknown, Outcomes, list[tuple[bytes, Frame, bool]]]:
        """Return helpful keys that may come next, each with the frame of its value, and True if it is open."""
        found: list[tuple[bytes, Frame, bool]] = []
        container = as_json(frame)
        members = container.next_members() if container.kind == "object" else ()
        if isinstance(frame, StyledContainer):
            members = [pair for name, member in members for pair in frame.members_of(name, member)]
        if members:
            value = members[0][1].value_spec()
            spelled = _spelled_in(frame, None if value is None else value.marks)
            return [(spelled(name), member, False) for name, member in members]
        spec = frame.key_spec()
        if spec is None:
            return found
        spelled = _spelled_in(frame, spec.marks)
        names: list[str] = []
        if container.kind == "object":
            names = yield from self._helpful(frame, container, list(spec.words))
        for name in names or spec.words:
            checkpoint()
            declared = frame.on_return(spec.words[name])
            if declared is not None:
                found.append((spelled(name), declared, False))
        if names and container.is_settled:
            return found
        for language, returned in spec.open:
            is_json = not isinstance(frame, StyledFrame) and spec.marks is None
            text = self.texts.of(language, "string" if is_json else "text", spec.excluded)
            if text is None:
                continue
            key = b'"' + text if is_json else spelled(text.decode())
            captured = key if is_json else text if isinstance(frame, StyledFrame) else quoted(text.decode())
            opened = frame.on_capture(returned, captured)
            if opened is not None:
                found.append((key, opened, True))
        return found

    def _helpful(
        self, frame: OpenObject | StyledContainer, container: OpenObject, names: list[str]
    ) -> Generator[Unknown, Outcomes, list[str]]:
        """Return helpful declared keys that may come next, and the first of the keys that only count. [] if unknown.

        container: the frame as JSON.
        names: texts of the declared keys that may come next.
        """
        wanted = container.helpful_keys()
        num_needed = container.min_members - (len(wanted) if container.is_settled else 0)
        counted = (yield from self._cheapest(container, wanted, num_needed)) if num_needed > 0 else set()
        if isinstance(frame, StyledContainer):
            wanted, counted = ({text for name in some for text in frame.texts_of(name)} for some in (wanted, counted))
        if container.is_settled:
            return [name for name in names if name in wanted or name in counted][:1]
        found = [name for name in names if name in wanted]
        others = [name for name in names if name not in wanted]
        if container.any_key_helps:
            return found + others
        return found + [name for name in others if name in counted][:1]

    def _cheapest(
        self, frame: OpenObject, wanted: Collection[str], number: int
    ) -> Generator[Unknown, Outcomes, set[str]]:
        """Return the `number` other declared keys with the shortest members whose values are known."""
        costs: list[tuple[int, int, str]] = []
        for place in frame.possible_members():
            checkpoint()
            name, goal = frame.member(place)
            key = None if name in wanted else self._speller.rope(quoted(name))
            if key is not None:
                values = yield goal.spec()
                costs += [(*join(key, rope)[:2], name) for rope in values.values()]
        return {name for *_, name in heapq.nsmallest(number, costs)}

    def _separator(self, mode: int, context: int) -> bytes:
        """Return the bytes before a member or an item."""
        return b"," + self._spaces.of(context) if mode == REST else b""

    def _step(self, before: bytes, value: Rope, after: bytes, following: Frame) -> list[Step]:
        first, last = self._speller.rope(before), self._speller.rope(after)
        return [] if first is None or last is None else [(join(first, value, last), following)]


def canonical(text: bytes, marks: Marks | None) -> bytes:
    """The text of a value, spelled as captured texts are."""
    return ended_text(lambda _: (text, True), b"" if marks is None else marks.opening)


def _spelled_in(frame: OpenObject | StyledContainer, marks: Marks | None) -> Callable[[str], bytes]:
    """Return how the keys of an object are spelled. marks: of its document, see `KeySpec`."""
    if isinstance(frame, StyledFrame):
        opening = frame.marks.opening
        return lambda text: opening + text.encode()
    return quoted if marks is None else lambda name: f"{name}{BARE_NAME_END}".encode()


def _add(found: Outcomes, returned: int, rope: Rope | None) -> None:
    if rope is not None and rope.is_better_than(found.get(returned)):
        found[returned] = rope


def _is_better(value: Outcomes, old: Outcomes) -> bool:
    return any(rope.is_better_than(old.get(returned)) for returned, rope in value.items())
