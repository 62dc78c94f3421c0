"""Seventy and more types of the sorts that people extract; what is generated for each must validate as it.

Only rules that a type states are here; validators that run a user's own code can't be seen from outside.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime as dt
import decimal
import enum
import ipaddress
import pathlib
import re
import typing
import uuid
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypeVar

import annotated_types
import pydantic
from pydantic import BaseModel, ConfigDict, Field, StringConstraints

T = TypeVar("T")


class Color(enum.Enum):
    RED = "red"
    BLUE = 2
    NONE = None


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 10


class Size(enum.StrEnum):
    SMALL = "s"
    LARGE = "l"


class Strings(BaseModel):
    plain: str
    short: Annotated[str, StringConstraints(min_length=2, max_length=5)]
    code: Annotated[str, StringConstraints(pattern=r"^[A-Z]{2}\d{3}$")]
    found: Annotated[str, StringConstraints(pattern=r"\w+\s\w")]
    both: Annotated[str, StringConstraints(pattern=r"^a.c", max_length=6)]


class Stripped(BaseModel):
    name: Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=3)]
    lower: Annotated[str, StringConstraints(to_lower=True, max_length=3)]
    code: Annotated[str, StringConstraints(strip_whitespace=True, to_upper=True, pattern=r"^[A-Z]+$")]


class StrippedByConfig(BaseModel):
    model_config = ConfigDict(str_strip_whitespace=True, str_min_length=2, str_max_length=4, extra="forbid")
    name: str
    other: Annotated[str, Field(min_length=3)]


class Integers(BaseModel):
    any: int
    strict: pydantic.StrictInt
    age: Annotated[int, Field(ge=0, lt=130)]
    even: Annotated[int, Field(multiple_of=2)]
    positive: pydantic.PositiveInt
    negative: pydantic.NonPositiveInt
    level: Annotated[int, annotated_types.Interval(gt=-5, le=5)]


class Floats(BaseModel):
    any: float
    strict: pydantic.StrictFloat
    finite: pydantic.FiniteFloat
    positive: pydantic.PositiveFloat
    ratio: Annotated[float, Field(ge=0, le=1)]
    open: Annotated[float, Field(gt=-1e-5, lt=1e25)]


class FloatSteps(BaseModel):
    half: Annotated[float, Field(multiple_of=0.5)]
    tenth: Annotated[float, Field(multiple_of=0.1, ge=0, le=10)]
    tens: Annotated[float, Field(multiple_of=10)]


class FiniteByConfig(BaseModel):
    model_config = ConfigDict(allow_inf_nan=False)
    x: float
    y: list[float]


class Decimals(BaseModel):
    any: decimal.Decimal
    price: Annotated[decimal.Decimal, Field(max_digits=6, decimal_places=2)]
    positive: Annotated[decimal.Decimal, Field(gt=0, le=100)]
    step: Annotated[decimal.Decimal, Field(multiple_of=decimal.Decimal("0.05"))]
    places: Annotated[decimal.Decimal, Field(decimal_places=1, ge=-5)]
    digits: Annotated[decimal.Decimal, Field(max_digits=4)]


class Dates(BaseModel):
    date: dt.date
    time: dt.time
    moment: dt.datetime
    span: dt.timedelta


class DateBounds(BaseModel):
    since: Annotated[dt.date, Field(ge=dt.date(2020, 2, 29), lt=dt.date(2031, 5, 1))]
    late: Annotated[dt.time, Field(ge=dt.time(8, 30))]
    span: Annotated[dt.timedelta, Field(ge=dt.timedelta(hours=1), le=dt.timedelta(days=400))]


class DatetimeBounds(BaseModel):
    moment: Annotated[dt.datetime, Field(gt=dt.datetime(2020, 1, 2, 3, 4, 5))]
    aware: Annotated[dt.datetime, Field(gt=dt.datetime(2020, 1, 2, tzinfo=dt.UTC))]


class PastAndFuture(BaseModel):
    past: pydantic.PastDate
    future: pydantic.FutureDate
    was: pydantic.PastDatetime
    will: pydantic.FutureDatetime


class Zones(BaseModel):
    aware: pydantic.AwareDatetime
    naive: pydantic.NaiveDatetime


class StrictDates(BaseModel):
    model_config = ConfigDict(strict=True)
    date: dt.date
    time: dt.time
    moment: dt.datetime
    span: dt.timedelta
    number: float
    id: uuid.UUID


class Ids(BaseModel):
    any: uuid.UUID
    first: pydantic.UUID1
    named: pydantic.UUID3
    random: pydantic.UUID4
    sha: pydantic.UUID5


class Addresses(BaseModel):
    four: ipaddress.IPv4Address
    six: ipaddress.IPv6Address
    any: pydantic.IPvAnyAddress


class Networks(BaseModel):
    four: ipaddress.IPv4Network
    six: ipaddress.IPv6Network
    any: pydantic.IPvAnyNetwork


class Interfaces(BaseModel):
    four: ipaddress.IPv4Interface
    six: ipaddress.IPv6Interface
    any: pydantic.IPvAnyInterface


class Emails(BaseModel):
    email: pydantic.EmailStr
    other: pydantic.EmailStr | None = None


class NamedEmails(BaseModel):
    email: pydantic.NameEmail


class HttpUrls(BaseModel):
    url: pydantic.HttpUrl
    other: pydantic.AnyHttpUrl


class AnyUrls(BaseModel):
    url: pydantic.AnyUrl
    web: pydantic.AnyWebsocketUrl


class FileUrls(BaseModel):
    file: pydantic.FileUrl
    ftp: pydantic.FtpUrl


class Dsns(BaseModel):
    postgres: pydantic.PostgresDsn
    redis: pydantic.RedisDsn
    mongo: pydantic.MongoDsn


class OwnUrls(BaseModel):
    url: Annotated[
        pydantic.AnyUrl, pydantic.UrlConstraints(max_length=40, allowed_schemes=["https"], host_required=True)
    ]


class Paths(BaseModel):
    path: pathlib.Path
    pure: pathlib.PurePosixPath


class Binary(BaseModel):
    raw: bytes
    short: Annotated[bytes, Field(min_length=1, max_length=4)]
    encoded: pydantic.Base64Bytes
    text: pydantic.Base64Str


class UrlBinary(BaseModel):
    encoded: pydantic.Base64UrlBytes
    text: pydantic.Base64UrlStr


class BytesAsBase64(BaseModel):
    model_config = ConfigDict(val_json_bytes="base64")
    raw: bytes


class BytesAsHex(BaseModel):
    model_config = ConfigDict(val_json_bytes="hex")
    raw: bytes


class Secrets(BaseModel):
    password: pydantic.SecretStr
    token: Annotated[pydantic.SecretStr, Field(min_length=3, max_length=8)]
    raw: pydantic.SecretBytes


class Literals(BaseModel):
    one: Literal["a", "b"]
    mixed: Literal["a", 1, True, None]
    of_enum: Literal[Size.SMALL, "a"]
    odd: Literal['"\\', "\u2028é"]


class Enums(BaseModel):
    color: Color
    level: Level
    size: Size = Size.SMALL


class Sets(BaseModel):
    integers: set[int]
    texts: Annotated[frozenset[str], Field(min_length=2, max_length=3)]
    booleans: Annotated[set[bool], Field(min_length=2)]
    choices: set[Literal["a", "b"]]


class SetsOfFolded(BaseModel):
    numbers: Annotated[set[float], Field(min_length=2, max_length=3)]
    either: Annotated[set[int | float], Field(min_length=2, max_length=3)]
    dates: Annotated[set[dt.date], Field(min_length=2, max_length=3)]
    ids: Annotated[set[uuid.UUID], Field(min_length=2, max_length=3)]


class Point(NamedTuple):
    x: int
    y: float
    label: str = ""


class Tuples(BaseModel):
    pair: tuple[int, str]
    many: tuple[float, ...]
    empty: tuple[()]
    point: Point
    some: Annotated[tuple[int, ...], Field(min_length=1, max_length=2)]


class Lists(BaseModel):
    plain: list[int]
    bounded: Annotated[list[bool], Field(min_length=1, max_length=3)]
    nested: list[list[str]]
    sequence: Sequence[int]
    queue: collections.deque[int]


class Dicts(BaseModel):
    plain: dict[str, int]
    bounded: Annotated[dict[str, bool], Field(min_length=1, max_length=2)]
    mapping: Mapping[str, float]
    defaults: collections.defaultdict[str, list[int]]
    ordered: collections.OrderedDict[str, int]
    counter: collections.Counter[str]


class PatternKeys(BaseModel):
    codes: dict[Annotated[str, StringConstraints(pattern=r"^[a-z]{1,3}$")], int]
    short: dict[Annotated[str, StringConstraints(min_length=1, max_length=2)], bool]


class OtherKeys(BaseModel):
    numbers: dict[int, str]
    floats: dict[float, bool]
    sizes: dict[Size, int]
    words: dict[Literal["a", "b"], int]
    ids: dict[uuid.UUID, bool]
    days: dict[dt.date, bool]


class BoundedKeys(BaseModel):
    ages: dict[Annotated[int, Field(ge=0, le=9)], str]
    flags: dict[bool, int]
    colors: dict[Color, int]


class Nested(BaseModel):
    inside: Dates
    several: list[Literals]
    maybe: Strings | None = None


class Tree(BaseModel):
    value: int
    children: list[Tree] = []
    parent: Tree | None = None


class Even(BaseModel):
    odd: Odd | None = None


class Odd(BaseModel):
    even: Even | None = None


class Aliases(BaseModel):
    name: Annotated[str, Field(alias="fullName")]
    age: Annotated[int, Field(validation_alias="years")]
    either: Annotated[str, Field(validation_alias=pydantic.AliasChoices("first", "second"))]


class AliasPaths(BaseModel):
    deep: Annotated[int, Field(validation_alias=pydantic.AliasPath("outer", "inner"))]
    item: Annotated[str, Field(validation_alias=pydantic.AliasPath("items", 1))]


class ByName(BaseModel):
    model_config = ConfigDict(populate_by_name=True)
    name: Annotated[str, Field(alias="fullName")]


class ForbidsExtra(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int
    b: str | None = None


class AllowsExtra(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class TypedExtra(BaseModel):
    model_config = ConfigDict(extra="allow")
    __pydantic_extra__: dict[str, int]
    a: str


class Defaults(BaseModel):
    a: int = 1
    b: str = Field(default_factory=str)
    c: Literal["x"] = "x"


class Unions(BaseModel):
    either: int | str
    several: int | float | bool | None
    models: Strings | Integers
    dated: dt.date | int


class StrictUnions(BaseModel):
    one: pydantic.StrictInt | pydantic.StrictStr
    left: Annotated[int | float, Field(union_mode="left_to_right")]


class Cat(BaseModel):
    kind: Literal["cat"]
    lives: Annotated[int, Field(ge=1, le=9)]


class Dog(BaseModel):
    kind: Literal["dog", "puppy"]
    weight: pydantic.PositiveFloat


class Discriminated(BaseModel):
    pet: Annotated[Cat | Dog, Field(discriminator="kind")]
    pets: list[Annotated[Cat | Dog, Field(discriminator="kind")]]


class Invoice(BaseModel):
    kind: Literal["invoice"]
    total: Annotated[decimal.Decimal, Field(max_digits=8, decimal_places=2)]
    due: dt.date


class Order(BaseModel):
    kind: Literal["order"]
    url: pydantic.HttpUrl | None = None
    placed: dt.datetime


def _kind_of(value: Any) -> str:
    kind = value.get("kind") if isinstance(value, dict) else getattr(value, "kind", "")
    return "dog" if kind == "puppy" else str(kind)


class ByFunction(BaseModel):
    pet: Annotated[
        Annotated[Cat, pydantic.Tag("cat")] | Annotated[Dog, pydantic.Tag("dog")], pydantic.Discriminator(_kind_of)
    ]


class Box(BaseModel, Generic[T]):
    content: T
    more: list[T] = []


class Numbers(pydantic.RootModel[list[int]]):
    pass


class Anything(BaseModel):
    any: Any
    thing: object
    json_value: pydantic.JsonValue


class Sizes(BaseModel):
    size: pydantic.ByteSize


class Patterns(BaseModel):
    pattern: re.Pattern[str]


class Booleans(BaseModel):
    any: bool
    strict: pydantic.StrictBool
    nothing: None


class StrictModel(BaseModel):
    model_config = ConfigDict(strict=True)
    a: int
    b: float
    c: str
    d: tuple[int, int]
    e: set[int]
    f: Color
    g: bytes


class Base(BaseModel):
    a: int


class Derived(Base):
    b: Annotated[str, Field(max_length=3)]


class Described(BaseModel):
    """A description, with an example."""

    a: Annotated[int, Field(description="a number", examples=[1], title="A", deprecated=True)]
    b: Annotated[str, Field(json_schema_extra={"x-note": "kept"})] = "b"


class Frozen(BaseModel):
    model_config = ConfigDict(frozen=True, use_enum_values=True)
    level: Level
    unset: pydantic.SkipValidation[int] = 3


class Computed(BaseModel):
    a: int

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def double(self) -> int:
        return 2 * self.a


class Optionals(BaseModel):
    a: typing.Optional[int]  # noqa: UP045
    b: Annotated[str | None, Field(max_length=2)] = None
    c: Annotated[list[int] | None, Field(min_length=1)] = None


class LengthOfUnion(BaseModel):
    value: Annotated[str | list[int], Field(min_length=2, max_length=3)]


class Complexes(BaseModel):
    value: complex


@dataclasses.dataclass
class Item:
    name: str
    price: float = 1.0
    tags: list[str] = dataclasses.field(default_factory=list)


@pydantic.dataclasses.dataclass(config=ConfigDict(extra="forbid"))
class OwnItem:
    name: Annotated[str, Field(min_length=1)]
    when: dt.date


class Movie(typing.TypedDict):
    title: str
    year: typing.NotRequired[int]


class Series(Movie, total=False):
    seasons: typing.Required[int]
    last: Movie


TYPES: dict[str, Any] = {
    one.__name__: one
    for one in (
        *(Strings, Stripped, StrippedByConfig, Integers, Floats, FloatSteps, FiniteByConfig, Decimals),
        *(Dates, DateBounds, DatetimeBounds, PastAndFuture, Zones, StrictDates, Ids, Addresses, Networks, Interfaces),
        *(Emails, NamedEmails, HttpUrls, AnyUrls, FileUrls, Dsns, OwnUrls, Paths, Binary, UrlBinary, BytesAsBase64),
        *(BytesAsHex, Secrets, Literals, Enums, Sets, SetsOfFolded, Tuples, Lists, Dicts, PatternKeys, OtherKeys),
        *(
            BoundedKeys,
            Nested,
            Tree,
            Even,
            Aliases,
            AliasPaths,
            ByName,
            ForbidsExtra,
            AllowsExtra,
            TypedExtra,
            Defaults,
        ),
        *(Unions, StrictUnions, Discriminated, ByFunction, Numbers, Anything, Sizes, Patterns, Booleans),
        *(StrictModel, Derived, Described, Frozen, Computed, Optionals, LengthOfUnion, Complexes, Item, OwnItem),
        *(Movie, Series, Point, Color, Level, Size),
    )
} | {
    "Documents": Annotated[Invoice | Order, Field(discriminator="kind")],
    "Boxes": Box[dt.date],
    "BoxOfBoxes": Box[Box[int]],
    "ListOfModels": list[Cat],
    "Either": Literal["yes", "no"],
    "Mapped": dict[str, Dog],
    "MoviesByName": dict[str, Series | None],
}
"""Name -> type."""
