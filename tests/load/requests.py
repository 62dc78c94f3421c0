"""The requests of the load test's clients, each with what its answer must be."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import jsonschema

MODEL = "embedded"
CHAT, COMPLETIONS, MESSAGES = "/v1/chat/completions", "/v1/completions", "/v1/messages"
TEXTS = (
    "Ada Holm is 36 years old and lives in Oslo.",
    "Order 4711: 3 chairs at 49.90 EUR each, to be shipped on Monday.",
    "The meeting of the climbing club is on 12 May at 18:30 in the town hall.",
    "Write one sentence about rain.",
)
NAMES = ("name", "age", "city", "price", "items", "date", "total", "ok")
LEAVES: tuple[dict[str, Any], ...] = (
    {"type": "string", "maxLength": 12},
    {"type": "integer", "minimum": 0, "maximum": 999},
    {"type": "boolean"},
    {"type": "number"},
    {"enum": ["red", "green", None]},
    {"type": "array", "items": {"type": "integer"}, "maxItems": 3},
)
REGEXES = (r"[0-9]{4}-(0[1-9]|1[0-2])-[0-3][0-9]", r"(yes|no|perhaps)( please)?", r"[A-Z][a-z]{2,8}( [A-Z][a-z]{2,8})*")
CHOICES = ("positive", "negative", "neutral", "can't say")

Verdict = str | None  # what is wrong with an answer; None: nothing


@dataclass(frozen=True)
class LoadRequest:
    """One request. kind: for the table. check: the verdict on the text of a 200 with its finish reason.

    statuses: that are right beside 200 (or instead, where `is_invalid`). read_events: of a stream, after which the
    client leaves; None reads all. key: of requests whose text must always be the same; None: it may be any that passes.
    """

    kind: str
    path: str
    body: dict[str, Any]
    check: Callable[[str, str], Verdict] = lambda text, finish_reason: None
    statuses: tuple[int, ...] = ()
    is_invalid: bool = False
    read_events: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    key: str | None = None


def chat(text: str, **fields: Any) -> dict[str, Any]:
    """A chat completion's body."""
    return {"model": MODEL, "messages": [{"role": "user", "content": text}]} | fields


def random_request(random_: random.Random) -> LoadRequest:
    """One of any kind."""
    return random_.choices([*MAKERS], [*MAKERS.values()])[0](random_)


def _schema(random_: random.Random) -> LoadRequest:
    names = random_.sample(NAMES, random_.randint(1, 5))
    schema = {
        "type": "object",
        "properties": {name: random_.choice(LEAVES) for name in names},
        "required": names,
        "additionalProperties": False,
    }
    response_format = {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}}
    body = chat(random_.choice(TEXTS), response_format=response_format, **_drawing(random_), **_stream(random_))

    def check(text: str, finish_reason: str) -> Verdict:
        try:
            jsonschema.validate(json.loads(text), schema)
        except (ValueError, jsonschema.ValidationError) as error:
            return f"{text!r} does not fit its schema: {str(error).splitlines()[0]}"
        return _known_end(finish_reason)

    return LoadRequest("schema", CHAT, body | {"max_tokens": random_.randint(120, 200)}, check)


def _regex(random_: random.Random) -> LoadRequest:
    pattern = random_.choice(REGEXES)
    body = chat(random_.choice(TEXTS), regex=pattern, max_tokens=60, **_drawing(random_), **_stream(random_))
    return LoadRequest("regex", CHAT, body, lambda text, end: _matches(pattern, text) or _known_end(end))


def _choice(random_: random.Random) -> LoadRequest:
    body = chat(random_.choice(TEXTS), choice=list(CHOICES), **_drawing(random_), **_stream(random_))
    return LoadRequest(
        "choice", CHAT, body, lambda text, end: None if text in CHOICES else f"{text!r} is none of the choices"
    )


def _free(random_: random.Random) -> LoadRequest:
    body = chat(random_.choice(TEXTS), max_tokens=random_.randint(1, 60), **_drawing(random_), **_stream(random_))
    return LoadRequest("free", CHAT, body, lambda text, end: _known_end(end))


def _anthropic(random_: random.Random) -> LoadRequest:
    body = chat(random_.choice(TEXTS), max_tokens=random_.randint(1, 40), **_stream(random_))
    return LoadRequest("messages", MESSAGES, body, lambda text, end: _known_end(end, ("end_turn", "max_tokens")))


def _completion(random_: random.Random) -> LoadRequest:
    body = {"model": MODEL, "prompt": random_.choice(TEXTS), "max_tokens": 20, "n": 2, **_stream(random_)}
    return LoadRequest("completions", COMPLETIONS, body, lambda text, end: _known_end(end))


def _repeatable(random_: random.Random) -> LoadRequest:
    """The same seed, the same text, whatever runs beside it."""
    seed = random_.randint(0, 3)
    text = random_.choice(TEXTS)
    body = chat(text, regex=r"[a-z]{3,8}( [a-z]{3,8}){3}", max_tokens=60, seed=seed, temperature=0.8)
    return LoadRequest("seeded", CHAT, body | _stream(random_), key=f"{seed} {text}")


def _cancelled(random_: random.Random) -> LoadRequest:
    body = chat(random_.choice(TEXTS), max_tokens=300, ignore_eos=True, stream=True)
    return LoadRequest("cancelled", CHAT, body, read_events=random_.randint(0, 20))


def _late(random_: random.Random) -> LoadRequest:
    headers = {"x-request-timeout": str(round(random_.uniform(0.01, 0.5), 3))}
    body = chat(random_.choice(TEXTS), max_tokens=300, ignore_eos=True)
    return LoadRequest("deadline", CHAT, body, statuses=(504,), headers=headers)


INVALID: tuple[tuple[str, dict[str, Any], int], ...] = (
    (CHAT, {}, 400),
    (CHAT, chat("x", max_tokens=0), 400),
    (CHAT, chat("x", temperature=-1), 400),
    (CHAT, chat("x", regex="("), 400),
    (CHAT, chat("x", guided_json={"type": "strin"}), 400),
    (CHAT, chat("x", guided_json={"not": {}}), 400),
    (CHAT, chat("x", model="other"), 404),
    (CHAT, chat("x " * 3000), 400),
    (CHAT, chat("x", user="x" * 5_000_000), 413),
    (MESSAGES, chat("x"), 400),
    ("/v1/nothing", {}, 404),
)


def _invalid(random_: random.Random) -> LoadRequest:
    path, body, status = random_.choice(INVALID)
    return LoadRequest("invalid", path, body, statuses=(status,), is_invalid=True)


def _drawing(random_: random.Random) -> dict[str, Any]:
    return random_.choice(({}, {"temperature": 0}, {"temperature": 1.5, "top_p": 0.9}, {"top_k": 20, "seed": 3}))


def _stream(random_: random.Random) -> dict[str, Any]:
    return {"stream": True} if random_.random() < 0.5 else {}


def _matches(pattern: str, text: str) -> Verdict:
    return None if re.fullmatch(pattern, text) else f"{text!r} does not match {pattern}"


def _known_end(finish_reason: str, known: tuple[str, ...] = ("stop", "length")) -> Verdict:
    return None if finish_reason in known else f"the finish reason is {finish_reason!r}"


def _other(random_: random.Random) -> LoadRequest:
    """Responses, tools, long prompts with several outputs, and endpoints that generate nothing."""
    name = "".join(random_.choices("abcdefgh", k=8))
    schema = {"type": "object", "properties": {name: random_.choice(LEAVES)}, "required": [name]}
    words = " ".join(str(random_.random()) for _ in range(random_.randint(1, 60)))
    tool = {"type": "function", "function": {"name": name, "parameters": schema}}
    asked: tuple[tuple[str, dict[str, Any]], ...] = (
        ("/v1/responses", {"model": MODEL, "input": words, "max_output_tokens": 20}),
        (CHAT, chat(words, tools=[tool], tool_choice="required", max_tokens=200)),
        (CHAT, chat(words, n=random_.choice((1, 4)), max_tokens=20)),
        ("/v1/tokenize", {"prompt": words}),
        ("/v1/grammar/check", {"regex": f"{name}|[a-z]{{1,{random_.randint(2, 99)}}}", "documents": [name, "0"]}),
        ("/v1/grammar/match", {"json_schema": schema, "text": '{"x":'}),
        ("/v1/grammar/sample", {"ebnf": f'root ::= "{name}" | "(" root ")"', "num": 3}),
    )
    return LoadRequest("other", *random_.choice(asked))


MAKERS: dict[Callable[[random.Random], LoadRequest], int] = {
    _schema: 6,
    _regex: 3,
    _choice: 2,
    _free: 3,
    _anthropic: 2,
    _completion: 2,
    _repeatable: 3,
    _cancelled: 3,
    _late: 1,
    _invalid: 3,
    _other: 3,
}
"""Each kind with its weight."""
