"""`DocumentRopes`: the shortest way to the end of a document, from any of its states.

The way has two parts: the rest of the current string, number or literal; then the need of each frame on the stack, the
top one first. The second part is kept for each stack node and the class of its value that has just ended. Equal stacks
are one node (hash-consing), so only new stack nodes cost a search.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from typing import NamedTuple, TypeAlias, TypeVar

from ..machine import layout as at
from ..machine.codes import (
    class_map_of,
    context_of,
    counter_number_of,
    depth_of,
    first_word_of,
    literal_of,
    mark_bytes_of,
    set_number_of,
    styled_context_of,
    tag_of,
)
from ..machine.documents.captures import ended_text
from ..machine.frames import Frame, KeySpec, StyledFrame, StyledSpec, ValueSpec
from ..machine.rules.branches import Branch
from ..machine.tables import DocumentTables
from ..machine.tails import Tail, longer
from ..regex import algebra as lang
from ..watch import MANY_ITEMS, checkpoint, paced
from .frames import FrameRopes
from .kernels import base_code, is_word_allowed
from .ropes import EMPTY, Rope, Trust, Way, best, join, text_of
from .spaces import Spaces
from .spelling import speller_of
from .unknowns import FIRST, MUST, REST, Outcomes

_After = TypeVar("_After")

_Steps: TypeAlias = "Generator[_Steps, Rope | None, Rope | None]"
"""The computation of a shortest way; it yields other ones whose results it needs. `_run` runs it."""

_LITERALS = (b"true", b"false", b"null")

_PLAIN = lang.chars(((0x30, 0x39), (0x61, 0x7A)))
_FEW_CHARS = 8
_MANY_TEXTS = 1000


class Ending(NamedTuple):
    """The end of a lexeme. text: rest of the lexeme. returned: its class. is_open: True for an open key."""

    text: bytes
    returned: int
    is_open: bool


def _run(steps: _Steps) -> Rope | None:
    """Return the result of a computation, with a list instead of recursion."""
    running, result = [steps], None
    while running:
        try:
            running.append(running[-1].send(result))
            result = None
        except StopIteration as ended:
            running.pop()
            result = ended.value
    return result


class DocumentRopes:
    """The ways to the ends of documents; see `Ropes`. The caller holds the automaton's lock.

    first_space: first row of the whitespace table of its documents.
    """

    many_tokens = 4

    def __init__(self, tables: DocumentTables, first_space: int = 0) -> None:
        self._first_space = first_space
        self._tables = tables
        self._speller = speller_of(tables.vocabulary_tables, tables.quotes)
        self._machine = tables.machine
        self._spaces = Spaces(tables.machine.whitespace.numpy(), first_space)
        self.frames = FrameRopes(tables.vocabulary_tables, self._spaces, tables.quotes)
        self._after: dict[tuple[int, int, bool], Way] = {}
        self._robust: dict[lang.Language, bool] = {}
        self._trust = Trust.SURE
        self._tail: Tail | None = None

    def has(self, stack: int) -> bool:
        """Return True if a stack is in one of the documents."""
        return self._tables.is_in_document(stack) and self._tables.first_space(stack) == self._first_space

    def rope(self, branch: Branch, tail: Tail | None, capture: int = 0) -> Way:
        """Return the shortest way to the end of the document; see `Ropes.rope`."""
        self._trust, self._tail = Trust.SURE, tail
        try:
            rope = self._from(*branch)
        finally:
            self._tail = None  # breaks a cycle: the tail's matcher refers to this object
        of_capture = self._trust_after_capture(branch.stack, capture) if capture else Trust.SURE
        return rope, max(self._trust, of_capture)

    def by_id(self, branch: Branch) -> tuple[()]:
        """Return (): documents name no tokens by their ids. See `Ropes.by_id`."""
        return ()

    def after(self, stack: int, returned: int, is_open: bool = False) -> Way:
        """Return the way to the end after the value or key on top of a stack, for any text of its class `returned`."""
        self._trust, self._tail = Trust.SURE, None
        return _run(self._returned(stack, returned, EMPTY, is_open)), self._trust

    def _from(self, code: int, stack: int) -> Rope | None:
        if tag_of(code) == at.STYLED:
            return self._from_styled(code, stack)
        if tag_of(code) != at.STRUCTURAL:
            return self._end_lexeme(self._endings(code), stack)
        if code == at.DONE:
            return EMPTY
        context, frame = context_of(code), self._tables.top_frame(stack)
        if context == at.LITERAL:
            literal = literal_of(code)
            spec = self.frames.spec_of(frame)
            assert isinstance(spec, ValueSpec)
            returned = (spec.true, spec.false, spec.null)[literal]
            assert returned is not None
            return self._end_lexeme([Ending(_LITERALS[literal][code & 7 :], returned, False)], stack)
        before = self._spaces.at(code)
        if context == at.COLON:
            before += b":" + self._spaces.of(at.VALUE)
        if context in (at.COLON, at.VALUE, at.ROOT_VALUE):
            return self._through(before, self.frames.of_value(frame), stack)
        mode = FIRST if context in (at.FIRST_ITEM, at.FIRST_KEY) else MUST if context == at.KEY else REST
        parent = self._machine.top(stack)[1]
        return self._through(before, self.frames.of_container(frame, mode), parent)

    def _from_styled(self, code: int, stack: int) -> Rope | None:
        """Return the way to the end of an object in a style, also from inside a mark."""
        context, frame = styled_context_of(code), self._tables.top_frame(stack)
        if context == at.STYLED_START:
            spec = frame.value_spec()
            assert spec is not None
            assert spec.object is not None
            return self._through(b"", self.frames.of_container(spec.object, FIRST), stack)
        if context == at.BETWEEN:
            num_read = mark_bytes_of(code)
            is_begun = self._is_begun(code)
            ends = self._without(self.frames.of_container(frame, MUST if is_begun else REST), num_read)
            way = self._through(b"", ends, self._machine.top(stack)[1])
            return best([way, self._behind(code, stack) if is_begun else None])
        spec_of_value = self.frames.spec_of(frame)
        if context == at.IN_QUOTE:
            assert isinstance(spec_of_value, ValueSpec)
            num_read = mark_bytes_of(code)
            texts = [(returned, text[num_read:]) for returned, text in self.frames.strings(spec_of_value)]
            return self._end_lexeme([Ending(text, returned, True) for returned, text in texts], stack)
        assert isinstance(spec_of_value, StyledSpec)
        if context == at.STYLED_VALUE and self._is_begun(code):
            return self._from_begun_value(code, stack, spec_of_value)
        is_broken = context == at.AFTER_BREAK
        ends = self.frames.after_break(spec_of_value) if is_broken else self.frames.of_value(frame)
        return self._through(b"", ends, stack)

    def _behind(self, code: int, stack: int) -> Rope | None:
        """Like `_from_styled`, if an inner object or array has ended and the code is in the mark behind it."""
        code, stack = self._tables.behind_object(code, stack)
        return None if code < 0 or tag_of(code) == at.LOCAL else self._from(code, stack)

    @staticmethod
    def _is_begun(code: int) -> bool:
        """True if a STYLED code has read something since the last member ended, or since the value began."""
        return bool(code & ((1 << at.STYLED_SHIFT) - 1))

    def _without(self, ends: Outcomes, num_read: int) -> Outcomes:
        """The rests of texts whose first `num_read` bytes are read."""
        if not num_read:
            return ends
        rests = {returned: self._speller.rope(text_of(rope)[num_read:]) for returned, rope in ends.items()}
        return {returned: rope for returned, rope in rests.items() if rope is not None}

    def _from_begun_value(self, code: int, stack: int, spec: StyledSpec) -> Rope | None:
        """Like `_from_styled`, in a value that may be a text, or an object or array whose first mark has begun."""
        num_read = mark_bytes_of(code)
        text = self._tables.text_code(code, stack)
        ways = [None if text < 0 else self._end_lexeme(self._endings(text), stack)]
        for frame in (spec.object, spec.array):
            if frame is not None:
                ends = self._without(self.frames.of_container(frame, MUST), num_read)
                ways.append(self._through(b"", ends, stack))
        return best(ways)

    def _through(self, before: bytes, ends: Outcomes, stack: int) -> Rope | None:
        """Return the shortest way to the end: `before`, then one of `ends` for the value on top, then the rest."""
        return _run(self._steps_through(before, ends, stack, EMPTY))

    def _end_lexeme(self, endings: list[Ending], stack: int) -> Rope | None:
        pieces = [(self._speller.rope(one.text), one) for one in endings]
        return _run(
            self._shortest(pieces, stack, lambda piece, one: self._returned(stack, one.returned, piece, one.is_open))
        )

    # --- ways through the stack, as `_Steps`, because a stack may be deeper than Python's

    def _steps_through(self, before: bytes, ends: Outcomes, stack: int, written: Rope) -> _Steps:
        """Return what `_through` returns. written: as for `_returned`."""
        first = self._speller.rope(before)
        if first is None:
            return None
        pieces = [(join(first, rope), returned) for returned, rope in ends.items()]
        return (
            yield from self._shortest(
                pieces, stack, lambda piece, returned: self._returned(stack, returned, join(written, piece))
            )
        )

    def _shortest(
        self, pieces: Iterable[tuple[Rope | None, _After]], stack: int, rest_of: Callable[[Rope, _After], _Steps]
    ) -> _Steps:
        """Return the shortest of some pieces, each with the rest that must come after it.

        stack: stack while a piece is written.

        If a piece alone costs as much as a known way, the rest after it is not searched.
        """
        spelled = [(piece, then) for piece, then in pieces if piece is not None]
        at_least, found = (0 if self._tables.is_root(stack) else 1), None  # an open container must be closed
        for piece, then in sorted(spelled, key=lambda one: one[0][:2]):
            if found is not None and found[:2] <= (piece.num_tokens + at_least, piece.num_bytes + at_least):
                break
            rest = yield rest_of(piece, then)
            found = found if rest is None else best([found, join(piece, rest)])
        return found

    def _returned(self, stack: int, returned: int, written: Rope, is_open: bool = False) -> _Steps:
        """Return the shortest way to the end after a value or key on top of a stack has ended.

        written: text written since the text that `tail` gives.
        """
        frame = self._tables.top_frame(stack)
        if self._tables.is_root(stack):
            return EMPTY
        captures = self._captures(frame, is_open)
        key = (stack, returned, captures)
        known = self._after.get(key)
        if known is None or (self._tail is not None and known[1] is not Trust.SURE):
            known = yield from self._find_after(frame, stack, returned, written, captures)
            if self._tail is None or known[1] is Trust.SURE:
                self._after[key] = known
        self._trust = max(self._trust, known[1])
        return known[0]

    def _find_after(
        self, frame: Frame, stack: int, returned: int, written: Rope, captures: bool
    ) -> Generator[_Steps, Rope | None, Way]:
        before, self._trust = self._trust, Trust.SURE
        if captures and self._tail is not None:
            following = frame.on_capture(returned, self._ended(written, frame, returned))
        else:
            following = frame.on_return(returned)
        rope = None if following is None else (yield from self._go_on(following, stack, written))
        if captures:
            self._trust = max(self._trust, self._trust_of(frame, following, rope))
        found, self._trust = self._trust, before
        return rope, found

    def _trust_of(self, frame: Frame, following: Frame | None, rope: Rope | None) -> Trust:
        """Return the `Trust` in a way to the end after a capture."""
        spec = None if frame.kind == "object" else self.frames.spec_of(frame)
        names_end = isinstance(frame, StyledFrame) and frame.kind == "object" and frame.marks.names_end
        if following is None or names_end or (spec is not None and spec.captures > 1):
            return Trust.ONE_TEXT
        if rope is None or not rope.is_chosen:
            return Trust.SURE
        return self._trust_in_choices(following if frame.kind == "array" else frame)

    def _trust_in_choices(self, frame: Frame) -> Trust:
        """Return ROBUST if a key or item that must differ from others can be replaced; else ONE_TEXT."""
        if frame.kind == "object":
            keys = frame.key_spec()
            languages = [] if keys is None else [language for language, _ in keys.open]
        else:
            spec = self.frames.spec_of(frame)
            lexemes = (*spec.strings, *spec.numbers) if isinstance(spec, ValueSpec) else ()
            languages = [language for language, _ in lexemes]
        return Trust.ROBUST if any(map(self.is_robust, languages)) else Trust.ONE_TEXT

    def _trust_after_capture(self, stack: int, capture: int) -> Trust:
        """Return the `Trust` in a way to the end from a state after a capture whose text is unknown.

        capture: 1 + the stack node below the frame that took the capture; see `machine.masks`.
        """
        while stack:
            number, below = self._machine.top(stack)
            if below == capture - 1:
                return self._trust_in_choices(self._tables.frame(number))
            stack = below
        return Trust.ONE_TEXT if capture < 0 or capture == at.VERIFY else Trust.SURE

    def is_robust(self, language: lang.Language) -> bool:
        """Return True if many texts are hardly longer than the shortest one."""
        if language not in self._robust:
            short = lang.repeat(_PLAIN, 0, language.min_length + _FEW_CHARS)
            self._robust[language] = lang.count_words(lang.intersect(language, short), _MANY_TEXTS) >= _MANY_TEXTS
        return self._robust[language]

    def _go_on(self, following: Frame, stack: int, written: Rope) -> _Steps:
        """Return the shortest way to the end after a frame has replaced the top one of a stack."""
        parent = self._machine.top(stack)[1]
        if following.kind != "value":
            space = self._spaces.of(at.AFTER_MEMBER if following.kind == "object" else at.AFTER_ITEM)
            space = b"" if isinstance(following, StyledFrame) else space
            ends = self.frames.of_container(following, REST)
            return (yield from self._steps_through(space, ends, parent, written))
        colon = self._speller.rope(self.frames.colon(following))
        if colon is None:
            return None
        pieces = [(join(colon, rope), returned) for returned, rope in self.frames.of_value(following).items()]

        def rest_of(piece: Rope, returned: int) -> _Steps:
            spec, so_far = self.frames.spec_of(following), join(written, piece)
            if spec is not None and spec.captures and self._tail is not None:
                after = following.on_capture(returned, self._ended(so_far, following, returned))
            else:
                after = following.on_return(returned)
            return None if after is None else (yield from self._go_on(after, stack, so_far))

        return (yield from self._shortest(pieces, stack, rest_of))

    def _captures(self, frame: Frame, is_open: bool) -> bool:
        if frame.kind == "object":
            return is_open
        spec = self.frames.spec_of(frame)
        return spec is not None and spec.captures > 0

    def _ended(self, written: Rope, frame: Frame, returned: int) -> bytes:
        """Return the text of the value or key that ends the written text in a frame."""
        assert self._tail is not None
        tail = longer(self._tail, text_of(written))
        if isinstance(frame, StyledFrame):
            return frame.ended(returned, tail)
        spec = frame.key_spec() if frame.kind == "object" else self.frames.spec_of(frame)
        marks = spec.marks if isinstance(spec, KeySpec | ValueSpec) else None
        return ended_text(tail, b"" if marks is None else marks.opening)

    # --- states inside lexemes

    def _endings(self, code: int) -> list[Ending]:
        """Return the shortest ends of a state's lexeme, one for each class."""
        tag = tag_of(code)
        if tag in (at.WORDS, at.OVERLAY):
            endings = self._endings_of_words(code)
            return endings + self._endings_of_base(code) if tag == at.OVERLAY else endings
        return self._endings_of_dfa(code)

    def _endings_of_dfa(self, code: int, excluded: Iterable[bytes] = ()) -> list[Ending]:
        """Return the ends of a string or number. excluded: rests that must not be written, closing quote included."""
        tag, tables = tag_of(code), self._tables.vocabulary_tables
        if tag == at.QUOTED:
            quotes = self._tables.quotes
            assert quotes is not None
            end = quotes.end(code, frozenset(excluded))
            return [] if end is None else [Ending(end, quotes.returned(code), True)]
        ends = self.frames.texts.ends(code, frozenset(excluded))
        if tag == at.COUNTED:
            returned = tables.counter(counter_number_of(code))[2]
            return [Ending(text, returned, True) for text in ends.values()]
        classes, found = class_map_of(code), dict[int, bytes]()
        for index, text in ends.items():
            returned = tables.class_at(classes, index)
            if returned not in found or len(text) < len(found[returned]):
                found[returned] = text
        return [Ending(text, returned, tag != at.NUMBER) for returned, text in found.items()]

    def _endings_of_words(self, code: int) -> list[Ending]:
        """Return the ends of the allowed words that a state can still become."""
        by_class: dict[int, list[bytes]] = {}
        for text, returned in self._words(code):
            if returned is not None:
                by_class.setdefault(returned, []).append(text)
        found = []
        for returned, texts in paced(by_class.items()):
            shortest = self._speller.best(texts)
            if shortest is not None:
                found.append(Ending(shortest, returned, False))
        return found

    def _words(self, code: int) -> Iterator[tuple[bytes, int | None]]:
        """Yield the rest of each word that a state can become, with its class; the class is None if the word is
        excluded.

        The closing quote is included.
        """
        machine, depth, word = self._machine, depth_of(code), first_word_of(code)
        words = machine.sets[set_number_of(code)]
        first, size, begin = words.first, words.size, word
        rows, text = machine.words.data[first : first + size + 1], machine.word_text.data
        starts, classes, common = rows["start"], rows["returned"], rows["common"]
        while word < size and (word == begin or common[word] >= depth):
            if not word % MANY_ITEMS:
                checkpoint()
            left = text[starts[word] + depth : starts[word + 1]].tobytes()
            is_left = is_word_allowed(machine.address, code, word)
            yield left, int(classes[word]) if is_left else None
            word += 1

    def _endings_of_base(self, code: int) -> list[Ending]:
        """Return the ends of the base lexeme's other texts in an OVERLAY state."""
        base = self._tables.requests.run(lambda: base_code(self._machine.address, code))
        if base < 0:
            return []
        return self._endings_of_dfa(base, [text for text, _ in self._words(code)])
