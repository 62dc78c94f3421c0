"""From vLLM's outputs to the events of our engines."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from guided.engines.logprobs import LogprobReader
from guided.engines.vllm.job import VllmJob
from guided.errors import EngineStoppedError, RequestFailedError, TokenRefusedError
from guided.grammars import Vocabulary, compile_grammar
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest

END = 256
VOCABULARY = Vocabulary([bytes([byte]) for byte in range(256)] + [None], [END], {"<end>": END})


def reader(params: SamplingParams | None = None, **grammar: Any) -> VllmJob:
    compiled = compile_grammar(VOCABULARY, **grammar) if grammar else None
    request = PromptRequest([65, 66], SamplingParams() if params is None else params, compiled)
    return VllmJob(request, print, 7, LogprobReader(VOCABULARY))


def output(token_ids: bytes | list[int], reason: str | None = None, why: Any = None, **fields: Any) -> Any:
    new = SimpleNamespace(token_ids=list(token_ids), logprobs=None, finish_reason=reason, stop_reason=why)
    whole = {"num_cached_tokens": 0, "prompt_logprobs": None, **{k: v for k, v in fields.items() if k != "logprobs"}}
    new.logprobs = fields.get("logprobs")
    return SimpleNamespace(outputs=[new], **whole)


def test_tokens_one_by_one_and_the_last_says_why() -> None:
    one = reader()
    first, second = one.read(output(b"ab", num_cached_tokens=2))
    assert (first.index, first.token_id, first.num_cached_tokens, first.finish_reason) == (7, 97, 2, None)
    assert (second.token_id, second.num_cached_tokens) == (98, 0)
    (last,) = one.read(output([END], "stop", num_cached_tokens=2))
    assert (last.token_id, last.finish_reason, last.fits_grammar) == (END, "stop", False)
    assert one.finish_reason == "stop"


def test_a_grammar_is_followed() -> None:
    one = reader(regex="ab?cd")
    events = one.read(output(b"abcd", "length"))
    assert [event.is_forced for event in events] == [True, False, True, True]
    assert (events[-1].finish_reason, events[-1].fits_grammar) == ("stop", True)
    assert one.num_forced_tokens == 3


def test_a_text_that_is_cut_does_not_fit() -> None:
    (*_, last) = reader(regex="ab?cd").read(output(b"abc", "length"))
    assert (last.finish_reason, last.fits_grammar) == ("length", False)


def test_a_token_that_the_grammar_refuses_is_an_error() -> None:
    with pytest.raises(TokenRefusedError):
        reader(regex="ab").read(output(b"b"))


def test_the_grammar_wins_over_min_new_tokens() -> None:
    (*_, last) = reader(SamplingParams(min_new_tokens=9), regex="a").read(output([97, END], "stop"))
    assert last.min_new_tokens_overruled
    assert not reader(SamplingParams(min_new_tokens=2), regex="a").read(output(b"a"))[0].min_new_tokens_overruled


@pytest.mark.parametrize(
    ("reason", "why", "kind", "message"),
    [
        ("error", "the mask went past a limit", RequestFailedError, "the request failed: the mask went past a limit"),
        ("error", None, RequestFailedError, "ended it with 'error'"),
        ("abort", None, EngineStoppedError, "gave the request up"),
    ],
)
def test_other_ends_are_errors(reason: str, why: Any, kind: type[Exception], message: str) -> None:
    one = reader()
    *tokens, last = one.read(output(b"a", reason, why))
    assert [event.token_id for event in tokens] == [97]
    assert (last.token_id, last.finish_reason, one.finish_reason) == (None, "error", "error")
    assert isinstance(last.error, kind)
    assert message in str(last.error)


def position(**logprobs: tuple[float, int]) -> dict[int, Any]:
    pairs = ((ord(name) if name != "END" else END, pair) for name, pair in logprobs.items())
    return {token_id: SimpleNamespace(logprob=logprob, rank=rank) for token_id, (logprob, rank) in pairs}


def test_log_probabilities_have_our_shape() -> None:
    one = reader(SamplingParams(logprobs=2, prompt_logprobs=1))
    places = [position(x=(-3.0, 5), a=(-0.5, 1), END=(-1.0, 2)), position(b=(-0.1, 1), c=(-4.0, 2))]
    first, second = one.read(output(b"xb", logprobs=places, prompt_logprobs=[None, position(B=(-2.0, 4), C=(-1.0, 1))]))
    assert first.logprobs is not None
    assert (first.logprobs.token, first.logprobs.logprob, first.logprobs.rank) == (b"x", -3.0, 5)
    assert [(top.token, top.is_special) for top in first.logprobs.top] == [(b"a", False), (b"<end>", True)]
    assert second.logprobs is not None
    assert [top.token for top in second.logprobs.top] == [b"b", b"c"]
    assert first.prompt_logprobs is not None
    nothing, scored = first.prompt_logprobs
    assert nothing is None
    assert scored is not None
    assert (scored.token, scored.logprob, [top.token for top in scored.top]) == (b"B", -2.0, [b"C"])
    assert second.prompt_logprobs is None


def test_what_the_mask_ruled_out() -> None:
    """The place behind those asked for holds the token's log-probability after the mask."""
    half = math.log(0.5)
    places = [position(a=(2 * half, 2), x=(half, 1)) | {-1: SimpleNamespace(logprob=half, rank=2)}]
    (event,) = reader(SamplingParams(logprobs=1, logprobs_mode="both"), regex="[ab]").read(
        output(b"a", logprobs=places)
    )
    assert event.logprobs is not None
    assert event.logprobs.masked_mass == pytest.approx(0.5)
    assert (event.logprobs.logprob, event.logprobs.processed_logprob) == (2 * half, half)
    assert [top.token for top in event.logprobs.top] == [b"x"]
    (event,) = reader(SamplingParams(logprobs=0)).read(output(b"a", logprobs=[position(a=(half, 1))]))
    assert event.logprobs is not None
    assert (event.logprobs.masked_mass, event.logprobs.processed_logprob, event.logprobs.top) == (None, None, ())
