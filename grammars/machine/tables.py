"""`DocumentTables`: the documents of one grammar on one vocabulary: frames, stack nodes, states, built when first met.

The kernels read its columns. If they need something that is not built, they ask for it (`requests`) and go on from
there. All work holds the automaton's lock. A configuration is a code (see layout.py) and a stack.
"""

from __future__ import annotations

import json
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import LimitExceededError
from ..limits import Limits
from ..memory.field_order import begins_with
from . import asking
from . import layout as at
from .advance import advance, forced_byte, step_vaguely
from .codes import local_count_of, local_state_of, push_frame, styled_context_of
from .documents.captures import ended_text
from .documents.containers import member_frame
from .documents.shapes import Shapes
from .documents.strings import BARE_NAME_END, Strings
from .documents.style_rows import Styles
from .documents.styled_steps import find_ended_object, find_text
from .documents.words import spell
from .frames import (
    Frame,
    Marks,
    OpenArray,
    OpenObject,
    PlainArray,
    StyledContainer,
    StyledFrame,
    StyledSpec,
    ValueGoal,
    ValueSpec,
)
from .lexemes.automaton_lock import AutomatonLock
from .lexemes.shares import StateShare
from .machine import Machine
from .masks import begin_mask, fill_mask, is_complete
from .quotes.lexemes import QuoteLexemes
from .requests import RequestCopy, Requests
from .structs import FrameRow
from .tails import Tail, longer, whole
from .vocabulary_tables import VocabularyTables

Mask = tuple[int, int, int]
"""A mask in the form of `interiors.copy_row`: address of the base row, address and number of the changed words."""


class FrameFields(NamedTuple):
    """The first fields of a described `FrameRow`, in its order; by default nothing can come."""

    kind: int
    is_described: int = 1
    string: int = -1
    number: int = -1
    true: int = -1
    false: int = -1
    null: int = -1
    object: int = 0
    array: int = 0
    key: int = -1
    close: int = -1
    captures: int = 0
    continues: int = 0
    fragile: int = 0


_LITERALS = {"true": "literals", "false": None, "null": None}
assert begins_with(FrameRow, [_LITERALS.get(name, name) for name in FrameFields._fields])

_MANY_TEXTS = 10_000  # maximum number of captured texts kept with the frame that follows
_TEXT_BYTES = 300  # bytes for such a text, plus 4 for each of its bytes; includes the frames that know it, which stay
_ROWS = 256  # DFA rows made between two looks at the time limit, about 1 ms
_FRAGILE = at.MAY_LEAVE_NOTHING | at.MAY_LEAVE_NO_STRING
_KINDS = {"value": at.VALUE_FRAME, "object": at.OBJECT_FRAME, "array": at.ARRAY_FRAME}

_NO_TOKEN: tuple[int, Tail] = (0, whole(b""))


class DocumentTables:
    """The tables of one grammar's documents.

    quotes: the grammar's strings that are quotes; None: nothing is quoted.
    lock: this automaton's lock; masks and steps let go of the vocabulary tables' lock while they pause.
    """

    _can_pause = True  # True if its masks and steps may pause

    def __init__(self, vocabulary_tables: VocabularyTables, limits: Limits, quotes: QuoteLexemes | None = None) -> None:
        self.vocabulary_tables = vocabulary_tables
        self.quotes = quotes
        self.lock = AutomatonLock(vocabulary_tables.lock, StateShare(vocabulary_tables.lazy_dfas))
        self.limits = limits
        self.machine = machine = Machine(vocabulary_tables.tables)
        if quotes is not None:
            machine.quotes = quotes.quotes
        self._address = machine.address
        self._rows = machine.frames
        machine.rows_left = min(_ROWS, limits.max_automaton_states)
        self._frames: dict[int, Frame] = {}  # frames that Python made, by number; frame 0 means none
        self._index: dict[int, int] = {}
        self._roots: dict[int, None] = {}  # frames of whole documents; no set, which the garbage collector would track
        self._whitespace: tuple[NDArray[np.int32], ...] = ()  # whitespace tables of documents
        self._styles = Styles(machine, vocabulary_tables.vocabulary)
        self.mark_tokens, self.barred = self._styles.mark_tokens, self._styles.barred  # shared sets, which grow
        self._goals: dict[int, int] = {}  # `id` of a goal (a condition on a value) -> number of the frame for the value
        self._goal_of: dict[int, ValueGoal] = {}  # the same goals, by these frames
        lock = self.lock if self._can_pause else None
        self.requests = Requests(machine.request, self.make, limits, give_up=self._forget_captures, lock=lock)
        # Asks a frame a question, which may take long and reads nothing of the vocabulary tables.
        self._ask = self.requests.ask
        self._strings = Strings(machine, vocabulary_tables, self.requests, quotes)
        self._shapes = Shapes(machine, self._strings, self._styles, self.requests)
        self._num_residual = 0
        self._token = _NO_TOKEN  # the token that is read, and the text before it
        self._is_captured = False  # True if the result depends on the text before the token
        self._after_texts: dict[tuple[int, int, bytes], int] = {}  # (frame, class, captured text) -> frame that follows
        self._captured_bytes = 0  # estimated memory of these texts

    def add_root(self, frame: Frame, whitespace: NDArray[np.int32], then: int = 0) -> int:
        """Return the number of a new frame for whole documents. then: see `FrameRow.then`."""
        number = self._rows.add((at.ROOT_FRAME,))
        self._frames[number] = frame
        self._roots[number] = None
        tables = self._whitespace
        place = next((place for place, known in enumerate(tables) if known is whitespace), len(tables))
        if place == len(tables):
            self._whitespace = (*tables, whitespace)
            self.machine.whitespace = np.concatenate(self._whitespace) if place else whitespace
        if place or then:
            row = self._rows[number]
            row.then, row.whitespace = then, len(whitespace) * place
        marks: Marks | None = getattr(frame, "marks", None)  # PERF: `spec.marks` would make the frame's spec too early
        self._rows[number].style = self._styles.number(marks)
        return number

    def after_mark_token(self, code: int, stack: int, token_id: int) -> tuple[int, int] | None:
        """Return the state after a special token in a mark; None if the token can't come. Captured texts count as any
        text.
        """
        byte = self.mark_tokens[token_id]
        found: tuple[int, int] = self.requests.run(lambda: step_vaguely(self._address, code, stack, byte))
        return None if found[0] < 0 or found[0] >> at.TAG_SHIFT == at.LOCAL else found

    def first_code(self, root: int) -> int:
        """Return the code at the beginning of a document. root: number of its frame."""
        style = self._rows[root].style
        if style and not self.machine.styles[style].is_quote:
            return at.STYLED << at.TAG_SHIFT | at.STYLED_START << at.STYLED_SHIFT
        return at.ROOT_VALUE << at.CONTEXT_SHIFT

    def make(self, asked: RequestCopy) -> None:
        """Serve a kernel's request."""
        match asked.kind:
            case asking.VALUE:
                self._build_value(asked.frame, asked.returned, asked.node)
            case asking.FRAME:
                self._describe(asked.frame)
            case asking.RETURN:
                self._build_return(asked)
            case asking.ROW:
                self._build_row(asked.state)
            case asking.PAUSE:
                assert self.quotes is not None, "only walks along source texts ask here"
                self.quotes.look_at_the_watch()
            case _:
                assert asked.kind == asking.COUNT_ROWS
                self.vocabulary_tables.build_count_rows(asked.state)

    @property
    def num_bytes(self) -> int:
        """Estimated memory in bytes, without the vocabulary tables."""
        of_quotes = 0 if self.quotes is None else self.quotes.num_bytes
        return self.machine.num_bytes + self._captured_bytes + of_quotes

    @property
    def is_worn(self) -> bool:
        """True if new matchers should get a new automaton.

        The reason may be limits that this automaton or its vocabulary tables come near to, or a lock that a fork has
        lost.
        """
        is_large = 2 * self.machine.num_rows > self.limits.max_automaton_states
        return is_large or self.lock.is_lost or self.vocabulary_tables.is_full

    def dismantle(self) -> None:
        """Drop all references. The tables can't be used afterwards."""
        self._frames.clear()
        self._index.clear()
        self._goal_of.clear()
        self._shapes.dismantle()
        self.requests.dismantle()
        self._after_texts.clear()
        self.machine.dismantle()
        del self._rows

    def is_complete(self, code: int, stack: int) -> bool:
        """Return True if the text may end in a state."""
        if code >> at.TAG_SHIFT in (at.NUMBER, at.LOCAL, at.CHOICE):
            return bool(is_complete(self._address, code, stack))
        if code >> at.TAG_SHIFT == at.STYLED:
            with self.lock:
                return bool(self.requests.run(lambda: is_complete(self._address, code, stack)))
        return code == at.DONE

    def fill(self, code: int, stack: int, node: int = 0) -> Mask:
        """Return the mask of a state, for the tokens under a node of the trie.

        Afterwards the vocabulary tables hold the tokens and nodes left open: `tokens_to_verify` and `forks`.
        """
        begin_mask(self._address, node, code, stack)
        mask: Mask | None = fill_mask(self._address)
        if mask is not None:
            return mask
        num_pauses = self.lock.num_pauses
        self._begin_work()

        def go_on() -> Mask | None:
            nonlocal num_pauses
            if num_pauses != self.lock.num_pauses:  # another mask may have been made during the pause
                num_pauses = self.lock.num_pauses
                begin_mask(self._address, node, code, stack)
            found: Mask | None = fill_mask(self._address)
            return found

        return self.requests.go_on(go_on, may_pause=True)

    def step(self, code: int, stack: int, token_id: int, tail: Tail) -> tuple[tuple[int, int, int], bool]:
        """Return the result of `advance` for a token with text, and True if it depends on the text that `tail` gives.

        The result's code is below 0 if the token is not allowed.
        """
        found: tuple[int, int, int] | None = advance(self._address, code, stack, token_id, 0)
        return (self.step_further(token_id, tail), self._is_captured) if found is None else (found, False)

    def step_further(self, token_id: int, tail: Tail) -> tuple[int, int, int]:
        """Go on with a token that waits. Afterwards `_is_captured` is True if the result depends on the text before."""
        self._token, self._is_captured = (token_id, tail), False
        machine = self.machine
        self._begin_work()
        try:
            found: tuple[int, int, int] = self.requests.go_on(
                lambda: advance(self._address, machine.code, machine.stack, token_id, machine.position), may_pause=True
            )
        finally:
            # breaks a cycle: the tail's owner holds this automaton, and the collector would have to free both
            self._token = _NO_TOKEN
        return found

    def step_byte(self, code: int, stack: int, byte: int, tail: Tail) -> tuple[int, int] | None:
        """Return the state after one byte; None if the byte is not allowed. tail: end of the text before."""
        (code, stack, _), _ = self.step(code, stack, self.vocabulary_tables.vocabulary.size + byte, tail)
        return (code, stack) if code >= 0 else None

    def step_bytes(self, code: int, stack: int, text: bytes, tail: Tail) -> tuple[int, int] | None:
        """Return the state after a text; None if the text is not allowed. tail: end of the text before."""
        read = bytearray()
        before = longer(tail, read)
        for byte in text:
            following = self.step_byte(code, stack, byte, before)
            if following is None:
                return None
            code, stack = following
            read.append(byte)
        return code, stack

    def _capture(self, asked: RequestCopy) -> None:
        """Store the frame that follows a captured text, which ends at a byte of the token (a number: before that
        byte).
        """
        machine, index, returned = self.machine, asked.frame, asked.returned
        which = machine.asked_capture
        token_id, tail = self._token
        self._is_captured = True
        read = self.vocabulary_tables.token_bytes(token_id)[: machine.position + (which == at.OTHER_CAPTURE)]
        ended = index, returned, self._ended(index, returned, longer(tail, read))
        following = self._after_texts.get(ended)
        if following is None:
            if len(self._after_texts) >= _MANY_TEXTS:
                self._after_texts.clear()
            self._captured_bytes += _TEXT_BYTES + 4 * len(ended[2])
            following = self._after_texts[ended] = self._after_text(*ended)
        machine.frames_after[which] = following

    def _ended(self, index: int, returned: int, tail: Tail) -> bytes:
        """The text of the value or key of a class that has ended in a frame."""
        frame, style = self._frames.get(index), self._rows[index].style
        quote = self.machine.quote_of(style) if style else b""
        return frame.ended(returned, tail) if isinstance(frame, StyledFrame) else ended_text(tail, quote)

    def _after_text(self, index: int, returned: int, text: bytes) -> int:
        """Return the frame that follows a frame after a text of a class; -1 if the text is not allowed."""
        row = self._rows.data[index]
        shape = int(row["shape"])
        if shape and row["kind"] == at.OBJECT_FRAME:
            return self._member_of_open_key(shape, index, returned, json.loads(text.decode()))
        if shape and (known := self._shapes.array_using(shape, index, json.loads(text.decode()))) is not None:
            return known
        frame = self.frame(index)
        following = self._ask(lambda: frame.on_capture(returned, text))
        return -1 if following is None else self._register(following)

    def _member_of_open_key(self, shape: int, index: int, returned: int, key: str) -> int:
        """Return the frame of the value of an open key in a plain object of a shape; -1 if the key can't come."""
        place = self._shapes.value_place(shape, returned)
        value = int(self.machine.values.data[place]) or self._build_value(shape, returned, place)
        if value < 0:
            return -1
        return int(member_frame(self._address, self._shapes.object_using(shape, index, key), value))

    def _forget_captures(self) -> None:
        """Forget the captured texts of a token that is given up."""
        self.machine.frames_after[at.NUMBER_CAPTURE] = self.machine.frames_after[at.OTHER_CAPTURE] = 0

    @property
    def num_frames(self) -> tuple[int, int]:
        """Number of frames that texts reached, and number of these frames that Python described since they are not
        plain.
        """
        return self._rows.used - 1 - len(self._goal_of), self._num_residual

    def frame(self, number: int) -> Frame:
        """Return the frame with a number."""
        frame = self._frames.get(number)
        if frame is None:
            row = self._rows[number]
            if row.after:
                after = self.frame(row.after)
                assert after.kind == "object"
                assert not isinstance(after, StyledContainer), "it is plain"
                frame = after.value_before(self._goal_of[row.value])
            else:
                frame = self._shapes.frame(row.shape, row.place)
            self._frames[number] = frame
            self._index.setdefault(id(frame), number)
        return frame

    def top_frame(self, stack: int) -> Frame:
        """Return the frame on top of a stack that is not empty."""
        return self.frame(self.machine.top(stack)[0])

    def is_root(self, stack: int) -> bool:
        """Return True if the top frame of a stack is that of a whole document."""
        return self.machine.top(stack)[0] in self._roots

    def is_in_document(self, stack: int) -> bool:
        """Return True if the top frame of a stack belongs to a document, not to rules."""
        return not self.machine.top(stack)[0] & at.RULE_FRAME

    def first_space(self, stack: int) -> int:
        """Return the first row of the whitespace table for the document on a stack."""
        frame, _ = self.machine.top(self.root_of(stack))
        return self._rows[frame].whitespace

    def root_of(self, stack: int) -> int:
        """Return the part of a stack whose top is the root frame of the document on top."""
        while not self.is_root(stack):
            _, stack = self.machine.top(stack)
        return stack

    def is_held_back(self, code: int) -> bool:
        """Return True if the text read since the last member of a styled object may belong to the texts after the
        object.
        """
        read = code & ((1 << at.STYLED_SHIFT) - 1)
        return code >> at.TAG_SHIFT == at.STYLED and styled_context_of(code) == at.BETWEEN and read != 0

    def ended_object(self, code: int, stack: int) -> tuple[int, int, int] | None:
        """Return the local state, stack and `Branch.num_units` after a styled object that ends here; None if it can't
        end.
        """
        found = self.behind_object(code, stack)
        if found[0] >> at.TAG_SHIFT != at.LOCAL:
            return None
        return local_state_of(found[0]), found[1], local_count_of(found[0])

    def behind_object(self, code: int, stack: int) -> tuple[int, int]:
        """Return the configuration after an object or array in a style that ends here. The code is negative if the
        container can't end here.
        """
        found: tuple[int, int] = self.requests.run(lambda: find_ended_object(self._address, code, stack))
        return found

    def text_code(self, code: int, stack: int) -> int:
        """Return the code that reads a styled value as a text, after the bytes so far; negative if no text fits."""
        return int(self.requests.run(lambda: find_text(self._address, code, stack)))

    def push(self, stack: int, frame: int) -> int:
        """Return the stack with a frame on top of another one."""
        return int(push_frame(self._address, stack, frame))

    @staticmethod
    def word_length(word: str) -> int:
        """Return the number of bytes of a whole string as it is spelled, closing quote included."""
        return len(spell(word)) + 1

    def only_byte(self, code: int, stack: int) -> tuple[int, bool]:
        """Return the only byte that may come next, and True if that is sure.

        The byte is below 0 if no byte may come, or several. If the answer is not sure, the caller must try all bytes.
        """
        byte = forced_byte(self._address, code, stack, 0)
        if byte is None:
            byte = self.requests.go_on(lambda: forced_byte(self._address, code, stack, 1), may_pause=True)
        is_in_rules = code >> at.TAG_SHIFT == at.LOCAL
        return byte, is_in_rules or not self.machine.captured

    def _begin_work(self) -> None:
        """Prepare for a kernel that goes on after its first wait."""
        if self.quotes is not None:
            self.quotes.begin_work()

    def _build_row(self, state: int) -> None:
        """Make the row of a DFA's state, and count the rows that the kernels have made.

        Raises LimitExceededError if the texts have more states than `max_automaton_states`.
        """
        machine, lazy_dfas, most = self.machine, self.vocabulary_tables.lazy_dfas, self.limits.max_automaton_states
        num_rows = machine.num_rows + lazy_dfas.is_between(state)
        if num_rows > most:
            raise LimitExceededError("max_automaton_states", most, "states", "of its texts")
        machine.num_rows, machine.rows_left = num_rows, min(_ROWS, most - num_rows)
        self._ask(lambda: lazy_dfas.prepare_row(state))
        lazy_dfas.build_row(state)

    def _register(self, frame: Frame) -> int:
        """Return the number of a frame."""
        index = self._index.get(id(frame))
        if index is None:
            index = self._index[id(frame)] = self._new_number(frame)
            self._frames[index] = frame
        return index

    def _new_number(self, frame: Frame) -> int:
        """Return the number of a frame that is new here; kernels may have made a plain one already."""
        if frame.kind == "object" and (plain := frame.plain) is not None:
            known = self._shapes.known_object(*plain)
            if known:
                return known
        elif frame.kind == "value" and (member := frame.plain) is not None:
            after, goal = member
            return int(member_frame(self._address, self._register(after), self._value_of(goal)))
        number = self._rows.add((_KINDS[frame.kind],))
        if isinstance(frame, StyledFrame):
            self._rows[number].style = self._styles.number(frame.marks)
        return number

    def _build_return(self, asked: RequestCopy) -> None:
        """Find the frame that follows a frame after a class."""
        if asked.with_text:
            self._capture(asked)
            return
        index, returned = asked.frame, asked.returned
        frame = self.frame(index)
        following = self._ask(lambda: frame.on_return(returned))
        self.machine.returns.insert(index, returned, 0 if following is None else self._register(following))

    def _build_value(self, shape: int, place: int, noted: int) -> int:
        """Return the frame that describes a value of a shape; -1 if none can come. noted: index where kernels find
        it.
        """
        plain = self._shapes.plain(shape)
        value = self._ask(lambda: self._value_asked(plain.goal(place)))
        if not isinstance(value, int):
            value = self._new_value(*value)
        self.machine.values.data[noted] = value
        return value

    def _value_of(self, goal: ValueGoal) -> int:
        """Return the frame that describes the values of a goal. No stack contains this frame."""
        value = self._ask(lambda: self._value_asked(goal))
        return value if isinstance(value, int) else self._new_value(*value)

    def _value_asked(self, goal: ValueGoal | None) -> int | tuple[ValueGoal, ValueSpec]:
        """Return the frame like `_value_of`, or the parts to make it from; -1 if no value can come. May take long."""
        if goal is None:
            return -1
        index = self._goals.get(id(goal))
        return (goal, goal.spec()) if index is None else index

    def _new_value(self, goal: ValueGoal, spec: ValueSpec) -> int:
        """Return a new frame for the values of a goal."""
        row = self._value_row(at.VALUE_FRAME, spec, -1)
        index = self._goals[id(goal)] = self._rows.add(row)
        self._rows[index].style = self._styles.number(spec.marks)
        self._goal_of[index] = goal
        return index

    def _describe(self, index: int) -> None:
        """Fill in a frame's row."""
        frame = self._frames[index]
        if frame.kind == "object" and (plain := self._ask(lambda: frame.plain)) is not None:
            self._shapes.describe_object(index, *plain)
        elif frame.kind == "array" and (shape := self._plain_array(frame)) is not None:
            if not shape.words:
                number = self._shapes.number_of(shape)
                self._build_value(number, 0, self._shapes.value_place(number, 0))
            self._shapes.describe_array(index, shape)
        else:
            self._rows.write(index, self._residual_row(index, frame))

    def _plain_array(self, frame: OpenArray) -> PlainArray | None:
        """Return the facts that an array shares with others through its shape; None for an array without a shape.

        PERF: an array of different strings between marks also gets none, since it is rare.
        """
        plain = self._ask(lambda: frame.plain)
        if plain is None or not (plain.words or plain.open):
            return plain
        goal = self._ask(lambda: plain.goal(0))
        return plain if goal is None or goal.spec().marks is None else None

    def _residual_row(self, index: int, frame: Frame) -> FrameFields:
        """Return the row of a frame that is not plain, or of a whole document."""
        kind = at.ROOT_FRAME if index in self._roots else _KINDS[frame.kind]
        self._num_residual += kind != at.ROOT_FRAME
        if isinstance(frame, StyledFrame) and (styled := self._ask(frame.styled_spec)) is not None:
            return self._styled_row(styled)
        if frame.kind != "object":
            close = self._close_class(frame) if frame.kind == "array" else -1
            value = self._ask(frame.value_spec)
            if value is not None and value.marks is not None:
                self._rows[index].style = self._styles.number(value.marks)
            return self._value_row(kind, value, close)
        spec = self._ask(frame.key_spec)
        if spec is not None and spec.marks is not None:
            self._rows[index].style = self._styles.number(spec.marks)
        end = "" if isinstance(frame, StyledFrame) else None if spec is None or spec.marks is None else BARE_NAME_END
        key = -1 if spec is None else self._strings.key_code(spec, end)
        is_robust = spec is None or not spec.open or self._strings.is_robust(spec.open, spec.excluded)
        close, fragile = self._close_class(frame), 0 if is_robust else _FRAGILE
        captures = at.DECIDES if isinstance(frame, StyledFrame) and frame.marks.names_end else 0
        return FrameFields(kind, key=key, close=close, captures=captures, continues=key >= 0, fragile=fragile)

    def _close_class(self, frame: OpenObject | OpenArray | StyledContainer) -> int:
        returned = self._ask(lambda: frame.close_class)
        return -1 if returned is None else returned

    def _value_row(self, kind: int, spec: ValueSpec | None, close: int) -> FrameFields:
        """Return the row of a frame that expects a value."""
        if spec is None:
            return FrameFields(kind, close=close)
        true, false, null = [-1 if returned is None else returned for returned in (spec.true, spec.false, spec.null)]
        return FrameFields(
            kind,
            string=self._strings.string_code(spec.strings, spec.excluded_strings, spec.marks) if spec.strings else -1,
            number=self._strings.number_code(spec) if spec.numbers else -1,
            true=true,
            false=false,
            null=null,
            object=0 if spec.object is None else self._register(spec.object),
            array=0 if spec.array is None else self._register(spec.array),
            close=close,
            captures=int(spec.captures),
            continues=True,
            fragile=self._fragility(spec) if spec.captures else 0,
        )

    def _styled_row(self, spec: StyledSpec) -> FrameFields:
        """Return the row of the frame of a value between marks."""
        texts = self._strings.text_code(spec.texts, spec.end)
        after_break = self._strings.text_code(spec.after_break or (), f"\n{spec.end}")
        object_, array = (spec.object, spec.array) if spec.opened is None else (spec.opened, None)
        is_wrapped = spec.after_break is not None
        return FrameFields(
            at.VALUE_FRAME,
            string=texts,
            number=after_break,
            object=0 if object_ is None else self._register(object_),
            array=0 if array is None else self._register(array),
            captures=spec.captures,
            continues=is_wrapped,
        )

    def _fragility(self, spec: ValueSpec) -> int:
        """Return `FrameRow.fragile` for a frame with captures."""
        if self._strings.is_robust(spec.strings, spec.excluded_strings):
            return 0
        return at.MAY_LEAVE_NO_STRING if self._strings.is_robust(spec.numbers, spec.excluded_numbers) else _FRAGILE
