"""A scripted endpoint, and a `guided.LLM` on it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from guided.llm import LLM
from tests.guided.engines.openai.fake_endpoint import FakeEndpoint, fake_endpoint, stream_of, text


@pytest.fixture(scope="package")
def _endpoint() -> Iterator[FakeEndpoint]:
    with fake_endpoint() as endpoint:
        yield endpoint


@pytest.fixture(scope="package")
def llm(_endpoint: FakeEndpoint) -> Iterator[LLM]:
    """On the scripted endpoint, which is not ours. A request that fails is not sent again."""
    llm = LLM(engine="openai", base_url=_endpoint.url, api_key="secret", engine_args={"max_retries": 0})
    try:
        yield llm
    finally:
        llm.shutdown()


@pytest.fixture
def endpoint(_endpoint: FakeEndpoint) -> FakeEndpoint:
    """The scripted endpoint, as new."""
    _endpoint.answer = stream_of(text("Hello"))
    for noted in (_endpoint.bodies, _endpoint.headers, _endpoint.paths):
        noted.clear()
    _endpoint.left.clear()
    return _endpoint
