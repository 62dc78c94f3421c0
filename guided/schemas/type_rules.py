"""`TypeRules`: JSON Schemas that allow only values that a Python type accepts, based on Pydantic's description.

`pydantic.TypeAdapter(...).json_schema()` omits rules that JSON Schema has no keyword for: bounds of dates, schemes of
URLs, digits of decimals, keys of dicts. Pydantic also ignores rounding (99.999999999999999 is read as 100.0). Here each
such rule becomes a pattern or a bound. The code of user-defined validators can't be described.
"""

from __future__ import annotations

import datetime as dt
import json
import math
from collections.abc import Mapping
from typing import Any

from pydantic.types import PathType
from pydantic_core import SchemaError, SchemaValidator, ValidationError, core_schema, to_json

from guided.grammars.errors import InvalidInputError
from guided.grammars.json_schema.keyword_table import SHAPES, held

from . import type_patterns as patterns
from .field_places import FieldPlaces

JsonSchema = dict[str, Any]

_EXACT = 10**15  # up to this magnitude doubles distinguish integers, and decimals with few places
_FLOAT_DIGITS = 15  # a decimal with this many digits is read back as it was written
_LONGEST_TIMEDELTA_S = 999_999_999 * 86400
_DAYS_APART = 2  # days from today, so that "past" and "future" hold in every time zone and for some time
_BYTES_MARK = "x-guided-bytes"
_WITHOUT_FORM = {
    "file-path": "FilePath takes only files that exist",
    "directory-path": "DirectoryPath takes only folders that exist",
    "json-string": "Json[...] is JSON text inside of a string, which no JSON Schema describes; use the type inside",
}


class TypeRules(FieldPlaces):
    """Pydantic's schema generator with each type's own rules, for validation mode."""

    def generate(self, schema: Any, mode: Any = "validation") -> JsonSchema:
        """The JSON Schema of a whole type."""
        found = super().generate(schema, mode)
        _refine(found)
        return found

    def str_schema(self, schema: core_schema.StringSchema) -> JsonSchema:
        found = super().str_schema(schema)
        if self._config.str_min_length:
            found.setdefault("minLength", self._config.str_min_length)
        if self._config.str_max_length is not None:
            found.setdefault("maxLength", self._config.str_max_length)
        if schema.get("strip_whitespace", self._config.str_strip_whitespace):
            found = _with_patterns(found, patterns.STRIPPED)
        return found

    def float_schema(self, schema: core_schema.FloatSchema) -> JsonSchema:
        found = super().float_schema(schema)
        if found.get("exclusiveMaximum"):  # not for 0: no other number is rounded to 0
            found["maximum"] = min(
                math.nextafter(found.pop("exclusiveMaximum"), -math.inf), found.get("maximum", math.inf)
            )
        if found.get("exclusiveMinimum"):
            found["minimum"] = max(
                math.nextafter(found.pop("exclusiveMinimum"), math.inf), found.get("minimum", -math.inf)
            )
        if "multipleOf" in found:
            found = {"allOf": [found, {"minimum": -_EXACT, "maximum": _EXACT}]}
        return found

    def decimal_schema(self, schema: core_schema.DecimalSchema) -> JsonSchema:
        """The schema of a `Decimal`: numbers, which it reads as they are written, and no strings."""
        found: JsonSchema = {"type": "number"}
        for bound, keyword in _DECIMAL_BOUNDS.items():
            if schema.get(bound) is not None:
                found[keyword] = _number(schema[bound])  # type: ignore[literal-required]
        multiple, places, digits = schema.get("multiple_of"), schema.get("decimal_places"), schema.get("max_digits")
        conditions: list[JsonSchema] = []
        if multiple is not None:
            conditions.append({"multipleOf": _number(multiple), "minimum": -(10**12), "maximum": 10**12})
        if _is_exclusive(found) and multiple is None and digits is None:
            conditions.append({"multipleOf": 10.0 ** -(places if places is not None else 6)})
        elif places is not None and digits is None:
            conditions.append({"multipleOf": 10.0**-places})
        if digits is not None:
            conditions.append(_digits(digits, places))
        return {**found, "allOf": conditions} if conditions else found

    def date_schema(self, schema: core_schema.DateSchema) -> JsonSchema:
        found = super().date_schema(schema)
        if found.get("type") != "string":
            return found
        day = dt.timedelta(days=1)
        lows = [one for one in (schema.get("ge"), _shifted(schema.get("gt"), day)) if one is not None]
        highs = [one for one in (schema.get("le"), _shifted(schema.get("lt"), -day)) if one is not None]
        past, future = _now_bounds(schema)
        lows, highs = lows + [one.date() for one in future], highs + [one.date() for one in past]
        return _between(found, [one.isoformat() for one in lows], [one.isoformat() for one in highs], "")

    def time_schema(self, schema: core_schema.TimeSchema) -> JsonSchema:
        found = super().time_schema(schema)
        if found.get("type") != "string":
            return found
        any_day = dt.date(2000, 1, 1)
        bounds = {key: dt.datetime.combine(any_day, bound) for key, bound in _bounds(schema).items()}
        lows, highs = _seconds(bounds)
        if lows or highs:
            return _between(found, [_clock(one) for one in lows], [_clock(one) for one in highs], _ZULU)
        return found

    def datetime_schema(self, schema: core_schema.DatetimeSchema) -> JsonSchema:
        found = super().datetime_schema(schema)
        if found.get("type") != "string":
            return found
        lows, highs = _seconds(_bounds(schema))
        past, future = _now_bounds(schema)
        lows, highs = lows + future, highs + past
        end = _ZULU
        zone = schema.get("tz_constraint")
        if zone == "naive":
            found, end = {"type": "string", "pattern": patterns.NAIVE_DATE_TIME}, _NO_ZONE
        elif isinstance(zone, int):
            sign, minutes = "-" if zone < 0 else "+", abs(zone) // 60
            found = _with_patterns(found, f"[{sign}]{minutes // 60:02d}:{minutes % 60:02d}$" if zone else "Z$")
        if not lows and not highs:
            return found
        return _between(found, [one.isoformat() for one in lows], [one.isoformat() for one in highs], end)

    def timedelta_schema(self, schema: core_schema.TimedeltaSchema) -> JsonSchema:
        found = super().timedelta_schema(schema)
        bounds = {key: bound.total_seconds() for key, bound in _bounds(schema).items()}
        if found.get("type") != "string":
            return {**found, "minimum": -_LONGEST_TIMEDELTA_S, "maximum": _LONGEST_TIMEDELTA_S}
        if not bounds:
            return found
        low = max([math.ceil(bounds.get("ge", 0)), math.floor(bounds.get("gt", -1)) + 1, 0])
        high = min(
            [math.floor(bounds.get("le", _LONGEST_TIMEDELTA_S)), math.ceil(bounds.get("lt", _LONGEST_TIMEDELTA_S)) - 1]
        )
        if high < low:
            raise InvalidInputError("a timedelta's bounds leave no duration of whole seconds that is not negative")
        return {"type": "string", "pattern": patterns.durations(low, high)}

    def bytes_schema(self, schema: core_schema.BytesSchema) -> JsonSchema:
        low, high = schema.get("min_length") or 0, schema.get("max_length")
        form = self._config.val_json_bytes
        if form == "hex":
            return {"type": "string", "pattern": patterns.hexadecimal(low, high)}
        if form == "base64":
            return {"type": "string", "pattern": patterns.base64("-_", is_text=False, low=low, high=high)}
        found: JsonSchema = {"type": "string", _BYTES_MARK: True}
        if high is not None:
            return {**found, "pattern": patterns.ascii_text(low, high)}
        return {**found, "minLength": low} if low else found

    def url_schema(self, schema: core_schema.UrlSchema) -> JsonSchema:
        return _url(schema)

    def multi_host_url_schema(self, schema: core_schema.MultiHostUrlSchema) -> JsonSchema:
        return _url(schema)

    def uuid_schema(self, schema: core_schema.UuidSchema) -> JsonSchema:
        found = super().uuid_schema(schema)
        return (
            found if schema.get("version") is None else {"type": "string", "pattern": patterns.uuid(schema["version"])}
        )

    def complex_schema(self, schema: core_schema.ComplexSchema) -> JsonSchema:
        return _with_patterns({"type": "string"}, patterns.COMPLEX)

    def json_schema(self, schema: core_schema.JsonSchema) -> JsonSchema:
        raise InvalidInputError(f"no JSON Schema of this type: {_WITHOUT_FORM['json-string']}")

    def function_after_schema(self, schema: core_schema.AfterValidatorFunctionSchema) -> JsonSchema:
        """Refuses NewPath, which is described like Path and recognised only by its validator."""
        if schema["function"]["function"] is PathType.validate_new:
            raise _without_form("NewPath takes only files that do not exist yet, in folders that do; use Path")
        return super().function_after_schema(schema)

    def literal_schema(self, schema: core_schema.LiteralSchema) -> JsonSchema:
        """The schema of a `Literal`, without the values that no JSON text gives, such as an enum's member.

        Raises InvalidInputError if JSON gives none of the values.
        """
        read = [value for value in schema["expected"] if _is_read(schema, value)]
        if not read:
            raise InvalidInputError(f"no JSON value is read as any of {schema['expected']}; use the enum itself")
        return super().literal_schema({**schema, "expected": read})

    def enum_schema(self, schema: core_schema.EnumSchema) -> JsonSchema:
        """The schema of an enum. Raises InvalidInputError if a member can't be read from JSON, such as a tuple."""
        for member in schema["members"]:
            if not _is_read(schema, member):
                raise InvalidInputError(
                    f"no JSON value is read as {member}, which is {_plain(member)!r:.80}; give the members of an enum "
                    "strings or numbers as values"
                )
        return super().enum_schema(schema)

    def dict_schema(self, schema: core_schema.DictSchema) -> JsonSchema:
        values = self.generate_inner(schema["values_schema"]) if "values_schema" in schema else True
        found: JsonSchema = {"type": "object", "additionalProperties": values}
        if "keys_schema" in schema:
            names = self._names(schema["keys_schema"])
            if names:
                found["propertyNames"] = names
        for key, keyword in (("min_length", "minProperties"), ("max_length", "maxProperties")):
            if schema.get(key) is not None:
                found[keyword] = schema[key]  # type: ignore[literal-required]
        return found

    def _names(self, keys: core_schema.CoreSchema) -> JsonSchema:
        """The schema of strings that are read as keys."""
        described = self.resolve_ref_schema(self.generate_inner(keys))
        if "enum" in described or "const" in described:
            values = described.get("enum", [described.get("const")])
            names = [name for name in dict.fromkeys(map(_name, values)) if _reads_key(keys, name)]
            return {"enum": names}
        kind = described.get("type")
        if kind == "integer":
            return {"pattern": patterns.signed_integers(*_integer_bounds(described))}
        if kind == "number" and set(described) <= {"type", "title"}:
            return {"pattern": r"^(?:0|-?(?:[1-9][0-9]{0,14}(?:\.[0-9]{0,8}[1-9])?|0\.[0-9]{0,8}[1-9]))$"}
        if kind == "boolean":
            return {"enum": ["true", "false"]}
        if kind == "string" or (
            "anyOf" in described and all(one.get("type") == "string" for one in described["anyOf"])
        ):
            return {key: value for key, value in described.items() if key not in ("title", "description", _BYTES_MARK)}
        if not described:
            return {}
        raise InvalidInputError(
            f"no JSON Schema of a dict whose keys are {described}: use strings, integers or an enum"
        )

    def _common_set_schema(self, schema: core_schema.SetSchema | core_schema.FrozenSetSchema) -> JsonSchema:
        found = super()._common_set_schema(schema)
        if found.get("minItems", 0) > 1 and found["items"].get("format") == "uuid":
            found["items"] = {"type": "string", "pattern": patterns.uuid(None)}  # each UUID has one spelling
        return found


_BYTE_SIZE = r"^\s*(\d*\.?\d+)\s*(\w+)?"  # pattern of pydantic.ByteSize, which refuses text after a unit
_SIDES = ("ge", "gt", "le", "lt")
_ZULU = r"(?:\.[0-9]{1,9})?Z$"
_NO_ZONE = r"(?:\.[0-9]{1,9})?$"
_DECIMAL_BOUNDS = {"ge": "minimum", "gt": "exclusiveMinimum", "le": "maximum", "lt": "exclusiveMaximum"}


def _without_form(reason: str) -> InvalidInputError:
    return InvalidInputError(f"no JSON Schema of this type: {reason}")


def _bounds(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A core schema's bounds, by side."""
    return {side: schema[side] for side in _SIDES if schema.get(side) is not None}


def _with_patterns(schema: JsonSchema, *more: str) -> JsonSchema:
    return {**schema, "allOf": [*schema.get("allOf", []), *[{"pattern": one} for one in more]]}


def _between(schema: JsonSchema, lows: list[str], highs: list[str], end: str) -> JsonSchema:
    """Strings from all `lows` to all `highs`. end: pattern of the text after the compared part."""
    some = [f"^{patterns.at_least(low)}{end}" for low in lows] + [f"^{patterns.at_most(high)}{end}" for high in highs]
    return _with_patterns(schema, *some) if some else schema


def _shifted(moment: Any, by: dt.timedelta) -> Any:
    return None if moment is None else moment + by


def _seconds(bounds: Mapping[str, dt.datetime]) -> tuple[list[dt.datetime], list[dt.datetime]]:
    """The lowest and highest whole seconds, in UTC without zone, whose fractions all lie inside the bounds."""
    lows, highs = [], []
    second = dt.timedelta(seconds=1)
    for side, bound in bounds.items():
        moment = bound if bound.tzinfo is None else bound.astimezone(dt.UTC).replace(tzinfo=None)
        floor = moment.replace(microsecond=0)
        if side in ("ge", "gt"):
            lows.append(floor if side == "ge" and floor == moment else floor + second)
        else:
            highs.append(floor - second)
    return lows, highs


def _now_bounds(schema: Mapping[str, Any]) -> tuple[list[dt.datetime], list[dt.datetime]]:
    """The bounds of "past", ([latest], []), and of "future", ([], [earliest]), in UTC without zone."""
    now = dt.datetime.now(dt.UTC).replace(tzinfo=None, microsecond=0)
    apart = dt.timedelta(days=_DAYS_APART)
    which = schema.get("now_op")
    return [now - apart] if which == "past" else [], [now + apart] if which == "future" else []


def _clock(moment: dt.datetime) -> str:
    return moment.time().isoformat()


def _number(value: Any) -> int | float:
    return int(value) if value == int(value) else float(value)


def _is_exclusive(schema: JsonSchema) -> bool:
    return bool(schema.get("exclusiveMinimum") or schema.get("exclusiveMaximum"))


def _digits(digits: int, places: int | None) -> JsonSchema:
    """Numbers of at most `digits` digits, at most `places` of them after the point."""
    digits = min(digits, _FLOAT_DIGITS)
    most_places = digits if places is None else min(places, digits)
    options = []
    for after in range(most_places, -1, -1):
        edge = 10 ** (digits - after)
        options.append({"multipleOf": _number(10.0**-after), "exclusiveMinimum": -edge, "exclusiveMaximum": edge})
        if places is not None:
            break  # the integer part may have digits - places digits, however few places are used
    return options[0] if len(options) == 1 else {"anyOf": options}


def _url(schema: Mapping[str, Any]) -> JsonSchema:
    found: JsonSchema = {"type": "string", "pattern": patterns.url(schema.get("allowed_schemes"))}
    if schema.get("max_length") is not None and schema["max_length"] < _LONGEST_URL:
        found["maxLength"] = schema["max_length"]
    return found


_LONGEST_URL = 1200


def _plain(value: Any) -> Any:
    return getattr(value, "value", value)


def _is_read(schema: core_schema.LiteralSchema | core_schema.EnumSchema, value: Any) -> bool:
    """True if the value's own JSON form is read as the value."""
    try:
        return bool(SchemaValidator(schema).validate_json(to_json(_plain(value))) == value)
    except (ValidationError, TypeError, ValueError):
        return False


def _name(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _reads_key(keys: core_schema.CoreSchema, name: str) -> bool:
    try:
        SchemaValidator(core_schema.dict_schema(keys)).validate_json(json.dumps({name: 1}))
    except (ValidationError, SchemaError):
        return False
    return True


def _integer_bounds(schema: JsonSchema) -> tuple[int | None, int | None]:
    low, above = schema.get("minimum"), schema.get("exclusiveMinimum")
    high, below = schema.get("maximum"), schema.get("exclusiveMaximum")
    if "multipleOf" in schema:
        raise InvalidInputError("no JSON Schema of a dict whose keys are multiples of a number")
    return (low if above is None else above + 1), (high if below is None else below - 1)


_EMAIL: JsonSchema = {"pattern": patterns.EMAIL, "not": {"pattern": patterns.SPECIAL_DOMAIN}}
_BY_FORMAT: dict[str, JsonSchema] = {
    "email": _EMAIL,
    "name-email": _EMAIL,
    "ipvanyaddress": {"anyOf": [{"format": "ipv4"}, {"format": "ipv6"}]},
    "ipv4network": {"pattern": patterns.network(4)},
    "ipv6network": {"pattern": patterns.network(6)},
    "ipvanynetwork": {"anyOf": [{"pattern": patterns.network(4)}, {"pattern": patterns.network(6)}]},
    "ipv4interface": {"pattern": patterns.interface(4)},
    "ipv6interface": {"pattern": patterns.interface(6)},
    "ipvanyinterface": {"anyOf": [{"pattern": patterns.interface(4)}, {"pattern": patterns.interface(6)}]},
    **{f"uuid{version}": {"pattern": patterns.uuid(version)} for version in range(1, 9)},
}
"""Schemas for Pydantic's formats that JSON Schema lacks or reads more widely."""


def _refine(schema: Any) -> None:
    """Apply formats and lengths of unions everywhere in a schema, in place."""
    if not isinstance(schema, dict):
        return
    _refine_format(schema)
    for length, items, members in (
        ("minLength", "minItems", "minProperties"),
        ("maxLength", "maxItems", "maxProperties"),
    ):
        if length in schema and "type" not in schema and ("anyOf" in schema or "oneOf" in schema):
            schema.setdefault(items, schema[length])
            schema.setdefault(members, schema[length])
    for keyword in SHAPES.keys() & schema.keys():
        for _, part in held(schema[keyword], SHAPES[keyword]):
            _refine(part)


def _refine_format(schema: JsonSchema) -> None:
    if schema.get("pattern") == _BYTE_SIZE:
        schema["pattern"] = patterns.BYTE_SIZE
    is_bytes = schema.pop(_BYTES_MARK, False)
    form = schema.get("format")
    if form in _WITHOUT_FORM:
        raise _without_form(_WITHOUT_FORM[form])
    if form in ("base64", "base64url"):
        extra = "+/" if form == "base64" else "-_"
        del schema["format"]
        schema["pattern"] = patterns.base64(extra, is_text=not is_bytes)
    elif form in _BY_FORMAT:
        del schema["format"]
        schema.update(_BY_FORMAT[form])
