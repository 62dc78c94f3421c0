"""Our figures as Ray is told them."""

from __future__ import annotations

from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram

from guided.server.ray import RayMetrics


class Told:
    """Ray's metrics: what each would show."""

    def __init__(self) -> None:
        self.values: dict[tuple[str, tuple[str, ...]], float] = {}

    def new(self, name: str, *, description: str, tag_keys: tuple[str, ...]) -> Any:
        told = self

        class One:
            def inc(self, value: float, tags: dict[str, str]) -> None:
                told.add(name, tag_keys, tags, value)

            def set(self, value: float, tags: dict[str, str]) -> None:
                told.values.pop((name, tuple(tags.values())), None)
                told.add(name, tag_keys, tags, value)

        return One()

    def add(self, name: str, tag_keys: tuple[str, ...], tags: dict[str, str], value: float) -> None:
        assert set(tags) == set(tag_keys)
        key = (name, tuple(tags.values()))
        self.values[key] = self.values.get(key, 0.0) + value


def test_what_grows_is_told_once() -> None:
    registry, told = CollectorRegistry(), Told()
    counter = Counter("guided_requests", "R.", ["endpoint"], registry=registry)
    gauge = Gauge("guided_rows", "G.", registry=registry)
    histogram = Histogram("guided_seconds", "S.", buckets=(1, 2), registry=registry)
    Counter("other", "Not ours.", registry=registry).inc()
    metrics = RayMetrics(told.new, told.new)
    counter.labels("/a").inc(2)
    gauge.set(5)
    histogram.observe(1.5)
    metrics.tell(registry.collect())
    metrics.tell(registry.collect())
    counter.labels("/a").inc()
    counter.labels("/b").inc()
    gauge.set(4)
    metrics.tell(registry.collect())
    assert told.values == {
        ("guided_requests", ("/a",)): 3,
        ("guided_requests", ("/b",)): 1,
        ("guided_rows", ()): 4,
        ("guided_seconds_bucket", ("2.0",)): 1,
        ("guided_seconds_bucket", ("+Inf",)): 1,
        ("guided_seconds_count", ()): 1,
        ("guided_seconds_sum", ()): 1.5,
    }
