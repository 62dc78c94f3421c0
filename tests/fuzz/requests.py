"""Requests whose fields are multiplied and mutated: `python -m tests.fuzz.requests --seconds 3600 --seed 1`.

Valid bodies of all endpoints, in which values are repeated many times, nested, or replaced by ones of other types;
against the application in this process. No answer may be a 500, take longer than `MAX_S` of processor time, or let the
process grow by more than `MAX_GROWTH_MB`, once the server has given back what is free.
"""

from __future__ import annotations

import copy
import json
import os
import random
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx

from guided.server.memory import EVERY_S

from .command import Case, options, run

MAX_S = 15.0  # of processor time of the process: the limits of one request, 5 s, and what else runs in a suite of tests
MAX_GROWTH_MB = 600.0
HI = {"role": "user", "content": "the"}
SCHEMA = {"type": "object", "properties": {"a": {"enum": ["in", 1]}, "b": {"type": "string", "maxLength": 9}}}
TOOL = {"type": "function", "function": {"name": "f", "parameters": SCHEMA}}
FORMAT = {"type": "json_schema", "name": "a", "schema": SCHEMA}
NAMESPACE = {"type": "namespace", "name": "n", "tools": [{"type": "function", "name": "f", "parameters": SCHEMA}]}
GRAMMAR = {"syntax": "lark", "definition": 'start: "a" /[bc]+/ x?\nx: "(" x ")" | "d"'}
CUSTOM = {"type": "custom", "custom": {"name": "q", "format": {"type": "grammar", "grammar": GRAMMAR}}}
FLAT = {"type": "custom", "name": "q", "format": {"type": "grammar", "syntax": "regex", "definition": "(a|b){2,5}"}}
MORE_TOOLS = {"type": "additional_tools", "role": "developer", "tools": [FLAT]}
CUSTOM_CALL = {"type": "custom_tool_call", "call_id": "c", "name": "q", "input": "ab"}
CALL = {"type": "function_call", "call_id": "c", "namespace": "n", "name": "f", "arguments": '{"a": 1'}
RESULT = {"type": "function_call_output", "call_id": "c", "output": "1"}
BODIES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("/v1/chat/completions", {"messages": [HI], "max_tokens": 4, "stop": ["a"], "seed": 1, "n": 2}),
    ("/v1/chat/completions", {"messages": [HI], "max_tokens": 4, "bad_words": [[5, 6], "the"], "logit_bias": {"5": 1}}),
    ("/v1/chat/completions", {"messages": [HI], "max_tokens": 4, "logprobs": True, "logprob_token_ids": [1, 2]}),
    ("/v1/chat/completions", {"messages": [HI], "max_tokens": 4, "stop_regex": "(a|b)+c", "allowed_token_ids": [1, 2]}),
    ("/v1/chat/completions", {"messages": [HI], "max_tokens": 8, "tools": [TOOL], "tool_choice": "required"}),
    ("/v1/chat/completions", {"messages": [HI], "max_tokens": 8, "json_schema": SCHEMA}),
    ("/v1/chat/completions", {"messages": [HI], "max_tokens": 8, "tools": [CUSTOM, TOOL], "tool_choice": "required"}),
    ("/v1/chat/completions", {"messages": [{"role": "user", "content": [{"type": "text", "text": "a"}]}]}),
    ("/v1/completions", {"prompt": ["the", "a"], "max_tokens": 4, "choice": ["a", "b"]}),
    ("/v1/completions", {"prompt": [[5, 6], [7]], "max_tokens": 4, "regex": "(a|b){2,5}"}),
    ("/v1/responses", {"input": [HI], "max_output_tokens": 4}),
    ("/v1/responses", {"input": [HI, {"type": "item_reference", "id": "msg_1"}], "previous_response_id": "resp_1"}),
    ("/v1/responses", {"input": "the", "tools": [{"type": "web_search"}, NAMESPACE], "max_output_tokens": 9}),
    ("/v1/responses", {"input": [MORE_TOOLS, HI, CUSTOM_CALL], "max_output_tokens": 9, "tool_choice": "required"}),
    ("/v1/responses", {"input": [HI, CALL, RESULT], "reasoning": {"effort": "low", "summary": "auto"}, "store": True}),
    ("/v1/responses", {"input": "the", "text": {"format": FORMAT, "verbosity": "low"}, "max_output_tokens": 9}),
    ("/v1/messages", {"messages": [HI], "max_tokens": 4, "system": [{"type": "text", "text": "a"}]}),
    ("/v1/messages", {"messages": [HI], "max_tokens": 8, "output_config": {"effort": "low", "format": FORMAT}}),
    ("/v1/messages/count_tokens", {"messages": [HI], "tools": [{"name": "f", "input_schema": SCHEMA}]}),
    ("/v1/tokenize", {"prompt": "the and", "return_token_strs": True}),
    ("/v1/detokenize", {"tokens": [1, 2, 3]}),
    ("/v1/score", {"prompt": "the", "choices": ["a", "b"]}),
    ("/v1/grammar/check", {"regex": "(a|b)*c", "documents": ["abc", "d"]}),
    ("/v1/grammar/match", {"json_schema": SCHEMA, "text": '{"a": 1'}),
    ("/v1/grammar/match", {"ebnf": 'root ::= "(" root ")" | "a"', "dialect": "gbnf", "text": "((a"}),
    ("/v1/grammar/sample", {"json_schema": SCHEMA, "num": 2, "seed": 1, "max_bytes": 40}),
    ("/v1/workbench/steps", {"prompt": "the", "json_schema": SCHEMA, "max_tokens": 4, "num_top": 2}),
    ("/v1/workbench/steps", {"prompt": "the", "max_tokens": 4, "prefix_token_ids": [5, 6], "max_answer_tokens": 9}),
)
COUNTS = (0, 1, 2, 17, 300, 5_000, 60_000, 300_000)
STRANGE: tuple[Any, ...] = (
    *(None, True, 0, -1, 1.5, 10**30, 1e308, "", "a", "\u0000", "<|im_end|>", "\u20ac" * 50, [], {}, [[]], [{}]),
    *({"type": "text"}, {"$ref": "#"}, "(a|aa)+$", "(.{1,50}x){1,20}y", "a{1000000}", {"anyOf": [True, False]}),
)
MAX_BODY_BYTES = 4_200_000


def make(rng: random.Random) -> tuple[str, Any]:
    """A path, and a body with some changes."""
    path, body = rng.choice(BODIES)
    body = {"model": "tiny", **copy.deepcopy(body)}
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        _mutate(body, rng)
    return path, body


def _mutate(body: Any, rng: random.Random) -> None:
    places = list(_places(body))
    if not places:
        return
    holder, key = rng.choice(places)
    value = holder[key]
    change = rng.choice((_repeat, _repeat, _nest, _replace, _fill))
    holder[key] = change(value, rng)


def _places(value: Any, depth: int = 0) -> Iterator[tuple[Any, Any]]:
    """Every place of a value in its holder, but the model's name; of long lists the first."""
    if depth > 6:
        return
    keys = list(value)[:5] if isinstance(value, dict) else range(min(3, len(value))) if isinstance(value, list) else ()
    for key in keys:
        if key != "model":
            yield value, key
            yield from _places(value[key], depth + 1)


def _repeat(value: Any, rng: random.Random) -> Any:
    """A text or a list many times as long, an object with many members, anything else as a long list of it."""
    count = rng.choice(COUNTS)
    if isinstance(value, str):
        return value * min(count, MAX_BODY_BYTES // max(1, len(value)))
    if isinstance(value, list):
        return (value or [[]]) * min(count, 300_000 // max(1, len(value)))
    if isinstance(value, dict) and value:
        some = next(iter(value.values()))
        return {**value, **{f"{number}": some for number in range(min(count, 60_000))}}
    return [value] * count


def _nest(value: Any, rng: random.Random) -> Any:
    depth = rng.choice((1, 5, 50, 550, 2_000))
    for _ in range(depth):
        value = [value] if rng.random() < 0.5 else {"a": value}
    return value


def _replace(value: Any, rng: random.Random) -> Any:
    return copy.deepcopy(rng.choice(STRANGE))


def _fill(value: Any, rng: random.Random) -> Any:
    """A list of strange values."""
    return [copy.deepcopy(rng.choice(STRANGE))] * rng.choice(COUNTS)


def text_of(body: Any) -> bytes | None:
    """The body as it is sent; None where it is too large or too deep to be written."""
    try:
        if _size(body, {}) > MAX_BODY_BYTES:
            return None
        text = json.dumps(body, separators=(",", ":")).encode()
    except RecursionError:
        return None
    return text if len(text) <= MAX_BODY_BYTES else None


def _size(value: Any, known: dict[int, int]) -> int:
    """About the characters of a value as JSON. known: sizes by id, as the same list may stand in it very often."""
    if isinstance(value, str):
        return len(value) + 2
    if not isinstance(value, dict | list):
        return 2
    if id(value) not in known:
        parts = value.values() if isinstance(value, dict) else value
        known[id(value)] = 2 + sum(_size(part, known) + 1 for part in parts)
    return known[id(value)]


class Requests:
    """Looks at the answers to random requests. http: a client of an application in this process."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self._memory_mb = memory_mb()

    def look(self, case: Case) -> list[str]:
        """What is wrong with the answer to a request, which counts by its status."""
        path, body = make(case.rng)
        content = text_of(body)
        if content is None:
            return []
        begun_s = time.process_time()
        status = self._status(path, content)
        took_s = time.process_time() - begun_s
        case.counts[f"answers of {status}"] += 1
        wrong = [f"answered {status}"] if status in (0, 500) else []
        wrong += [f"took {took_s:.1f} s"] if took_s > MAX_S else []
        if self._has_grown():
            time.sleep(EVERY_S + 1)  # what is only free goes back by then
        if self._has_grown():
            self._memory_mb = memory_mb()
            wrong += [f"grew to {self._memory_mb:.0f} MB"]
        return [f"{path} {', '.join(wrong)}: {content[:300].decode('utf-8', 'replace')}"] if wrong else []

    def _has_grown(self) -> bool:
        return memory_mb() > self._memory_mb + MAX_GROWTH_MB

    def _status(self, path: str, content: bytes) -> int:
        """The answer's status; 0 where none came in time."""
        try:
            return self._http.post(path, content=content, headers={"content-type": "application/json"}).status_code
        except httpx.TimeoutException:
            return 0


def small_app(folder: Path) -> Any:
    """An application of the model in a folder, with limits on grammars that fit into `MAX_S`."""
    from guided.grammars.limits import Limits
    from guided.llm import LLM
    from guided.server import create_app

    limits = Limits(max_compile_seconds=2.0, max_mask_seconds=1.0, max_text_seconds=2.0)
    return create_app(LLM(str(folder), limits=limits), served_model_name="tiny")


def memory_mb() -> float:
    """What this process has resident."""
    pages = Path("/proc/self/statm").read_text(encoding="ascii").split()[1]
    return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    """Fuzz a server of the tiny model; the exit code is 1 where something was wrong."""
    import tempfile

    from tests.guided.tiny_model import make_tiny_model
    from tests.server.live_server import serving

    asked = options(__doc__ or "").parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(small_app(make_tiny_model(Path(folder)))) as url,
        httpx.Client(base_url=url, timeout=120) as http,
    ):
        run(Requests(http).look, asked)


if __name__ == "__main__":
    main()
