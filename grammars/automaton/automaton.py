"""`Automaton`: one document grammar on one vocabulary: its frames, stack nodes, states and masks, built when first met.

The kernels read its columns; when they meet something that is not built they say so, `_serve` builds it, and they go on
from there. Everything is done under the lexicon's lock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np

from ..errors import LimitExceededError
from ..limits import Limits
from ..watch import Watch
from . import layout as at
from .advance import advance, forced_byte
from .bounded import BoundedWork
from .captures import ended_text
from .frames import Frame, ValueSpec
from .guards import is_alive, levels, uncertain_tokens
from .lexicon import Lexicon
from .masks import fill_mask, is_complete
from .memory import Block, Column
from .pair_table import PairTable, hash_pair
from .patches import Patches
from .steps import push
from .strings import Strings

Tail = Callable[[int], tuple[bytes, bool]]

_KINDS = {"value": at.VALUE_FRAME, "object": at.OBJECT_FRAME, "array": at.ARRAY_FRAME}
_CONFIG_BYTES = 400  # of a Config with its transitions. A guess


class Config:
    """A place in a document: a state and a stack. Interned, so what is known about it is computed once.

    base, patch, num_changed: its mask, as `segments.fill_row` takes it; base 0: not made yet.
    token_id, following: a token that was met here, and where it led; others: the same of all other tokens, None as
    long as there are none (one dict less for the garbage collector, at nearly all places).
    is_complete: the document may end here. verify: tokens that the mask leaves open, because they depend on the text
    before. forced: the only byte that may come; -1 none, -2 not known.
    """

    __slots__ = (
        *("base", "code", "following", "forced", "is_complete", "num_changed", "others", "patch", "stack", "token_id"),
        "verify",
    )

    def __init__(self, code: int, stack: int, is_complete: bool) -> None:
        self.code, self.stack, self.is_complete = code, stack, is_complete
        self.base = self.patch = self.num_changed = 0
        self.token_id = -1
        self.following: Config | None = None
        self.others: dict[int, Config] | None = None
        self.verify: tuple[int, ...] = ()
        self.forced = -2

    def after(self, token_id: int) -> Config | None:
        """Where a token leads; None when that is not known."""
        if token_id == self.token_id:
            return self.following
        return None if self.others is None else self.others.get(token_id)

    def note(self, token_id: int, following: Config) -> None:
        """Remember where a token leads."""
        if self.following is None or token_id == self.token_id:
            self.token_id, self.following = token_id, following
        elif self.others is None:
            self.others = {token_id: following}
        else:
            self.others[token_id] = following

    def forget(self) -> None:
        """Forget where tokens lead."""
        self.token_id, self.following, self.others = -1, None, None


class Automaton:
    """The tables of one grammar. `start` is the config of the empty text, `ended` the one after an end token."""

    def __init__(self, root: Frame, lexicon: Lexicon, whitespace_address: int, limits: Limits) -> None:
        self.lexicon = lexicon
        self._limits = limits
        self.block = Block(at.NUM_MACHINE_FIELDS)
        self._address = self.block.address
        self._fields = self.block.fields
        self._fields[at.M_LEXICON] = lexicon.block.address
        self._fields[at.M_WHITESPACE] = whitespace_address
        self._frames: list[Frame] = [root]  # frame 0 is none
        self._index: dict[int, int] = {}
        self._frame = Column(self.block, at.M_FRAMES, np.int64, 64 * at.FRAME_FIELDS)
        self._nodes = Column(self.block, at.M_NODES, np.int64, 256)
        self._node_table = Column(self.block, at.M_NODE_TABLE, np.int32, 1024)
        self._fields[at.M_NODE_MASK] = 1023
        self._returns = PairTable(self.block, at.M_RETURN_KEYS, at.M_RETURN_VALUES, at.M_RETURN_MASK)
        self._strings = Strings(self.block, lexicon)
        self.has_guards = False
        self._num_states = 0  # rows that it made the lexicon build
        self._work = BoundedWork(limits, self.block)
        self._patches = Patches(self.block)
        self._configs: dict[tuple[int, int], Config] = {}
        self._builders: dict[int, Callable[[int, int], None]] = {
            at.NEED_FRAME: self._describe,
            at.NEED_RETURN: self._build_return,
            at.NEED_ROW: self._build_row,
            at.NEED_SEGMENT: self._build_segment,
            at.NEED_COUNT_ROWS: lambda segment, _: lexicon.build_count_rows(segment),
            at.NEED_STACK: self._grow_stack,
            at.NEED_QUEUE: lambda _, room: lexicon.grow_queue(room),
            at.NEED_PATCH: lambda _, count: self._patches.add_chunk(count),
        }
        self._frame.used = at.FRAME_FIELDS
        self._nodes.used = 1
        root_index = self._register(root)
        self._frame.data[root_index * at.FRAME_FIELDS] = at.ROOT_FRAME
        self.start = self.config(at.ROOT_VALUE << 6, push(self._address, 0, root_index))
        self.ended = Config(at.DONE, 0, False)
        self.ended.base = int(lexicon.block.fields[at.L_ZERO_ROW])

    @property
    def num_bytes(self) -> int:
        """Estimate of its memory, without the lexicon's."""
        return self.block.num_bytes + self._patches.num_bytes + _CONFIG_BYTES * len(self._configs)

    @property
    def is_worn(self) -> bool:
        """True when new matchers should have a new automaton: this one, or its lexicon, comes near its limits."""
        return 2 * self._num_states > self._limits.max_automaton_states or self.lexicon.is_full

    def dismantle(self) -> None:
        """Let everything go; it can't be used any more."""
        for config in self._configs.values():
            config.forget()
        self._configs.clear()
        self._frames.clear()
        self._index.clear()
        self._builders.clear()
        self.block.columns.clear()

    def config(self, code: int, stack: int) -> Config:
        """The config of a state and a stack."""
        key = (code, stack)
        config = self._configs.get(key)
        if config is None:
            config = self._configs[key] = Config(code, stack, self._is_complete(code, stack))
        return config

    def _is_complete(self, code: int, stack: int) -> bool:
        """True when the document may end here."""
        if code >> at.TAG_SHIFT == at.NUMBER:
            return bool(is_complete(self._address, code, stack))
        return code == at.DONE

    def make_mask(self, config: Config) -> None:
        """Fill in a config's mask."""
        with self.lexicon.lock:
            if config.base:
                return
            base, patch, num_changed = fill_mask(self._address, config.code, config.stack, 0)
            watch = self._work.watch() if base < 0 else None
            while base < 0:
                self._serve(watch)
                base, patch, num_changed = fill_mask(self._address, config.code, config.stack, 1)
            config.patch, config.num_changed = patch, num_changed
            if self.lexicon.block.fields[at.L_NUM_VERIFY]:
                config.verify = self.lexicon.tokens_to_verify()
            config.base = base

    def follow(self, config: Config, token_id: int, tail: Tail) -> Config | None:
        """The config after a token (of text); None when it is not allowed.

        tail: gives about that many of the last bytes before the token, and whether they are all there are.
        """
        with self.lexicon.lock:
            code, stack = advance(self._address, config.code, config.stack, token_id, 0)
            is_captured = False
            watch = self._work.watch() if code == at.NEED else None
            while code == at.NEED:
                fields = self._fields
                state = int(fields[at.M_CODE]), int(fields[at.M_STACK])
                position = int(fields[at.M_POSITION])
                if fields[at.M_NEED] == at.NEED_CAPTURE:
                    is_captured = True
                    self._capture(token_id, position, tail, watch)
                else:
                    self._serve(watch)
                code, stack = advance(self._address, *state, token_id, position)
            if code < 0:
                return None
            following = self.config(code, stack)
            if not is_captured:
                config.note(token_id, following)
            return following

    def _capture(self, token_id: int, position: int, tail: Tail, watch: Watch | None) -> None:
        """Tell the kernel what follows a frame after the text that ends at a byte of a token (before it: a number)."""
        fields = self._fields
        slot, index = int(fields[at.M_NEED_SLOT]), int(fields[at.M_NEED_A])
        token = self.lexicon.token_bytes(token_id)
        read = token[: position + (slot == at.M_CAPTURE_B)]

        def whole_tail(length: int) -> tuple[bytes, bool]:
            text, is_all = tail(length)
            return text + read, is_all

        frame, text, returned = self._frames[index], ended_text(whole_tail), int(fields[at.M_NEED_B])
        spec = frame.value_spec() if frame.kind != "object" else None
        following = None
        if spec is None or text not in spec.excluded_containers:
            following = self._work.run(None, lambda: frame.on_capture(returned, text), watch)
        fields[slot] = -1 if following is None else self._follow_frame(index, following)

    def follow_byte(self, config: Config, byte: int, text: bytes) -> Config | None:
        """The config after one byte; text: all that was written before."""
        return self.follow(config, self.lexicon.vocabulary.size + byte, lambda _: (text, True))

    def frames_of(self, stack: int) -> Iterator[Frame]:
        """The frames on a stack, the top one first."""
        while stack:
            node = int(self._nodes.data[stack])
            yield self._frames[node & at.MASK32]
            stack = node >> 32

    def forced_byte(self, config: Config, tail: Tail) -> int | None:
        """The only byte that may come next; None where there is a choice, or the text may end."""
        if config.forced == -2:
            with self.lexicon.lock:
                byte = forced_byte(self._address, config.code, config.stack, 0)
                watch = self._work.watch() if byte == at.NEED else None
                while byte == at.NEED:
                    self._serve(watch)
                    byte = forced_byte(self._address, config.code, config.stack, 1)
                if self._fields[at.M_CAPTURED] or self.has_guards:
                    return self._only_byte(config, tail)
                config.forced = -1 if config.is_complete else byte
        return None if config.forced < 0 else config.forced

    def _only_byte(self, config: Config, tail: Tail) -> int | None:
        """As forced_byte, by trying all bytes."""
        size = self.lexicon.vocabulary.size
        if config.is_complete:
            return None
        found = [byte for byte in range(256) if self.is_allowed(config, size + byte, tail)]
        return found[0] if len(found) == 1 else None

    def is_allowed(self, config: Config, token_id: int, tail: Tail) -> bool:
        """True when a token (of text) may come."""
        with self.lexicon.lock:
            following = self.follow(config, token_id, tail)
            return following is not None and (not self.has_guards or self.keeps_guards(following, token_id, tail))

    def keeps_guards(self, following: Config, token_id: int, tail: Tail) -> bool:
        """False when after a token an item could only become one that is excluded."""
        with self.lexicon.lock:
            if not levels(self, following.stack):
                return True
            text = tail(1 << 60)[0] + self.lexicon.token_bytes(token_id)
            with self._work.watch():
                return is_alive(self, following, text)

    def uncertain_tokens(self, config: Config, tail: Tail) -> Iterable[int]:
        """The tokens of a config that must be tried out in spite of its mask."""
        if not self.has_guards:
            return config.verify
        with self.lexicon.lock, self._work.watch():
            return {*config.verify, *uncertain_tokens(self, config, tail(1 << 60)[0])}

    def _serve(self, watch: Watch | None) -> None:
        """Build what a kernel asked for."""
        fields = self._fields
        need, a, b = int(fields[at.M_NEED]), int(fields[at.M_NEED_A]), int(fields[at.M_NEED_B])
        self._work.run((need, a, b), lambda: self._builders[need](a, b), watch)

    def _build_row(self, state: int, _: int) -> None:
        self._count_states(1)
        self.lexicon.lexemes.build_row(state)

    def _build_segment(self, state: int, node: int) -> None:
        left = self._limits.max_automaton_states - self._num_states
        try:
            self._count_states(self.lexicon.build_segment(state, node, left))
        except LimitExceededError as error:
            self._num_states = self._limits.max_automaton_states  # what was built stays, and counts
            if error.limit == "max_automaton_states" and error.maximum == left:
                raise LimitExceededError(error.limit, self._num_states, error.unit, error.detail) from None
            raise

    def _count_states(self, count: int) -> None:
        self._num_states += count
        if self._num_states > self._limits.max_automaton_states:
            raise LimitExceededError(
                "max_automaton_states", self._limits.max_automaton_states, "states", "of its texts"
            )

    def _register(self, frame: Frame) -> int:
        """The number of a frame."""
        index = self._index.get(id(frame))
        if index is None:
            row = self._frame.reserve(at.FRAME_FIELDS)
            index = self._index[id(frame)] = row // at.FRAME_FIELDS
            self._frames.append(frame)
            self._frame.data[row] = _KINDS[frame.kind]
        return index

    def _build_return(self, index: int, returned: int) -> None:
        """What follows a frame after a class."""
        following = self._frames[index].on_return(returned)
        number = 0 if following is None else self._follow_frame(index, following)
        self._returns.insert(index, returned, number)

    def _follow_frame(self, index: int, following: Frame) -> int:
        """The number of the frame after frame `index`, which shares its key words."""
        number = self._register(following)
        self._strings.follow(index, number)
        return number

    def _grow_stack(self, _a: int, _b: int) -> None:
        """Twice the room for stack nodes."""
        self._nodes.ensure(2 * len(self._nodes.data))
        table = self._node_table
        table.ensure(4 * len(self._nodes.data))
        table.data[:] = 0
        mask = len(table.data) - 1
        self._fields[at.M_NODE_MASK] = mask
        for node in range(1, self._nodes.used):
            key = int(self._nodes.data[node])
            place = hash_pair(key >> 32, key & at.MASK32, mask)
            while table.data[place]:
                place = (place + 1) & mask
            table.data[place] = node

    def _describe(self, index: int, _: int) -> None:
        """Fill in a frame's row."""
        frame = self._frames[index]
        if frame.kind == "object":
            spec = frame.key_spec()
            key = self._strings.key_code(index, spec)
            is_robust = spec is None or not spec.open or self._strings.is_robust(spec.open, spec.excluded)
            values: tuple[int, ...] = (
                1,
                -1,
                -1,
                -1,
                -1,
                -1,
                0,
                0,
                key,
                _class(frame.close_class),
                0,
                0,
                key >= 0,
                0 if is_robust else 3,
            )
        else:
            close = _class(frame.close_class) if frame.kind == "array" else -1
            values = self._value_row(frame.value_spec(), close)
        start = index * at.FRAME_FIELDS + at.F_DESCRIBED
        self._frame.data[start : start + len(values)] = values

    def _value_row(self, spec: ValueSpec | None, close: int) -> tuple[int, ...]:
        """The fields of a row from F_DESCRIBED on."""
        if spec is None:
            return (1, -1, -1, -1, -1, -1, 0, 0, -1, close, 0, 0, 0, 0)
        self.has_guards |= bool(spec.excluded_containers)
        return (
            1,
            self._strings.string_code(spec.strings, spec.excluded_strings) if spec.strings else -1,
            self._strings.number_code(spec) if spec.numbers else -1,
            _class(spec.true),
            _class(spec.false),
            _class(spec.null),
            0 if spec.object is None else self._register(spec.object),
            0 if spec.array is None else self._register(spec.array),
            -1,
            close,
            int(spec.captures),
            int(bool(spec.excluded_containers)),
            1,
            self._fragility(spec) if spec.captures else 0,
        )

    def _fragility(self, spec: ValueSpec) -> int:
        """Field F_FRAGILE of a frame with captures."""
        if self._strings.is_robust(spec.strings, spec.excluded_strings):
            return 0
        return 2 if self._strings.is_robust(spec.numbers, spec.excluded_numbers) else 3


def _class(returned: int | None) -> int:
    return -1 if returned is None else returned
