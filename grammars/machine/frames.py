"""`Frame`, `ValueSpec` and `KeySpec`: how the machine asks which values and keys may be written next.

A document that is being written is a stack of frames. The maker of frames is a JSON Schema's reader, for example. The
maker promises that everything in a frame can be completed: no language is empty, and every inner frame can be closed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple, Protocol, TypeAlias

from ..regex.algebra import Language
from .documents.captures import text_after
from .layout import MAX_STYLED_SPACES

# Languages without common texts, each with the class that its texts return.
Lexeme = tuple[tuple[Language, int], ...]

NO_WORDS: Mapping[str, int] = {}
NO_TEXTS: frozenset[str] = frozenset()


MAX_SPACES = MAX_STYLED_SPACES


class Marks(NamedTuple):
    """The common marks of documents in a style.

    opening: mark before a member's name, up to the name; with `is_quote`, mark on both sides of a string.
    max_spaces: maximum number of whitespace characters between members, at most MAX_SPACES.
    tokens: special tokens inside marks, each with the byte that stands for it there.
    is_quote: True for documents that are JSON, but with bare names and literal strings between two marks.
    names_end: True if the mark after a member holds the member's name.
    """

    opening: bytes
    max_spaces: int
    tokens: tuple[tuple[int, int], ...] = ()
    is_quote: bool = False
    names_end: bool = False


@dataclass(eq=False, repr=False, slots=True)
class ValueSpec:
    """The values that may come at one place.

    strings: disjoint, non-empty languages of the decoded string, each with its class.
    excluded_strings: decoded strings that must not occur.
    numbers: disjoint, non-empty languages of the number's text, each with its class.
    excluded_numbers: texts that must not occur.
    true, false, null: class that the literal returns; None: not allowed.
    object, array: frame entered at `{` or `[`; None: not allowed.
    captures: effect of the value's text on later texts. 0: none. 1: the text only excludes some later texts. 2: the
        text may decide anything, so `on_return` gives only a guess. For 1 and 2, call the frame's `on_capture` after
        the value.
    marks: marks around strings; None: strings are JSON.
    """

    strings: Lexeme = ()
    numbers: Lexeme = ()
    true: int | None = None
    false: int | None = None
    null: int | None = None
    object: Frame | None = None
    array: Frame | None = None
    captures: int = 0
    excluded_strings: frozenset[str] = NO_TEXTS
    excluded_numbers: frozenset[str] = NO_TEXTS
    marks: Marks | None = None

    @property
    def literals(self) -> list[tuple[bytes, int]]:
        """The allowed literals, each with its class."""
        classes = ((b"true", self.true), (b"false", self.false), (b"null", self.null))
        return [(text, returned) for text, returned in classes if returned is not None]


@dataclass(eq=False, repr=False, slots=True)
class KeySpec:
    """The next key of an object.

    words: declared keys that are allowed now, each with its class.
    open: disjoint, non-empty languages of other keys, each with its class; empty if there are none. `on_capture` takes
        the return of an open key.
    excluded: keys that are never open keys here: declared and used ones.
    declared: all keys that frames of the same object may have in `words`; frames share one mapping where they can.
        None: `words`.
    marks: marks of a document with bare keys; None: keys are JSON.
    """

    words: Mapping[str, int] = field(default_factory=dict)
    open: Lexeme = ()
    excluded: frozenset[str] = NO_TEXTS
    declared: Mapping[str, int] | None = None
    marks: Marks | None = None


class _AnyFrame(Protocol):
    """An entry on the stack of a document. Frames are immutable and interned: the machine compares them by identity."""

    def value_spec(self) -> ValueSpec | None:
        """Return the value expected here ("value"), or the next item ("array"); None if no further item can come."""

    def key_spec(self) -> KeySpec | None:
        """Return the next key ("object"); None if no further member can come."""

    @property
    def close_class(self) -> int | None:
        """Class returned to the frame below if this frame ("object", "array") is closed now; None: it can't be
        closed.
        """

    def on_return(self, cls: int) -> Frame | None:
        """Return the frame that replaces this one after a value or key of class `cls`; None: not allowed."""

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        """Like `on_return`, for a return whose text matters. text: canonical bytes of the key or item."""


@dataclass(eq=False, repr=False, slots=True)
class StyledSpec:
    """The values that may come at one place between marks.

    texts: disjoint, non-empty languages of texts that are no arrays or objects, each with its class.
    end: mark after the text.
    after_break: like `texts`, with a line break before the text and another one after it; None if the marks have no
        breaks.
    object, array: frame entered at `{` or `[`, in a deep style at the first mark; None: not allowed.
    captures: as in `ValueSpec`.
    opened: in a deep style, frame that the machine enters at the first mark: `object`, `array` or either.
    """

    texts: Lexeme
    end: str
    after_break: Lexeme | None = None
    object: Frame | None = None
    array: Frame | None = None
    captures: int = 0
    opened: Frame | None = None


class StyledFrame(ABC):
    """A frame in a style: of an object or array between marks, of one of its values, or of the whole document.

    An object's `key_spec` gives whole texts, names with the marks after them, and `on_capture` takes such a text. A
    value has a `styled_spec` instead of a `value_spec`. Arrays and objects return other classes than the texts of the
    value do.
    """

    marks: Marks

    def styled_spec(self) -> StyledSpec | None:
        """Return the spec of the next value; None if a key comes next."""
        return None

    def ended(self, returned: int, tail: Callable[[int], tuple[bytes, bool]]) -> bytes:
        """Return the text that `on_capture` gets. returned: class of the text. tail: as in `captures.ended_text`."""
        del returned
        return text_after(self.marks.opening, tail)


class StyledContainer(StyledFrame, _AnyFrame):
    """A frame inside an object or array in a style. The machine reads both as objects: each item has a mark, too.

    The style only decides how members are written. The frame `json` decides which members may come.
    """

    kind: Literal["object"] = "object"
    plain: None = None

    @property
    @abstractmethod
    def json(self) -> OpenObject | OpenArray | None:
        """The frame of the same container as JSON. None if the first mark decides between an array and an object."""

    @property
    def alternatives(self) -> tuple[StyledContainer, ...]:
        """The array and the object that may come, while the first mark has not decided; () if `json` is known."""
        return ()

    def value_spec(self) -> None:
        """Return None: a mark comes first."""

    @abstractmethod
    def specs_of(self, spec: ValueSpec) -> list[StyledSpec]:
        """Return the specs of a value in this style: one for each kind of mark that it may have. spec: as JSON."""

    def texts_of(self, name: str) -> list[str]:
        """Return a declared name with each mark that may follow it."""
        del name
        return []

    def members_of(self, name: str, member: Frame) -> list[tuple[str, Frame]]:
        """Return texts of `texts_of`, each with the frame of the value. member: frame of the value as JSON."""
        del name, member
        return []

    def with_used(self, keys: Iterable[str]) -> StyledContainer:
        """Return the same container with these open keys instead of its own."""
        del keys
        return self


class ValueFrame(_AnyFrame, Protocol):
    """A frame that expects one value."""

    kind: Literal["value"]

    @property
    def plain(self) -> tuple[OpenObject, ValueGoal] | None:
        """For a member's value in a plain object: the object after the value, and the value's goal; else None."""


class ValueGoal(Protocol):
    """A condition on a value. Equal conditions are the same object."""

    def spec(self) -> ValueSpec:
        """Return the values that may be written."""


class PlainKeys(NamedTuple):
    """The keys of plain objects. A set of keys is a number, with bit 1 << index for each key.

    declared: key -> index, in the order of the indexes, which are also the keys' classes.
    possible: set of the keys that can be written.
    required: set of the keys that must come.
    num_ordered: number of leading keys that must all come, in exactly this order.
    orders: orders of the same required keys. If a missing key is the first missing key of some order, it may come.
    open, excluded: as in `KeySpec`; the classes of open keys follow those of declared ones.
    num_classes: number of classes of all keys.
    is_open_early: True if open keys may come before all required ones.
    marks: as in `KeySpec`.
    """

    declared: Mapping[str, int]
    possible: int
    required: int
    num_ordered: int
    orders: Sequence[tuple[int, ...]]
    open: Lexeme
    excluded: frozenset[str]
    num_classes: int
    is_open_early: bool
    marks: Marks | None


def whole_words(num_bits: int) -> int:
    """Return the number of bits in a row of words, at least one, that has room for `num_bits` bits."""
    return 64 * max(1, -(-num_bits // 64))


class PlainObject(ABC):
    """The common description of objects that differ only in the set of their declared keys.

    All values return class 0, and so does the object.
    low, high: bounds on the number of members; None: no upper bound.
    before: the description with one open key less, and that key; None if it has no open keys.
    """

    low: int
    high: int | None
    before: tuple[PlainObject, str] | None

    @abstractmethod
    def keys(self) -> PlainKeys:
        """Return the keys that may come."""

    @abstractmethod
    def using(self, key: str) -> PlainObject:
        """Return the description with one more open key."""

    @abstractmethod
    def goal(self, cls: int) -> ValueGoal:
        """Return the goal of a key's value. cls: class of the key."""

    @abstractmethod
    def frame(self, keys: int) -> OpenObject:
        """Return the frame of the object with these keys.

        keys: set of keys, a bit for each declared one. If members are counted, the number of open keys follows at the
            next multiple of 64 bits.
        """


class PlainArray(ABC):
    """The common description of arrays that differ only in the number of items, or also in the set of their strings.

    All items return class 0.
    words: the strings that the items may be, if these are few and all different; else ().
    open: languages of the strings that the items may be, if these are many and all different; else ().
    num_places: number of leading items with goals of their own, plus one for all others.
    low, high: bounds on the number of items; None: no upper bound.
    before: the description with one string of `open` less, and that string; None if there is none.
    """

    words: tuple[str, ...]
    open: Lexeme
    num_places: int
    low: int
    high: int | None
    before: tuple[PlainArray, str] | None

    @abstractmethod
    def using(self, string: str) -> PlainArray | None:
        """Return the description with one more string of `open`; None if too many are used to be sure that others are
        left.
        """

    @abstractmethod
    def goal(self, place: int) -> ValueGoal | None:
        """Return the goal of the items at a place; None if no item can come there."""

    @abstractmethod
    def frame(self, items: int) -> OpenArray:
        """Return the frame of the array after some items. items: number of items; for arrays of words, their set
        (bit 1 << place each).
        """


class Choices(NamedTuple):
    """The choices that are left in a container.

    position: ordered keys before this index can't come any more.
    low, high: bounds on the number of further members or items; None: no upper bound.
    seen: one bit for each key or value that is present and can't come again.
    used: other keys and values that are present and can't come again.
    """

    position: int
    low: int
    high: int | None
    seen: int
    used: frozenset[object]

    def has_all_of(self, other: Choices) -> bool:
        """Return True if every way to go on with the other choices is also possible with these."""
        return (
            self.position <= other.position
            and self.low <= other.low
            and (self.high is None or (other.high is not None and self.high >= other.high))
            and self.seen | other.seen == other.seen
            and self.used <= other.used
        )


class _Container(_AnyFrame, Protocol):
    """The further questions that completion asks containers."""

    @property
    def is_settled(self) -> bool:
        """True if only required keys, counts and items are left: no later choice decides anything else."""

    @property
    def num_outcomes(self) -> int:
        """Upper bound of the number of classes that closing the container can return."""

    def left_to_choose(self) -> tuple[Hashable, Choices]:
        """Return the condition on the rest, and the choices that are left. The two decide the texts that may follow."""

    def distance(self) -> int:
        """Return an estimate of the number of members or items that are left."""


class OpenObject(_Container, Protocol):
    """A frame inside an object."""

    kind: Literal["object"]

    @property
    def plain(self) -> tuple[PlainObject, int] | None:
        """For a plain object: its common description and its set of keys; else None."""

    def value_before(self, goal: ValueGoal) -> ValueFrame:
        """For a plain object: return the frame of a member's value with a goal; this object goes on after the value."""

    @property
    def members(self) -> Hashable:
        """Equal for frames with the same `member_specs`."""

    def member_specs(self) -> Iterator[ValueSpec]:
        """Yield the value of each member that the object can ever get."""

    def needed_members(self) -> Iterable[Sequence[int]]:
        """Return groups of members with declared keys; at least one of each group must still come.

        Members are numbers that `member` takes. Each is in at most one group.
        """

    def member(self, number: int) -> tuple[str, ValueGoal]:
        """Return a declared key and the least goal of its value; the same for frames with equal `members`."""

    @property
    def min_members(self) -> int:
        """Number of members that must still come, whichever they are."""

    def helpful_keys(self) -> Collection[str]:
        """Return declared keys that may bring the object nearer to its end; the missing keys if it `is_settled`."""

    @property
    def any_key_helps(self) -> bool:
        """True if the choice among other keys may matter. False: they only count."""

    def possible_members(self) -> Iterator[int]:
        """Yield the members with declared keys that may still come, in the order of keys, as numbers for `member`."""

    def next_members(self) -> Sequence[tuple[str, Frame]]:
        """Return keys that may come now, each with the frame of its value. One of these keys must come.

        Empty if no key must come. Also empty if one of these keys would exclude a helpful key that may come now.
        """

    @property
    def used(self) -> Collection[str]:
        """The open keys that the object has."""

    @property
    def has_plenty(self) -> bool:
        """True if open keys never run out. The used ones then have no effect except that they can't come again."""

    def with_used(self, keys: Iterable[str]) -> OpenObject:
        """Return the same object with these open keys instead of its own."""


class OpenArray(_Container, Protocol):
    """A frame inside an array."""

    kind: Literal["array"]

    @property
    def plain(self) -> PlainArray | None:
        """For a plain array: its common description; else None."""

    def coming_items(self) -> Iterable[tuple[ValueGoal, int]]:
        """Return goals that the next items must satisfy, each with the number of consecutive items."""

    def contained_items(self) -> Iterable[tuple[ValueGoal, int]]:
        """Return goals that some of the later items must satisfy, each with the number of these items. An item may
        count for several goals.
        """

    def new_value_spec(self) -> ValueSpec | None:
        """Return the next item if it equals none of the used ones, as far as that makes a difference."""


Frame: TypeAlias = "ValueFrame | OpenObject | OpenArray | StyledContainer"
