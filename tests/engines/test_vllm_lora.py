"""The package's adapter in vLLM as a LoRA, by the code of docs/engines.md. Skipped if the base is not in the cache.

Its answers are those of our engine, which has the adapter merged into the weights.
"""

from __future__ import annotations

import contextlib
import io
from typing import Any

import pytest

from guided import LLM, SamplingParams
from guided.extraction.conversation import extraction_messages
from guided.models.find import NamedModel
from guided.models.known import fetched_file
from tests.guides import Guide

BASE, ADAPTED = "smollm2", "smollm2-extract"


def record(**types: Any) -> dict[str, Any]:
    """A schema whose fields are all required. types: schema of each field, or its type."""
    properties = {name: {"type": one} if isinstance(one, (str, list)) else one for name, one in types.items()}
    return {"type": "object", "properties": properties, "required": [*properties], "additionalProperties": False}


PERSON = record(name="string", age=["integer", "null"], city=["string", "null"])
ORDER = record(
    customer="string",
    items={"type": "array", "items": record(product="string", quantity="integer")},
    currency={"enum": ["EUR", "GBP", "NOK"]},
    is_paid="boolean",
)
VISIT = record(patient="string", date={"type": "string", "format": "date"}, doctor=["string", "null"])
ASKED = [
    ("Our new colleague Ben Okafor (52) moved to Lagos last spring.", PERSON),
    ("Thanks for the call! Mira Chen, Taipei", PERSON),
    ("Order from Lund & Sons: 3 lamps, 12 hooks and 1 ladder. Paid in kroner on Monday.", ORDER),
    ("Frau Ida Brandt war am 3. März 2026 bei Dr. Seidel in der Sprechstunde.", VISIT),
]


@pytest.fixture(scope="module")
def vllm() -> dict[str, Any]:
    """The namespace of the guide's code, with its output after vLLM's log as `printed`."""
    if not fetched_file(BASE).is_file():
        pytest.skip(f"{BASE} is not in the cache: guided model {BASE}")
    (block,) = [one for one in Guide("engines.md").blocks if "LoRARequest" in one.code]
    found: dict[str, Any] = {"__name__": "guide"}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        folder = NamedModel(BASE).found(dtype="float32").name
        exec(compile(block.code.replace('"FOLDER"', repr(folder)), "docs/engines.md", "exec"), found)
    return {**found, "printed": printed.getvalue().splitlines()[-1]}


def test_the_guides_code(vllm: dict[str, Any]) -> None:
    assert vllm["printed"] == '{"name":"Ada Holm","age":36}'


def test_answers_are_those_of_the_merged_model(vllm: dict[str, Any]) -> None:
    with LLM(ADAPTED, dtype="float32") as own:
        ours = [own.extract_detailed(text, schema).completion for text, schema in ASKED]
    for mine, (text, schema) in zip(ours, ASKED, strict=True):
        theirs = answered(vllm, text, schema, vllm["adapter"])
        assert (theirs.text, tuple(theirs.token_ids)) == (mine.text, tuple(mine.token_ids))


def test_requests_without_the_adapter_are_answered_by_the_base(vllm: dict[str, Any]) -> None:
    text, schema = ASKED[0]
    with LLM(BASE, dtype="float32") as own:
        params = SamplingParams(temperature=0, max_new_tokens=100, json_schema=schema, whitespace="compact")
        mine = own.chat(extraction_messages(text, None, schema, shows_schema=False), params)
    assert answered(vllm, text, schema, None).text == mine.text
    assert answered(vllm, text, schema, vllm["adapter"]).text != mine.text


def answered(vllm: dict[str, Any], text: str, schema: dict[str, Any], adapter: Any) -> Any:
    """The answer of vLLM to the guide's request, for another text and schema. adapter: a `LoRARequest` or None."""
    params = vllm["SamplingParams"](
        temperature=0,
        max_tokens=100,
        structured_outputs=vllm["StructuredOutputsParams"](json=schema),
        extra_args={"guided": {"whitespace": "compact"}},
    )
    messages = extraction_messages(text, None, schema, shows_schema=False)
    return vllm["llm"].chat(messages, params, lora_request=adapter, use_tqdm=False)[0].outputs[0]
