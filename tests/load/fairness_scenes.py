"""What a small request waits for its tokens while others' grammars compile: in the library, in an LLM, over HTTP."""

from __future__ import annotations

import gc
import itertools
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx

from guided.grammars.bitset import allocate_bitmask, allowed_token_ids
from guided.grammars.compile import compile_grammar
from guided.grammars.errors import GuidedError
from guided.grammars.vocabulary import Vocabulary

from .delays import Delays
from .hostile_grammars import Arguments, hostile_grammars, response_fields
from .requests import CHAT, chat
from .server_process import ServerProcess

NUM_CLIENTS = 8
FORWARD_S = 0.004  # what stands for a model's pass where there is none
NUM_TOKENS = 60
NUM_READY = 64
Probe = Callable[[float], Delays]
"""A small request again and again, for so many seconds."""

_numbers = itertools.count()


def small_schema() -> dict[str, Any]:
    """Another one each time."""
    fields = {"name": {"type": "string", "maxLength": 200}, f"f{next(_numbers)}": {"type": "integer"}}
    return {"type": "object", "properties": fields, "required": ["name"]}


@contextmanager
def library(vocabulary: Vocabulary, seed: int, size: float) -> Iterator[tuple[Probe, Probe]]:
    """A matcher steps while threads compile and make the first mask: the probe alone, and beside them."""
    bitmask, rng = allocate_bitmask(1, vocabulary.size), random.Random(seed)

    def text(delays: Delays) -> None:
        delays.begin()
        matcher = compile_grammar(vocabulary, json_schema=small_schema(), cache=None).matcher()
        for _ in range(NUM_TOKENS):
            time.sleep(FORWARD_S)
            matcher.fill_bitmask(bitmask)
            assert matcher.accept_token(int(rng.choice(allowed_token_ids(bitmask[0], vocabulary.size))))
            delays.note()
            if matcher.is_terminated():
                return

    def attack(arguments: Arguments, stop: threading.Event) -> None:
        matcher = compile_grammar(vocabulary, cache=None, cancel=stop, **arguments).matcher()
        matcher.fill_bitmask(allocate_bitmask(1, vocabulary.size))

    yield _repeated(text), _beside(_repeated(text), attack, seed, size)


@contextmanager
def llm(seed: int, size: float) -> Iterator[tuple[Probe, Probe]]:
    """An LLM writes while threads compile for its vocabulary."""
    from guided import LLM, SamplingParams

    with LLM() as model:

        def text(delays: Delays) -> None:
            delays.begin()
            params = SamplingParams(json_schema=small_schema(), max_new_tokens=NUM_TOKENS)
            for _ in model.stream("Tell me", params):
                delays.note()

        def attack(arguments: Arguments, stop: threading.Event) -> None:
            model.generate("x", SamplingParams(max_new_tokens=2, **arguments))

        yield _repeated(text), _beside(_repeated(text), attack, seed, size)


@contextmanager
def http(seed: int, size: float) -> Iterator[tuple[Probe, Probe]]:
    """A streamed chat of a server in a process of its own; the clients are in another one."""
    with (
        ServerProcess("--kv-cache-tokens", "16384", is_watched=Delays.causes is not None) as server,
        httpx.Client(base_url=server.url, timeout=100) as client,
    ):

        def text(delays: Delays) -> None:
            body = chat(
                "Tell me", stream=True, max_tokens=NUM_TOKENS, **response_fields({"json_schema": small_schema()})
            )
            delays.begin()
            with client.stream("POST", CHAT, json=body) as answer:
                answer.raise_for_status()
                for line in answer.iter_lines():
                    if '"content":"' in line:
                        delays.note()

        def beside(seconds: float) -> Delays:
            command = [sys.executable, "-m", __name__, server.url, str(seed), str(size)]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL) as clients:
                try:
                    time.sleep(1.0)  # until they have come
                    return _repeated(text)(seconds)
                finally:
                    clients.kill()

        yield _repeated(text), beside
        if Delays.causes is not None:
            server.stop()
            Delays.causes.report(server.looks())


def _repeated(text: Callable[[Delays], None]) -> Probe:
    def probe(seconds: float) -> Delays:
        delays, end = Delays(), time.monotonic() + seconds
        while time.monotonic() < end:
            text(delays)
        return delays

    return probe


def _beside(probe: Probe, attack: Callable[[Arguments, threading.Event], None], seed: int, size: float) -> Probe:
    """The probe while so many threads attack, each with one new grammar after the other."""

    def run(seconds: float) -> Delays:
        stop, lock = threading.Event(), threading.Lock()
        grammars = hostile_grammars(seed, size)
        ready = list(itertools.islice(grammars, NUM_READY))  # to make them is no build
        grammars = itertools.chain(ready, grammars)

        def work() -> None:
            while not stop.is_set():
                with lock:
                    _, arguments = next(grammars)
                with suppress(GuidedError):  # past a limit, or cancelled
                    attack(arguments, stop)

        threads = [threading.Thread(target=work, daemon=True) for _ in range(NUM_CLIENTS)]
        for thread in threads:
            thread.start()
        try:
            return probe(seconds)
        finally:
            stop.set()
            for thread in threads:
                thread.join(60)

    return run


@contextmanager
def rare_full_rounds() -> Iterator[None]:
    """The garbage collector as docs/python.md advises for loops of one's own."""
    thresholds = gc.get_threshold()
    gc.collect()
    gc.freeze()
    gc.set_threshold(*thresholds[:2], 1000)
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
        gc.unfreeze()


def _post_for_ever(url: str, seed: int, size: float) -> None:
    """Clients in threads; what they are answered is nobody's concern here."""
    grammars, lock, answers = hostile_grammars(seed, size), threading.Lock(), Counter[int]()

    def work() -> None:
        while True:
            with lock:
                _, arguments = next(grammars)
                body = json.dumps(chat("x", max_tokens=4, **response_fields(arguments))).encode()
            answer = httpx.post(url + CHAT, content=body, headers={"content-type": "application/json"}, timeout=100)
            answers[answer.status_code] += 1

    for _ in range(NUM_CLIENTS):
        threading.Thread(target=work, daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    _post_for_ever(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
