"""One client of the load test: sends requests one after the other and judges what comes back."""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

import httpx

from .requests import COMPLETIONS, MESSAGES, LoadRequest

RETRIED = (429, 503)


@dataclass
class Outcome:
    """What all clients saw together.

    counts: (kind, what happened) -> how often. seconds: kind -> durations of complete answers. wrong: what must not be.
    texts: of requests that must always give the same one.
    """

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    wrong: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)

    def note(self, request: LoadRequest, what: str) -> None:
        """Count it."""
        self.counts[request.kind, what] += 1

    def refute(self, request: LoadRequest, why: str) -> None:
        """It must not be."""
        self.note(request, "WRONG")
        self.wrong.append(f"{request.kind} {request.path} {json.dumps(request.body)[:300]}: {why}")


async def send(http: httpx.AsyncClient, request: LoadRequest, outcome: Outcome) -> None:
    """Send one request and judge the answer."""
    start_s = time.monotonic()
    async with http.stream("POST", request.path, json=request.body, headers=request.headers) as response:
        if response.status_code != 200:
            _judge_error(request, response.status_code, await response.aread(), outcome)
            return
        if request.read_events is not None:
            await _read_some(response, request.read_events)
            outcome.note(request, "left")
            return
        is_stream = response.headers["content-type"].startswith("text/event-stream")
        answer = await (_read_stream if is_stream else _read_whole)(response, request)
    _judge(request, answer, outcome)
    outcome.seconds[request.kind].append(time.monotonic() - start_s)


async def _read_some(response: httpx.Response, num_events: int) -> None:
    async for _ in _events(response):
        num_events -= 1
        if num_events < 0:
            return


async def _read_whole(response: httpx.Response, request: LoadRequest) -> tuple[str, str]:
    """Text and finish reason of the first output."""
    body = json.loads(await response.aread())
    if request.path == MESSAGES:
        return "".join(block.get("text", "") for block in body["content"]), body["stop_reason"]
    if "choices" not in body:
        return json.dumps(body), ""
    choice = body["choices"][0]
    text = choice["text"] if request.path == COMPLETIONS else choice["message"]["content"]
    return text, choice["finish_reason"]


async def _read_stream(response: httpx.Response, request: LoadRequest) -> tuple[str, str]:
    """The same of a stream; finish reason "cut off" where the end is missing."""
    text, finish_reason, is_ended = "", "cut off", False
    async for event in _events(response):
        if event == "[DONE]":
            is_ended = True
            continue
        data = json.loads(event)
        if "error" in data:
            return text, data["error"].get("code") or data["error"]["type"]
        if request.path == MESSAGES:
            text += data.get("delta", {}).get("text", "")
            finish_reason = data.get("delta", {}).get("stop_reason") or finish_reason
            is_ended = data["type"] == "message_stop"
            continue
        for choice in data["choices"]:
            if choice["index"] == 0:
                text += _delta(choice, request)
                finish_reason = choice["finish_reason"] or finish_reason
    return text, finish_reason if is_ended else "cut off"


def _delta(choice: dict[str, Any], request: LoadRequest) -> str:
    piece = choice["text"] if request.path == COMPLETIONS else choice["delta"].get("content")
    return piece or ""


async def _events(response: httpx.Response) -> AsyncIterator[str]:
    async for line in response.aiter_lines():
        if line.startswith("data: "):
            yield line.removeprefix("data: ")


def _judge(request: LoadRequest, answer: tuple[str, str], outcome: Outcome) -> None:
    text, finish_reason = answer
    if request.is_invalid:
        outcome.refute(request, f"was answered: {text[:100]!r}")
        return
    if finish_reason == "deadline_exceeded" and 504 in request.statuses:
        outcome.note(request, "deadline")
        return
    verdict = request.check(text, finish_reason)
    if verdict is None and request.key is not None and outcome.texts.setdefault(request.key, text) != text:
        verdict = f"{text!r} is another text than before, {outcome.texts[request.key]!r}"
    if verdict is not None:
        outcome.refute(request, verdict)
        return
    outcome.note(request, "right")


def _judge_error(request: LoadRequest, status: int, content: bytes, outcome: Outcome) -> None:
    try:
        message = json.loads(content)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        outcome.refute(request, f"status {status} without an error's body: {content[:200]!r}")
        return
    if status in RETRIED:
        outcome.note(request, f"busy {status}")
    elif status in request.statuses:
        outcome.note(request, f"refused {status}")
    else:
        outcome.refute(request, f"status {status}: {message}")
