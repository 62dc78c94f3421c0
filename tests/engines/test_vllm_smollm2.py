"""SmolLM2 in vLLM beside our own engine, with the same weights: skipped if it is not in the cache."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from guided import LLM, Completion, SamplingParams
from guided.models.known import fetched_file
from tests.real.schemas import SCHEMAS

MODEL = "smollm2"
PROMPT = "A short example of such a JSON document:"


def written(llm: LLM) -> list[Completion]:
    """The greedy text under each schema."""
    params = [SamplingParams(temperature=0, max_new_tokens=40, json_schema=schema) for schema in SCHEMAS]
    return [llm.generate(PROMPT, one) for one in params]


def test_greedy_texts_under_twenty_schemas_are_ours() -> None:
    if not fetched_file(MODEL).is_file():
        pytest.skip(f"{MODEL} is not in the cache: guided model {MODEL}")
    arguments: dict[str, Any] = {"enforce_eager": True, "max_model_len": 512}
    with LLM(MODEL, dtype="float32") as own:
        ours = written(own)
    with LLM(MODEL, dtype="float32", engine="vllm", engine_args=arguments) as vllm:
        theirs = written(vllm)
    for mine, other, schema in zip(ours, theirs, SCHEMAS, strict=True):
        assert (other.text, other.token_ids) == (mine.text, mine.token_ids), schema
        assert mine.finish_reason == "stop"
        # "length" if the budget excluded any token, since the plug-in does not know which one the model wanted
        assert other.finish_reason in ("stop", "length")
        jsonschema.validate(json.loads(mine.text), schema)
