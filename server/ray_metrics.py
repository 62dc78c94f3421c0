"""`RayMetrics`: the figures of a replica's /metrics, handed to Ray, which exports those of all nodes to Prometheus.

Behind one address a scrape of /metrics finds any replica. Ray adds its own labels (application, deployment, replica).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from prometheus_client import Metric
from prometheus_client.samples import Sample

PREFIX = "guided_"  # the process's own figures are Ray's already
EVERY_S = 5.0


class RayMetrics:
    """Ray's metrics of the same names with `ray_` before them.

    new_counter, new_gauge: `ray.serve.metrics.Counter` and `Gauge`. Buckets, sums and counts of histograms are counters
    there, with `le` as a label, as Ray's own histograms take single values only. Ray adds `_total` to counters' names.
    """

    def __init__(self, new_counter: Callable[..., Any], new_gauge: Callable[..., Any]) -> None:
        self._new_counter, self._new_gauge = new_counter, new_gauge
        self._metrics: dict[str, Any] = {}
        self._told: dict[tuple[str, tuple[tuple[str, str], ...]], float] = {}

    def tell(self, families: Iterable[Metric]) -> None:
        """Hand over what has changed since the last time."""
        for family in families:
            if not family.name.startswith(PREFIX):
                continue
            for sample in family.samples:
                if not sample.name.endswith("_created"):
                    self._tell(family, sample)

    def _tell(self, family: Metric, sample: Sample) -> None:
        name = sample.name.removesuffix("_total")
        is_gauge = family.type == "gauge"
        metric = self._metrics.get(name)
        if metric is None:
            make = self._new_gauge if is_gauge else self._new_counter
            metric = make(name, description=family.documentation, tag_keys=tuple(sample.labels))
            self._metrics[name] = metric
        if is_gauge:
            metric.set(sample.value, tags=sample.labels)
            return
        key = (name, tuple(sample.labels.items()))
        grown = sample.value - self._told.get(key, 0.0)
        if grown > 0:
            metric.inc(grown, tags=sample.labels)
            self._told[key] = sample.value
