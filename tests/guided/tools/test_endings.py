"""Where an answer of calls ends: a model that wants to talk or repeats itself is not driven to further calls."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from guided.grammars.compile import compile_grammar
from guided.output.builder import CompletionBuilder
from guided.output.completion import Completion
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest
from guided.tools import Tool, ToolUse
from guided.tools.families import FAMILIES
from guided.tools.plan import plan_tools
from tests.guided.processors.thinking_model import ScriptedEngine, scripted_engine

HERMES = FAMILIES["hermes"]

CITY = {"type": "object", "properties": {"city": {"enum": ["Oslo", "Bern"]}}, "required": ["city"]}
TOOLS = (Tool("weather", None, CITY), Tool("time"))
OSLO = '<tool_call>\n{"name": "weather", "arguments": {"city": "Oslo"}}\n</tool_call>'
BERN = OSLO.replace("Oslo", "Bern")


@pytest.fixture(scope="module")
def engine(tiny_model_folder: Path) -> ScriptedEngine:
    return scripted_engine(tiny_model_folder, lambda output: 0, has_thinking_tokens=False)


def answer(engine: ScriptedEngine, wanted: str, use: ToolUse, max_new_tokens: int = 600) -> Completion:
    """What comes of a model that wants to write a text again and again, byte by byte."""
    end = min(engine.vocabulary.eos_token_ids)
    ids = {token: token_id for token_id, token in enumerate(engine.vocabulary.tokens) if token and len(token) == 1}

    def policy(output: Sequence[int]) -> int:
        said = engine.vocabulary.join(list(output)).decode("utf-8", "replace")
        if wanted.endswith("$") and said.startswith(wanted[:-1]):
            return end
        cycle = wanted.removesuffix("$")
        return ids[(cycle[len(said) % len(cycle)]).encode()]

    engine.policy = policy
    plan = plan_tools(use, SamplingParams(temperature=0, max_new_tokens=max_new_tokens), HERMES, "spaced")
    assert plan is not None
    grammar = compile_grammar(engine.vocabulary, structural_tag=plan.params.structural_tag)
    request = PromptRequest([70], plan.params, grammar)
    builder = CompletionBuilder(engine.vocabulary, request, 0, plan.new_reader())
    for event in engine.run([request]):
        builder.add(event)
    return builder.result()


def cities(completion: Completion) -> list[str]:
    return [json.loads(call.arguments)["city"] for call in completion.tool_calls]


@pytest.mark.parametrize("choice", ["required", "auto"])
def test_a_model_that_repeats_itself(engine: ScriptedEngine, choice: str) -> None:
    """Before: the same call to the end of max_new_tokens, which is finish_reason "length"."""
    done = answer(engine, f"{OSLO}\n{BERN}\n", ToolUse(TOOLS, choice))  # type: ignore[arg-type]
    assert (cities(done), done.finish_reason, done.text) == (["Oslo", "Bern"], "stop", "")
    assert len(done.token_ids) < 3 * len(OSLO)
    again = answer(engine, f"{OSLO}\n{BERN}\n", ToolUse(TOOLS, choice, may_repeat=True))  # type: ignore[arg-type]
    assert len(again.tool_calls) > 3


@pytest.mark.parametrize("behind", ["$", "\n$", "\nIt is cold.$", " " * 50, "\n<tool_cart>"])
def test_a_model_that_has_said_what_it_wants(engine: ScriptedEngine, behind: str) -> None:
    """Before: only a further call could follow the line break, so there was one."""
    done = answer(engine, OSLO + behind, ToolUse(TOOLS, "required"))
    assert (cities(done), done.finish_reason, done.text) == (["Oslo"], "stop", "")
    assert len(done.token_ids) <= len(OSLO) + 20


@pytest.mark.parametrize("num_cut", range(0, 70, 7))
def test_at_the_limit(engine: ScriptedEngine, num_cut: int) -> None:
    """A budget that ends in the second call: it is closed in time, or none of it shows, and the answer is cut."""
    text = f"{OSLO}\n{BERN}"
    done = answer(engine, text + "$", ToolUse(TOOLS[:1], "required"), max_new_tokens=len(text) - num_cut)
    is_cut = num_cut > 0
    assert (done.finish_reason, done.closed_in_budget) == ("length" if is_cut else "stop", is_cut)
    assert cities(done) in (["Oslo", "Bern"], ["Oslo"])
