"""The echo engine (A1.6): chosen by name, it writes the prompt's own text token by token."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from guided.engines.base import TokenEvent
from guided.engines.local.echo import EchoEngine
from guided.engines.settings import EngineSettings
from guided.errors import (
    ContextLengthError,
    DeadlineExceededError,
    EngineStoppedError,
    GenerationCancelledError,
    QueueFullError,
    RequestFieldError,
)
from guided.grammars.errors import InvalidInputError
from guided.grammars.vocabulary import Vocabulary
from guided.llm import LLM
from guided.output.builder import CompletionBuilder
from guided.params.sampling_params import SamplingParams
from guided.requests.observer import EngineObserver, RequestRecord
from guided.requests.request import PromptRequest

ALL = SamplingParams(max_new_tokens=None)


@pytest.fixture
def llm(tiny_model_folder: Path) -> Iterator[LLM]:
    with LLM(str(tiny_model_folder), engine="echo") as model:
        yield model


def test_it_is_never_used_silently(llm: LLM, tiny_model_folder: Path) -> None:
    assert (llm.model_name, type(llm.engine)) == ("echo", EchoEngine)
    assert LLM(engine="echo").model_name == "echo"
    assert not isinstance(LLM(str(tiny_model_folder)).engine, EchoEngine)


@pytest.mark.parametrize("text", ["Hello, world!", " the  café 😀\n", "日本"])
def test_the_prompts_tokens_come_back(llm: LLM, text: str) -> None:
    chunks = list(llm.stream(text, ALL))
    assert "".join(chunk.text for chunk in chunks) == text
    completion = chunks[-1].completion
    assert completion is not None
    assert completion.finish_reason == "stop"
    assert list(completion.token_ids) == [*llm.tokenizer.encode(text), min(llm.vocabulary.eos_token_ids)]
    assert len(chunks) > 2, "token by token"


def test_special_tokens_of_a_chat_are_not_echoed(llm: LLM) -> None:
    assert llm.chat([{"role": "user", "content": "Hi there"}], ALL).text == "user\nHi there\nassistant\n"


@pytest.mark.parametrize("separate_thinking", [False, True])
def test_thinking_of_the_prompt_can_be_told_apart(separate_thinking: bool) -> None:
    tokens: list[bytes | None] = [b"a", b"b", b"<think>", b"</think>", None]
    engine = EchoEngine(Vocabulary(tokens, [4], {"<eos>": 4}), 20)
    request = PromptRequest([2, 0, 3, 1], SamplingParams(separate_thinking=separate_thinking))
    builder = CompletionBuilder(engine.vocabulary, request)
    for event in engine.run([request]):
        builder.add(event)
    engine.shutdown()
    done = builder.result()
    expected = ("a", "b", 3) if separate_thinking else ("", "<think>a</think>b", 0)
    assert (done.thinking, done.text, done.num_thinking_tokens) == expected


def test_endings(llm: LLM) -> None:
    cut = llm.generate("a b c", SamplingParams(max_new_tokens=2))
    assert (cut.text, cut.finish_reason) == ("a ", "length")
    stopped = llm.generate("one two", SamplingParams(max_new_tokens=None, stop=" t"))
    assert (stopped.text, stopped.finish_reason, stopped.stopped_by) == ("one", "stop", " t")
    (space,) = llm.tokenizer.encode(" ")
    assert llm.generate("one two", SamplingParams(max_new_tokens=None, stop_token_ids=[space])).text == "one"
    room = llm.generate("x" * 700, ALL)
    assert (len(room.token_ids), room.finish_reason) == (llm.max_context_tokens - 700, "length")


def test_outputs_and_logprobs(llm: LLM) -> None:
    completion = llm.generate("ab", SamplingParams(max_new_tokens=None, n=2, logprobs=1, seed=1))
    assert [completion.text, *[one.text for one in completion.alternatives]] == ["ab", "ab"]
    assert completion.logprobs is not None
    assert [(one.token, one.logprob, one.rank, len(one.top)) for one in completion.logprobs[:2]] == [
        (b"a", 0.0, 1, 1),
        (b"b", 0.0, 1, 1),
    ]


def test_what_it_can_not_do(llm: LLM) -> None:
    for fields in {"regex": "a"}, {"prompt_logprobs": 1}, {"thinking": True}:
        with pytest.raises(InvalidInputError, match="the echo engine"):
            llm.generate("a", SamplingParams(**fields))  # type: ignore[arg-type]
    with pytest.raises(ContextLengthError):
        llm.generate("x" * 1024, ALL)
    with pytest.raises(InvalidInputError, match="no weights"):
        LLM(engine="echo", device="cpu")
    with pytest.raises(InvalidInputError, match="folder or hub name"):
        LLM(object(), engine="echo")


class Slow(EngineObserver):
    """Holds each request at its end until it is told to go on."""

    def __init__(self) -> None:
        self.ends = threading.Semaphore(0)
        self.records: list[RequestRecord] = []

    def on_request_end(self, record: RequestRecord) -> None:
        self.records.append(record)
        assert self.ends.acquire(timeout=60)


def test_requests_wait_for_places_and_can_be_ended(tiny_model_folder: Path) -> None:
    settings = EngineSettings(max_batch_size=1, max_waiting_requests=1)
    llm = LLM(str(tiny_model_folder), engine="echo", engine_settings=settings)
    slow = Slow()
    llm.add_observer(slow)
    assert llm.start("abc", ALL).result(60).text == "abc"
    waiting = [llm.start("abc", ALL) for _ in range(2)]  # the only thread is held
    with pytest.raises(QueueFullError):
        llm.start("abc", ALL)
    waiting[0].cancel()
    late = LLM(str(tiny_model_folder), engine="echo").start("x" * 50, ALL, deadline_s=0.0)
    assert isinstance(late.result().error, DeadlineExceededError)
    slow.ends.release(1000)
    with pytest.raises(GenerationCancelledError):
        waiting[0].result()
    assert waiting[1].result(60).text == "abc"
    stats = llm.get_stats()
    assert (stats.active_requests, stats.waiting_requests, stats.total_requests) == (0, 0, 3)
    llm.shutdown()
    assert [record.finish_reason for record in slow.records] == ["stop", None, "stop"]
    with pytest.raises(EngineStoppedError):
        llm.start("a", ALL)


class Faulty(EngineObserver):
    def on_request_end(self, record: RequestRecord) -> None:
        raise RuntimeError("an end's fault")


def test_an_observer_that_raises_hurts_nobody(llm: LLM, caplog: pytest.LogCaptureFixture) -> None:
    llm.add_observer(Faulty())
    assert [llm.generate("abc", ALL).text for _ in range(2)] == ["abc", "abc"]
    llm.shutdown()
    assert "an observer failed in on_request_end" in caplog.text


@pytest.mark.parametrize(
    ("prompt", "message"),
    [([], "no tokens"), ([1.5], "not integers"), ([10**6], "outside the vocabulary"), ([-1], "outside")],
)
def test_prompts_are_checked_as_for_a_model(llm: LLM, prompt: Any, message: str) -> None:
    with pytest.raises(InvalidInputError, match=f"the prompt has .*{message}"):
        llm.engine.check(PromptRequest(prompt, ALL))


class Reader:
    """A sink that keeps the events, and does something at the first one."""

    def __init__(self, act: Callable[[], object]) -> None:
        self._act = act
        self.events: list[TokenEvent] = []
        self.has_ended = threading.Event()

    def __call__(self, event: TokenEvent) -> None:
        self.events.append(event)
        if event.finish_reason is not None:
            self.has_ended.set()
        if len(self.events) == 1:
            self._act()


@pytest.fixture
def engine(llm: LLM) -> EchoEngine:
    assert isinstance(llm.engine, EchoEngine)
    return llm.engine


def test_shutdown_ends_what_runs(llm: LLM, engine: EchoEngine) -> None:
    has_begun, may_go_on = threading.Event(), threading.Event()

    def wait() -> None:
        has_begun.set()
        assert may_go_on.wait(60)

    reader = Reader(wait)
    engine.submit(PromptRequest(llm.tokenizer.encode("x" * 50), ALL), reader)
    assert has_begun.wait(60)
    stopping = threading.Thread(target=engine.shutdown)
    stopping.start()
    stopping.join(0.05)
    may_go_on.set()
    stopping.join(60)
    assert [(event.finish_reason, type(event.error)) for event in (reader.events[0], reader.events[-1])] == [
        (None, type(None)),
        ("error", EngineStoppedError),
    ]
    assert engine.get_stats().active_requests == 0
    with pytest.raises(EngineStoppedError):
        engine.submit(PromptRequest([0], ALL), reader)


def test_a_sink_that_raises_ends_its_request(llm: LLM, engine: EchoEngine, caplog: pytest.LogCaptureFixture) -> None:
    engine.submit(PromptRequest(llm.tokenizer.encode("x" * 50), ALL), Reader(lambda: 1 / 0))
    llm.shutdown()
    assert engine.get_stats().active_requests == 0
    assert "the sink of a request failed" in caplog.text


def test_an_engine_without_particles_refuses_them_by_name(llm: LLM) -> None:
    with pytest.raises(RequestFieldError, match="particles need the engine 'transformers'"):
        llm.engine.submit_particles([], print, 0)
