"""The constraint of an answer: `response_format`, and further fields of this server, vLLM and SGLang.

A request has at most one constraint, which `read_constraint` finds. The grammar itself is checked later, when it is
compiled; an error then names the field.

    here            regex, ebnf (with dialect), choice, structural_tag, all_of; whitespace with a JSON schema;
                    values with any grammar that has schemas; sources, the texts to quote from (sources.py)
    OpenAI          response_format of type json_schema or json_object, the latter also with a schema (as llama.cpp)
    vLLM, SGLang    response_format of type structural_tag, in both of its forms; regex, ebnf, structural_tag
    SGLang          json_schema
    vLLM            guided_json, guided_regex, guided_choice, guided_grammar, guided_json_object,
                    guided_whitespace_pattern; structured_outputs with json, regex, choice, grammar, structural_tag or
                    json_object
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema

from guided.grammars.combination import REGULAR_KINDS
from guided.grammars.spec import GrammarKind
from guided.params.checks import shown

from ..errors import InvalidRequestError
from .sources import Sources, read_sources

Schema = dict[str, Any] | bool
ANY_OBJECT = {"type": "object"}
DESCRIBING = ("name", "strict", "description")  # fields of a response format that constrain nothing
JsonOrText = dict[str, Any] | str


def _fail_fast_inplace(schema: Any) -> None:
    if isinstance(schema, list | tuple):
        for part in schema:
            _fail_fast_inplace(part)
    elif isinstance(schema, dict):
        if schema.get("type") == "list":
            schema["fail_fast"] = True
        for part in schema.values():
            _fail_fast_inplace(part)


class RequestPart(BaseModel):
    """Base of all parts of a request: values are not converted ("0.7" is no number), and unknown fields are tolerated.

    Only the first error of a list, and the first unknown field of a closed part, is reported. Reporting a million
    errors would cost minutes and gigabytes.
    """

    model_config = ConfigDict(strict=True, extra="ignore")

    @classmethod
    def __get_pydantic_core_schema__(cls, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Pydantic's schema of the class, with lists that fail fast."""
        schema = handler(source)
        _fail_fast_inplace(schema)
        return schema

    @model_validator(mode="before")
    @classmethod
    def _first_unknown(cls, value: Any) -> Any:
        if cls.model_config.get("extra") != "forbid" or not isinstance(value, dict):
            return value
        known = {one.alias or name for name, one in cls.model_fields.items()}
        told = next((name for name, given in value.items() if name not in known and given is not None), None)
        return {name: value[name] for name in value if name in known or name == told}


class ClosedPart(RequestPart):
    """A part that refuses unknown fields, since one might be the constraint. A null field is ignored."""

    model_config = ConfigDict(extra="forbid")


class DescribedSchema(ClosedPart):
    """A schema as formats of answers have it. `strict` has no effect: every schema is enforced exactly."""

    name: Annotated[str | None, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")] = None
    schema_: Annotated[Schema | None, Field(alias="schema")] = None
    strict: bool | None = None
    description: str | None = None


class NamedSchema(DescribedSchema):
    """`json_schema` of a response format."""

    name: Annotated[str, Field(pattern=r"^[a-zA-Z0-9_-]{1,64}$")]
    schema_: Annotated[Schema, Field(alias="schema")]


class ResponseFormat(RequestPart):
    """`response_format`. Unknown fields are kept, since a structural tag has further fields."""

    model_config = ConfigDict(extra="allow")

    type: Literal["text", "json_schema", "json_object", "structural_tag"]
    json_schema: NamedSchema | None = None
    schema_: Annotated[Schema | None, Field(alias="schema")] = None

    @property
    def structural_tag(self) -> dict[str, Any]:
        """The whole response format as a structural tag."""
        own = {} if self.schema_ is None else {"schema": self.schema_}
        return {"type": self.type, **own, **(self.model_extra or {})}


class StructuredOutputs(ClosedPart):
    """vLLM's `structured_outputs`."""

    json_: Annotated[Schema | str | None, Field(alias="json")] = None
    regex: str | None = None
    choice: list[str] | None = None
    grammar: str | None = None
    structural_tag: JsonOrText | None = None
    json_object: bool | None = None
    disable_any_whitespace: bool | None = None
    whitespace_pattern: str | None = None


class ConstraintFields(RequestPart):
    """The fields of a request that constrain its answer."""

    response_format: ResponseFormat | None = None
    regex: str | None = None
    ebnf: str | None = None
    dialect: Literal["gbnf", "xgrammar", "w3c", "lark"] | None = None
    whitespace: str | None = None
    values: Literal["any", "canonical"] | None = None
    sources: Sources | None = None
    choice: list[str] | None = None
    structural_tag: JsonOrText | None = None
    all_of: list[dict[str, Any]] | None = None
    json_schema: Schema | str | None = None
    guided_json: Schema | str | None = None
    guided_json_object: bool | None = None
    guided_whitespace_pattern: str | None = None
    guided_regex: str | None = None
    guided_choice: list[str] | None = None
    guided_grammar: str | None = None
    structured_outputs: StructuredOutputs | None = None


@dataclass(frozen=True)
class Constraint:
    """A request's constraint. param: the field that gave it. options: further arguments of `SamplingParams`."""

    param: str
    kind: GrammarKind
    source: Any
    options: dict[str, Any] = field(default_factory=dict)

    @property
    def arguments(self) -> dict[str, Any]:
        """Arguments for `SamplingParams`."""
        return {self.kind: self.source, **self.options}


_FIELDS: Mapping[str, GrammarKind] = {
    "regex": "regex",
    "ebnf": "ebnf",
    "choice": "choice",
    "structural_tag": "structural_tag",
    "all_of": "all_of",
    "json_schema": "json_schema",
    "guided_json": "json_schema",
    "guided_regex": "regex",
    "guided_choice": "choice",
    "guided_grammar": "ebnf",
}
_STRUCTURED_FIELDS: Mapping[str, GrammarKind] = {
    "json_": "json_schema",
    "regex": "regex",
    "choice": "choice",
    "grammar": "ebnf",
    "structural_tag": "structural_tag",
}


def read_constraint(request: ConstraintFields, others: Sequence[Constraint] = ()) -> Constraint | None:
    """The request's constraint, or None. others: constraints from a format's own fields.

    Raises InvalidRequestError for two constraints, or for an option without its constraint.
    """
    found = [
        *others,
        *_given(request, _FIELDS),
        *([Constraint("guided_json_object", "json_schema", ANY_OBJECT)] if request.guided_json_object else []),
        *_of_structured_outputs(request.structured_outputs),
        *_of_response_format(request.response_format),
    ]
    if len(found) > 1:
        names = " and ".join(constraint.param for constraint in found)
        raise InvalidRequestError(f"{names} exclude each other; give one constraint", param=found[0].param)
    constraint = found[0] if found else None
    options = _read_options(request, None if constraint is None else constraint.kind)
    return None if constraint is None else replace(constraint, options=options)


def read_quoting_constraint(request: ConstraintFields) -> Constraint | None:
    """The constraint of a request without messages, with its sources. Raises like `read_constraint`."""
    constraint = read_constraint(request)
    if constraint is None:
        return None
    return replace(constraint, options={**constraint.options, **read_sources(request.sources, None)})


def _given(fields: BaseModel, kinds: Mapping[str, GrammarKind], prefix: str = "") -> list[Constraint]:
    return [
        Constraint(prefix + name.removesuffix("_"), kind, getattr(fields, name))
        for name, kind in kinds.items()
        if getattr(fields, name) is not None
    ]


def _read_options(request: ConstraintFields, kind: GrammarKind | None) -> dict[str, Any]:
    """Arguments of `SamplingParams` that go with a constraint of this kind."""
    options: dict[str, Any] = {}
    if request.dialect is not None:
        if kind != "ebnf":
            raise InvalidRequestError("dialect needs an EBNF grammar in the field 'ebnf'", param="dialect")
        options["dialect"] = request.dialect
    for param, whitespace in _whitespaces(request):
        if kind != "json_schema":
            raise InvalidRequestError(
                f"{param} only applies to json: it needs a JSON schema, such as a response_format", param
            )
        if "whitespace" in options:
            raise InvalidRequestError(f"{param} is given by another field too; give it once", param)
        options["whitespace"] = whitespace
    if request.values is not None:
        if kind is None or kind in REGULAR_KINDS:
            raise InvalidRequestError("values needs a grammar with schemas, such as a response_format", param="values")
        options["values"] = request.values
    return options


def _whitespaces(request: ConstraintFields) -> Iterator[tuple[str, str]]:
    """The fields that set the whitespace between JSON tokens, with their values."""
    outputs = request.structured_outputs
    if outputs is not None and outputs.disable_any_whitespace:
        yield "structured_outputs.disable_any_whitespace", "compact"
    if outputs is not None and outputs.whitespace_pattern is not None:
        yield "structured_outputs.whitespace_pattern", outputs.whitespace_pattern
    for param in ("whitespace", "guided_whitespace_pattern"):
        if getattr(request, param) is not None:
            yield param, getattr(request, param)


def _of_structured_outputs(outputs: StructuredOutputs | None) -> list[Constraint]:
    if outputs is None:
        return []
    found = _given(outputs, _STRUCTURED_FIELDS, "structured_outputs.")
    if outputs.json_object:
        found.append(Constraint("structured_outputs.json_object", "json_schema", ANY_OBJECT))
    if not found:
        message = "structured_outputs needs one of json, regex, choice, grammar, structural_tag and json_object"
        raise InvalidRequestError(message, param="structured_outputs")
    return found


def _of_response_format(response_format: ResponseFormat | None) -> list[Constraint]:
    if response_format is None:
        return []
    named = response_format.json_schema
    if response_format.type != "structural_tag":
        _check_no_other_fields(response_format)
    if response_format.type in ("text", "json_schema") and response_format.schema_ is not None:
        message = f"response_format.schema goes with type 'json_object', not {response_format.type!r}"
        raise InvalidRequestError(
            f"{message}; type 'json_schema' has it in json_schema.schema", "response_format.schema"
        )
    if response_format.type == "json_schema":
        if named is None:
            param = "response_format.json_schema"
            raise InvalidRequestError(f"{param} is required for type 'json_schema'", param=param)
        return [Constraint("response_format", "json_schema", named.schema_)]
    if named is not None:
        message = f"response_format.json_schema needs type 'json_schema', not {response_format.type!r}"
        raise InvalidRequestError(message, param="response_format.type")
    if response_format.type == "json_object":
        return [Constraint("response_format", "json_schema", schema_or_object(response_format.schema_))]
    if response_format.type == "structural_tag":
        return [Constraint("response_format", "structural_tag", response_format.structural_tag)]
    return []


def _check_no_other_fields(response_format: ResponseFormat) -> None:
    """Raise InvalidRequestError for an unknown field, since it might be the constraint."""
    for name, value in (response_format.model_extra or {}).items():
        if value is not None and name not in DESCRIBING:
            message = f"response_format: {shown(name)} is no field that is known here; leave it out"
            raise InvalidRequestError(message, "response_format")


def schema_or_object(schema: Schema | None) -> Schema:
    """The schema of type "json_object": the request's schema, or any object without one."""
    return ANY_OBJECT if schema is None else schema
