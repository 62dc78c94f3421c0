"""`Frame`, `ValueSpec` and `KeySpec`: how the machine asks what may be written next.

A document that is being written is a stack of frames. Who makes the frames (from a JSON Schema, say) promises that
whatever a frame offers can be completed: a language is not empty, a frame that can be entered can be closed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, NamedTuple, Protocol, TypeAlias

from ..regex.algebra import Language
from .layout import MAX_STYLED_SPACES

# Languages that have no text in common, each with the class that a text of it returns.
Lexeme = tuple[tuple[Language, int], ...]

NO_WORDS: Mapping[str, int] = {}
NO_TEXTS: frozenset[str] = frozenset()


@dataclass(eq=False, repr=False, slots=True)
class ValueSpec:
    """What one value may be.

    strings: disjoint, non-empty languages of the decoded string, each with its class. excluded_strings: decoded
        strings that must not occur.
    numbers: disjoint, non-empty languages of the number's text, each with its class. excluded_numbers: texts that must
        not occur.
    true, false, null: the class returned, None where it is not allowed.
    object, array: the frame entered at `{` or `[`, None where it is not allowed.
    captures: above 0, the frame that gave this spec takes the value's return with `on_capture`. 1: the text only takes
        some texts from what may come later, excluded ones or a few more. 2: it may decide anything that comes later, so
        what `on_return` gives is no more than a guess.
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

    @property
    def literals(self) -> list[tuple[bytes, int]]:
        """The literals that are allowed, each with its class."""
        classes = ((b"true", self.true), (b"false", self.false), (b"null", self.null))
        return [(text, returned) for text, returned in classes if returned is not None]


@dataclass(eq=False, repr=False, slots=True)
class KeySpec:
    """What the next key of an object may be.

    words: declared keys that are allowed now, each with its class.
    open: disjoint, non-empty languages of other keys, each with its class; empty when there are none. The return of an
        open key goes through `on_capture`.
    excluded: keys that are never open keys here (declared ones and used ones).
    declared: all keys that frames of the same object may have among their words; the same mapping where they can share
        it. None: `words`.
    """

    words: Mapping[str, int] = field(default_factory=dict)
    open: Lexeme = ()
    excluded: frozenset[str] = NO_TEXTS
    declared: Mapping[str, int] | None = None


class _AnyFrame(Protocol):
    """One entry on the stack of a document. Immutable and interned: the machine compares frames by identity."""

    def value_spec(self) -> ValueSpec | None:
        """The value expected here ("value"), or the next item ("array"; None when no further item can come)."""

    def key_spec(self) -> KeySpec | None:
        """The next key ("object"); None when no further member can come."""

    @property
    def close_class(self) -> int | None:
        """What is returned to the frame below when this one ("object", "array") is closed now; None: it can't be."""

    def on_return(self, cls: int) -> Frame | None:
        """The frame that replaces this one after a value or a key of class `cls` was read; None: not allowed."""

    def on_capture(self, cls: int, text: bytes) -> Frame | None:
        """As `on_return` for a return whose text matters: the canonical bytes of the key or the item."""


MAX_SPACES = MAX_STYLED_SPACES


class Marks(NamedTuple):
    """What objects of a style have in common. opening: the mark before a member's name, up to the name. max_spaces:
    between members, at most MAX_SPACES. tokens: special tokens that are part of marks, each with the byte that
    stands for it there."""

    opening: bytes
    max_spaces: int
    tokens: tuple[tuple[int, int], ...] = ()


@dataclass(eq=False, repr=False, slots=True)
class StyledSpec:
    """What one value may be between marks.

    texts: disjoint, non-empty languages of texts that are no arrays or objects, each with its class. end: the mark
        behind them. after_break: the same where a line break stands before the text and another one behind it; None
        where no line break belongs to the marks.
    object, array: the frame entered at `{` or `[`, None where it is not allowed.
    """

    texts: Lexeme
    end: str
    after_break: Lexeme | None = None
    object: Frame | None = None
    array: Frame | None = None
    captures: ClassVar[int] = 0  # as of a `ValueSpec`: texts of members do not matter


class StyledFrame(ABC):
    """A frame of an object that is written in a style, of a value in one or of the document that is one.

    An object's `key_spec` gives whole texts: names with the marks behind them. What `on_capture` takes is such a text.
    A value has no `value_spec` but a `styled_spec`. Returns of arrays and objects have other classes than its texts.
    """

    marks: Marks

    def styled_spec(self) -> StyledSpec | None:
        """The value expected here; None where a key comes."""
        return None


class ValueFrame(_AnyFrame, Protocol):
    """One value is expected."""

    kind: Literal["value"]

    @property
    def plain(self) -> tuple[OpenObject, ValueGoal] | None:
        """Of the value of a member where the object after it is plain: that object, and what the value must satisfy."""


class ValueGoal(Protocol):
    """What a value must satisfy. The same object for the same."""

    def spec(self) -> ValueSpec:
        """What may be written."""


class KeySequence(NamedTuple):
    """An order in which some keys of an object may come. indexes: of the keys. group: the sequences of which one must
    be kept, those of one schema; None where it does not bind."""

    indexes: tuple[int, ...]
    group: int | None


class PlainKeys(NamedTuple):
    """The keys of plain objects. A set of them is a number, 1 << index for each.

    declared: in the order of their indexes, which are their classes. possible: those that can be written.
    num_ordered: the first of them, which must all come, in exactly this order. sequences: those of one group are
    neighbours. open, excluded: as in `KeySpec`; the classes of open keys are from the number of declared ones on.
    num_classes: of all keys. is_open_early: open keys may come before all required ones.
    """

    declared: Mapping[str, int]
    possible: int
    required: int
    num_ordered: int
    sequences: Sequence[KeySequence]
    open: Lexeme
    excluded: frozenset[str]
    num_classes: int
    is_open_early: bool


class PlainObject(ABC):
    """What objects have in common in which nothing matters but which declared keys they have.

    All values return class 0, and so does the object.
    """

    @abstractmethod
    def keys(self) -> PlainKeys:
        """Which keys may come."""

    @property
    @abstractmethod
    def before(self) -> tuple[PlainObject, str] | None:
        """Others that differ only in that they have one open key less, and that key; None where there are none."""

    @abstractmethod
    def using(self, key: str) -> PlainObject:
        """The same with one more open key."""

    @abstractmethod
    def goal(self, cls: int) -> ValueGoal:
        """What the value of a key must satisfy."""

    @abstractmethod
    def frame(self, keys: int) -> OpenObject:
        """The object with these keys; and with 1 << (number of declared keys + number of the sequence) for each
        sequence that its keys have left."""


class PlainArray(ABC):
    """What arrays have in common in which nothing matters but how many items they have, or also which, where they are
    strings, all different. All items return class 0.

    words: which strings they are, where these are few; () for other arrays. open: languages that have many, of which
    the items are; () for other arrays. num_places: how many of the first items have something of their own to satisfy,
    and one more for all others. low, high: bounds on the number of items.
    """

    words: tuple[str, ...]
    open: Lexeme
    num_places: int
    low: int
    high: int | None

    @property
    @abstractmethod
    def before(self) -> tuple[PlainArray, str] | None:
        """Others that differ only in that they have one string less, of `open`; and that string. None: there are
        none."""

    @abstractmethod
    def using(self, string: str) -> PlainArray | None:
        """The same with one more string, of `open`; None where there are too many to be sure that others are left."""

    @abstractmethod
    def goal(self, place: int) -> ValueGoal | None:
        """What the items of a place must satisfy; None where none can come."""

    @abstractmethod
    def frame(self, items: int) -> OpenArray:
        """The array with so many items; or with some words, 1 << place each."""


class Choices(NamedTuple):
    """How much there is left to choose from in a container.

    position: ordered keys before this one can't come any more. low, high: bounds on the number of further members or
    items. seen, used: keys and values that are there and can't come again; seen has a bit for each.
    """

    position: int
    low: int
    high: int | None
    seen: int
    used: frozenset[object]

    def has_all_of(self, other: Choices) -> bool:
        """Whether each way to go on with the other choices is one with these, too."""
        return (
            self.position <= other.position
            and self.low <= other.low
            and (self.high is None or (other.high is not None and self.high >= other.high))
            and self.seen | other.seen == other.seen
            and self.used <= other.used
        )


class _Container(_AnyFrame, Protocol):
    """What completion asks of containers, beside what the machine does."""

    @property
    def is_settled(self) -> bool:
        """True where nothing but required keys, counts and items is left: what comes next decides nothing else."""

    @property
    def num_outcomes(self) -> int:
        """No more classes than this can be returned when it is closed."""

    def left_to_choose(self) -> tuple[Hashable, Choices]:
        """What must hold of what comes, and what there is to choose from. Both decide what may be written here."""

    def distance(self) -> int:
        """A guess of how many members or items are left."""


class OpenObject(_Container, Protocol):
    """Inside of an object."""

    kind: Literal["object"]

    @property
    def plain(self) -> tuple[PlainObject, int] | None:
        """Where nothing matters but which keys it has: what it has in common with others, and its keys."""

    def value_before(self, goal: ValueGoal) -> ValueFrame:
        """Of a plain one, the frame of a value with a goal after which it goes on."""

    @property
    def members(self) -> Hashable:
        """The same for frames of which `member_specs` gives the same."""

    def member_specs(self) -> Iterator[ValueSpec]:
        """The value of each member that the object can ever get."""

    def needed_members(self) -> Iterable[Sequence[int]]:
        """Members with declared keys, in groups: of each group at least one must still come. They are numbers that
        `member` takes, each in one group at most."""

    def member(self, number: int) -> tuple[str, ValueGoal]:
        """A declared key, and what its value must satisfy at least. The same for frames with the same `members`."""

    @property
    def min_members(self) -> int:
        """So many members must still come, whichever they are."""

    def helpful_keys(self) -> Collection[str]:
        """The declared keys that may bring the object nearer to its end; of a settled one those that are missing."""

    @property
    def any_key_helps(self) -> bool:
        """Whether it may matter which other keys come. If not, they only count."""

    def possible_members(self) -> Iterator[int]:
        """Members with declared keys that may still come, as numbers that `member` takes, in the order of the keys."""

    def next_members(self) -> Sequence[tuple[str, Frame]]:
        """Keys of which one must come, and may come before all others, each with the frame of its value. None where no
        key must come, or where others that may come now, and may help, could not come after it."""

    @property
    def used(self) -> Collection[str]:
        """The open keys that it has."""

    @property
    def has_plenty(self) -> bool:
        """Whether the open keys that it has matter only in that they can't come again: others are left in any case."""

    def with_used(self, keys: Iterable[str]) -> OpenObject:
        """The same object with these open keys, whichever it has."""


class OpenArray(_Container, Protocol):
    """Inside of an array."""

    kind: Literal["array"]

    @property
    def plain(self) -> PlainArray | None:
        """Where nothing matters but how many more items come: what it has in common with arrays of more items."""

    def coming_items(self) -> Iterable[tuple[ValueGoal, int]]:
        """What the next items surely must satisfy, each with how many of them come in a row."""

    def contained_items(self) -> Iterable[tuple[ValueGoal, int]]:
        """What some of the items that come surely must satisfy, each with how many. One may be meant several times."""

    def new_value_spec(self) -> ValueSpec | None:
        """The next item where it is none of those that are used, as far as that makes a difference."""


Frame: TypeAlias = "ValueFrame | OpenObject | OpenArray"
