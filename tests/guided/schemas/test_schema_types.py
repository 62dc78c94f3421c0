"""JSON Schemas of Python types, and `guided.compile_grammar` that takes them."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
from typing import Any, Literal, NewType, Optional, Union

import pydantic
import pytest
from typing_extensions import TypeAliasType, TypedDict

from guided.compile import compile_grammar
from guided.grammars.errors import InvalidInputError, InvalidSchemaError, LimitExceededError
from guided.grammars.limits import Limits
from guided.schemas.python_types import grammar_schema, to_json_schema
from tests.grammars.vocabularies import byte_vocabulary, matches, random_walk

VOCABULARY = byte_vocabulary()


class Color(enum.Enum):
    RED = "red"
    BLUE = 2


class Address(pydantic.BaseModel):
    street: str
    zip_code: str = pydantic.Field(pattern=r"^[0-9]{5}$", alias="zip")


class Person(pydantic.BaseModel):
    """A person."""

    name: str = pydantic.Field(min_length=1, description="full name")
    age: int = pydantic.Field(ge=0, le=150)
    color: Color = Color.RED
    address: Optional[Address] = None  # noqa: UP045
    born: datetime.date | None = None
    tags: list[str] = pydantic.Field(default=[], max_length=2)


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: int


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    weight: float = pydantic.Field(gt=0)


class Owner(pydantic.BaseModel):
    pet: Union[Cat, Dog] = pydantic.Field(discriminator="kind")  # noqa: UP007


@dataclasses.dataclass
class Point:
    x: int
    y: int | None = None


class Movie(TypedDict):
    title: str
    year: int


class Tree(pydantic.BaseModel):
    children: list[Tree]


@pytest.mark.parametrize(
    ("schema", "valid", "invalid"),
    [
        ({"type": "integer"}, "1", '"1"'),
        ('{"type": "integer"}', "1", '"1"'),
        (
            Person,
            '{"name": "Zoë", "age": 150, "color": 2, "address": {"street": "x", "zip": "01234"}, '
            '"born": "2024-02-29", "tags": ["a"]}',
            '{"name": "", "age": 1}',
        ),
        (Person, '{"name": "a", "age": 0}', '{"name": "a", "age": 151}'),
        (Owner, '{"pet": {"kind": "cat", "lives": 9}}', '{"pet": {"kind": "dog", "lives": 9}}'),
        (Owner, '{"pet": {"kind": "dog", "weight": 0.5}}', '{"pet": {"kind": "dog", "weight": 0}}'),
        (Point, '{"x": 1, "y": null}', '{"y": 1}'),
        (Movie, '{"title": "x", "year": 1999}', '{"title": "x"}'),
        (Color, '"red"', '"blue"'),
        (list[Point], '[{"x": 1}, {"x": 2}]', '{"x": 1}'),
        (Literal["a", 1], "1", "2"),
        (Color | None, "null", "1"),
    ],
    ids=str,
)
def test_compile_python_types(schema: Any, valid: str, invalid: str) -> None:
    grammar = compile_grammar(VOCABULARY, json_schema=schema)
    assert matches(grammar.matcher(), valid)
    assert not matches(grammar.matcher(), invalid)
    if not isinstance(schema, dict | str):
        adapter = pydantic.TypeAdapter(schema)
        for seed in range(3):
            text = random_walk(grammar.matcher(), VOCABULARY, seed)
            assert text is None or adapter.validate_json(text) is not text


def test_schemas_pass_through_and_types_are_described() -> None:
    schema = {"type": "object", "properties": {}}
    assert to_json_schema(schema) is schema
    assert to_json_schema(True) is True
    assert to_json_schema(json.dumps(schema)) == schema
    described = to_json_schema(Person)
    assert isinstance(described, dict)
    assert list(described["properties"]) == ["name", "age", "color", "address", "born", "tags"]
    assert described["required"] == ["name", "age"]


class Opaque:
    pass


class WithOpaque(pydantic.BaseModel):
    model_config = pydantic.ConfigDict(arbitrary_types_allowed=True)
    field: Opaque


@pytest.mark.parametrize(
    ("schema", "reason"),
    [
        (Person(name="a", age=1), "pass the class Person, not an instance of it"),
        (Point(1), "pass the class Point, not an instance of it"),
        (Color.RED, "expected a dict, a bool, JSON text"),
        ([Point], "expected a dict, a bool, JSON text"),
        (7, "expected a dict, a bool, JSON text"),
        (None, "expected a dict, a bool, JSON text"),
        (Opaque, "Opaque"),
        (pydantic.BaseModel, "BaseModel itself, which has no fields; pass a class made of it"),
        (list[pydantic.BaseModel], "BaseModel itself, which has no fields; pass a class made of it"),
        (WithOpaque, "WithOpaque"),
    ],
    ids=str,
)
def test_what_has_no_schema(schema: Any, reason: str) -> None:
    with pytest.raises(InvalidInputError, match="no JSON Schema of") as caught:
        to_json_schema(schema)
    assert reason in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        (pydantic.FilePath, "FilePath takes only files that exist"),
        (pydantic.DirectoryPath, "DirectoryPath takes only folders that exist"),
        (list[pydantic.NewPath], "NewPath takes only files that do not exist yet"),
        (pydantic.Json[int], "use the type inside"),
    ],
    ids=str,
)
def test_types_that_no_schema_can_describe_are_not_generated(annotation: Any, reason: str) -> None:
    with pytest.raises(InvalidInputError, match=reason):
        grammar_schema(annotation)


@pytest.mark.parametrize("text", ["{", "[1]", "1", '{"a": 1, "a": 2}'])
def test_text_that_is_no_schema(text: str) -> None:
    with pytest.raises(InvalidSchemaError):
        to_json_schema(text)


def test_text_is_bounded_by_the_limits_given() -> None:
    with pytest.raises(LimitExceededError, match="max_schema_bytes = 10"):
        to_json_schema('{"type": "null"}', Limits(max_schema_bytes=10))
    long = json.dumps({"description": "x" * Limits().max_schema_bytes})
    assert to_json_schema(long, Limits(max_schema_bytes=len(long))) == json.loads(long)


def test_errors_and_limits_of_the_grammar_come_through() -> None:
    assert matches(
        compile_grammar(VOCABULARY, json_schema=Tree, whitespace="compact").matcher(), '{"children":[{"children":[]}]}'
    )
    with pytest.raises(LimitExceededError, match="max_schema_bytes"):
        compile_grammar(VOCABULARY, json_schema=Person, limits=Limits(max_schema_bytes=100))
    with pytest.raises(InvalidInputError, match="exactly one"):
        compile_grammar(VOCABULARY, json_schema=Person, regex="a")
    assert matches(compile_grammar(VOCABULARY, regex="a|b").matcher(), "b")


Names = TypeAliasType("Names", list[str])
Known = NewType("Known", list[str])


@dataclasses.dataclass
class Counted:
    name: str
    number: int = dataclasses.field(init=False, default=1)


class Size(enum.Enum):
    SMALL = (1, 2)
    LARGE = "large"


def test_a_named_alias_is_a_type() -> None:
    for annotation in (Names, Names | None, dict[str, Names], Known):
        compile_grammar(VOCABULARY, json_schema=annotation)
    matcher = compile_grammar(VOCABULARY, json_schema=Names).matcher
    assert matches(matcher(), '["a"]')
    assert not matches(matcher(), '"a"')


def test_what_a_dataclass_sets_itself_is_not_asked_for() -> None:
    for schema in (to_json_schema(Counted), grammar_schema(Counted)):
        assert isinstance(schema, dict)
        assert list(schema["properties"]) == ["name"]
    assert not matches(compile_grammar(VOCABULARY, json_schema=Counted).matcher(), '{"name": "a", "number": 1}')


def test_an_enum_that_no_json_value_is_read_as_is_refused() -> None:
    with pytest.raises(InvalidInputError, match=r"no JSON value is read as Size.SMALL, which is \(1, 2\); give the"):
        grammar_schema(Size)
