"""Our server on Ray Serve: two replicas of the embedded model behind Ray's proxy."""

from __future__ import annotations

import asyncio
import json
import re
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import jsonschema
import pytest
import ray
import yaml
from openai import OpenAI
from ray.serve.schema import ServeDeploySchema

from guided.embedded import model_path
from guided.server.ray import RayConfig, build_app
from tests.load.ray_cluster import RayCluster
from tests.load.ray_soak import SCHEMA, soak
from tests.server.test_ray_config import read, service

FORMAT = {"type": "json_schema", "json_schema": {"name": "person", "schema": SCHEMA}}
CHAT = {"model": "embedded", "messages": [{"role": "user", "content": "Ada Holm is 36 years old."}], "temperature": 0}


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayCluster]:
    args = {"num_threads": 1, "max_batch_size": 8, "shutdown_timeout_s": 60}
    with RayCluster(2, args, health_check_period_s=2) as running:
        yield running


@pytest.fixture
def http(cluster: RayCluster) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=cluster.url, timeout=120) as client:
        yield client


def test_examples_fit_rays_schema() -> None:
    configs = [read("serve.yaml"), read("vllm.yaml"), yaml.safe_load(service()["spec"]["serveConfigV2"])]
    for config in configs:
        ServeDeploySchema.model_validate(config)


def test_options_of_the_deployment() -> None:
    deployment = build_app(RayConfig(max_concurrent_requests=7, shutdown_timeout_s=11))._bound_deployment
    assert deployment.name == "GuidedServer"
    assert deployment.max_ongoing_requests == 7
    assert deployment._deployment_config.graceful_shutdown_timeout_s == 11


def test_first_request_finds_loaded_models(http: httpx.Client) -> None:
    assert http.get("/health").json() == {"status": "ok", "model_loaded": True}


def test_answers_fit_their_schema(http: httpx.Client) -> None:
    answer = http.post("/v1/chat/completions", json={**CHAT, "response_format": FORMAT}).raise_for_status().json()
    jsonschema.validate(json.loads(answer["choices"][0]["message"]["content"]), SCHEMA)


def test_errors_are_ours(http: httpx.Client) -> None:
    answer = http.post("/v1/chat/completions", json={**CHAT, "temperature": 3})
    assert answer.status_code == 400
    assert answer.json()["error"]["param"] == "temperature"


def test_stream_comes_in_pieces(cluster: RayCluster) -> None:
    client = OpenAI(base_url=f"{cluster.url}/v1", api_key="none")
    whole = client.chat.completions.create(**CHAT, response_format=FORMAT)
    times, text = [], ""
    for chunk in client.chat.completions.create(**CHAT, response_format=FORMAT, stream=True):
        times.append(time.monotonic())
        text += chunk.choices[0].delta.content or "" if chunk.choices else ""
    assert text == whole.choices[0].message.content
    assert len(set(times)) > 5


def test_both_replicas_work(cluster: RayCluster, http: httpx.Client) -> None:
    def answered() -> int:
        return http.post("/v1/completions", json={"prompt": "Hi", "max_tokens": 20}).status_code

    with ThreadPoolExecutor(8) as pool:
        assert {one.result() for one in [pool.submit(answered) for _ in range(32)]} == {200}
    started = {http.get("/stats").json()["total_requests"] for _ in range(40)}
    assert len(started) == 2
    assert 0 not in started


def test_prometheus_through_ray(cluster: RayCluster, http: httpx.Client) -> None:
    """Ray's own endpoint of the node has all figures of a replica's /metrics that are not 0, and of both replicas."""
    http.post("/v1/chat/completions", json={**CHAT, "response_format": FORMAT}).raise_for_status()
    wanted = names_at_ray(http.get("/metrics").text)
    assert wanted > {
        *("ray_guided_http_requests_total", "ray_guided_step_seconds_bucket_total", "ray_guided_step_seconds_sum_total")
    }
    port = ray.nodes()[0]["MetricsExportPort"]
    deadline, missing, replicas = time.monotonic() + 90, wanted, set[str]()
    while (missing or len(replicas) < 2) and time.monotonic() < deadline:
        http.post("/v1/chat/completions", json={**CHAT, "response_format": FORMAT}).raise_for_status()  # to any replica
        time.sleep(1)
        found = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=30).text
        missing = wanted - set(re.findall(r"^\w+", found, re.MULTILINE))
        replicas = set(re.findall(r'ray_guided_kv_cache_usage{.*?replica="(.*?)"', found))
    assert missing == set()
    assert len(replicas) == 2


def names_at_ray(metrics: str) -> set[str]:
    """Of the figures in the text of /metrics that are not 0; Ray is not told when a series began."""
    names = set(re.findall(r"^(guided_\w+)(?:{.*})? (?!0\.0$)", metrics, re.MULTILINE))
    counters = {name for name in names if name.endswith(("_total", "_bucket", "_count", "_sum"))}
    gauges = {name for name in names - counters if not name.endswith("_created")}
    return {f"ray_{name.removesuffix('_total')}_total" for name in counters} | {f"ray_{name}" for name in gauges}


def test_a_client_that_leaves_ends_its_request(cluster: RayCluster, http: httpx.Client) -> None:
    body = {"prompt": "Hi", "max_tokens": 800, "ignore_eos": True, "stream": True}
    with httpx.stream("POST", f"{cluster.url}/v1/completions", json=body, timeout=60) as response:
        next(response.iter_lines())
    deadline = time.monotonic() + 30
    while any(http.get("/stats").json()["active_requests"] for _ in range(8)):
        assert time.monotonic() < deadline
        time.sleep(0.1)


def test_a_killed_replica_costs_only_what_it_was_doing(cluster: RayCluster) -> None:
    before = set(cluster.pids())
    result = asyncio.run(soak(cluster, 60, 4))
    assert not result.lost
    assert result.errors.total() <= 4
    assert result.counts.total() == 60
    cluster.wait_until_running()
    assert len(set(cluster.pids()) - before) == 1


def test_a_replica_that_stops_finishes_what_it_has_begun(cluster: RayCluster) -> None:
    """Streams over both replicas go on to their end while one of these is taken away."""
    texts: list[str] = []

    def read_all(ready: threading.Barrier) -> None:
        body = {"prompt": "Hi", "max_tokens": 300, "ignore_eos": True, "stream": True}
        with httpx.stream("POST", f"{cluster.url}/v1/completions", json=body, timeout=120) as response:
            lines = response.iter_lines()
            next(lines)
            ready.wait(60)
            texts.append([line for line in lines if line][-1])

    ready = threading.Barrier(7)
    threads = [threading.Thread(target=read_all, args=(ready,)) for _ in range(6)]
    for thread in threads:
        thread.start()
    ready.wait(60)
    cluster.deploy(num_replicas=1)
    for thread in threads:
        thread.join(120)
    assert texts == ["data: [DONE]"] * 6
    cluster.wait_until_running()


@pytest.mark.parametrize(
    ("args", "said"),
    [
        ({"model": "/no/such/folder"}, "/no/such/folder"),
        ({"more_models": {"embedded": str(model_path())}}, "two models have the name 'embedded'"),
    ],
)
def test_what_keeps_a_replica_from_starting_is_said(cluster: RayCluster, args: dict[str, Any], said: str) -> None:
    """Last: the application is not the same afterwards."""
    cluster.deploy_anew(args)
    deadline = time.monotonic() + 120
    while said not in cluster.message() and time.monotonic() < deadline:
        time.sleep(0.5)
    assert said in cluster.message()
