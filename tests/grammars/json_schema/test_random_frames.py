"""Random schemas: the frames agree with the `jsonschema` library on random values, keys in any order."""

from __future__ import annotations

import random

import pytest
from jsonschema import Draft202012Validator

from guided.grammars.errors import InvalidSchemaError
from guided.grammars.json_schema.document import Document
from guided.grammars.json_schema.translate import compile_schema
from guided.grammars.limits import Limits

from .frame_walk import accepts
from .random_schemas import SchemaMaker, mutated, random_value

NUM_SCHEMAS = 60


@pytest.mark.parametrize("seed", range(NUM_SCHEMAS))
def test_frames_agree_with_jsonschema(seed: int) -> None:
    rng = random.Random(seed)
    schema = SchemaMaker(rng).document()
    validator = Draft202012Validator(schema, format_checker=Draft202012Validator.FORMAT_CHECKER)
    try:
        compiled = compile_schema(schema, resources=None, limits=Limits())
    except InvalidSchemaError as error:
        if "leads back to this schema" not in str(error):
            raise
        return
    document = Document(compiled.formula, any_order=True)
    is_satisfiable = document.is_satisfiable(compiled.formula)
    values = [random_value(rng) for _ in range(25)]
    for _ in range(60):
        values.append(mutated(rng, rng.choice(values)))
    for value in values:
        is_valid = validator.is_valid(value)
        assert not (is_valid and not is_satisfiable), (schema, value)
        if is_satisfiable:
            assert accepts(document, value) == is_valid, (schema, value, is_valid)
