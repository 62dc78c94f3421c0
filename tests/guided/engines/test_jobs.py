"""Jobs on other projects' engines: their times are those of the events, so that records agree with completions."""

from __future__ import annotations

import time

import pytest

from guided.engines.base import TokenEvent, ToldUsage
from guided.engines.jobs import EngineJob
from guided.params.sampling_params import SamplingParams
from guided.requests.request import PromptRequest


class _Job(EngineJob):
    @property
    def usage(self) -> ToldUsage:
        return ToldUsage(num_prompt_tokens=1, num_new_tokens=3, num_cached_tokens=0)


def test_a_record_has_the_times_of_the_events() -> None:
    events: list[TokenEvent] = []
    before_s = time.perf_counter()
    job = _Job(PromptRequest([1], SamplingParams()), events.append, 0)
    assert before_s <= job.submitted_s <= time.perf_counter()
    job.begun_s = job.submitted_s + 0.25
    for number in range(3):
        job.give(TokenEvent(0, number, time_s=job.submitted_s + 1 + number))
    record = job.record()
    assert [event.token_id for event in events] == [0, 1, 2]
    times = (record.queue_s, record.time_to_first_token_s, record.inter_token_s)
    assert times == pytest.approx((0.25, 1.0, 1.0))
