"""Metrics for Prometheus, named by its conventions. Labels have few values: addresses, methods, statuses, kinds."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily

from likelier._base.version import VERSION

if TYPE_CHECKING:
    from likelier._serve.service import Service

MEDIA = "text/plain; version=0.0.4; charset=utf-8"
_SECONDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)


class Metrics:
    """What is counted while requests are answered, and what is looked up when somebody asks.

    Requests are counted by the loop alone, in plain lists: the locks of `prometheus_client` would cost a tenth of an
    answer.
    """

    def __init__(self, service: Service) -> None:
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.seconds: dict[str, list[float]] = {}  # route → requests of each bucket, and the sum of their seconds
        self._registry = CollectorRegistry()
        self._registry.register(_State(service, self))

    def answered(self, route: str, method: str, status: int, seconds: float) -> None:
        """One request more."""
        self.requests[route, method, status] += 1
        buckets = self.seconds.get(route) or self.seconds.setdefault(route, [0.0] * (len(_SECONDS) + 2))
        buckets[bisect_left(_SECONDS, seconds)] += 1
        buckets[-1] += seconds

    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Any]:
        """The requests so far."""
        requests = CounterMetricFamily("likelier_requests", "Requests answered.", labels=["route", "method", "status"])
        for (route, method, status), number in list(self.requests.items()):
            requests.add_metric([route, method, str(status)], number)
        yield requests
        times = HistogramMetricFamily("likelier_request_seconds", "Time to answer.", labels=["route"])
        for route, buckets in list(self.seconds.items()):
            below = list(zip([*map(str, _SECONDS), "+Inf"], accumulate(buckets[:-1]), strict=True))
            times.add_metric([route], below, buckets[-1])
        yield times


class _State:
    """What is looked up."""

    def __init__(self, service: Service, requests: Metrics) -> None:
        self._service, self._requests = service, requests

    def collect(self) -> Iterator[Any]:
        yield from self._requests.collect()
        service = self._service
        live, snapshots, scribe = service.live, service.snapshots, service.scribe
        counts = live.model.counts
        info = GaugeMetricFamily("likelier_build_info", "The version of likelier; always 1.", labels=["version"])
        info.add_metric([VERSION], 1)
        yield info
        gauges = {
            "documents": ("Documents in the model, by weight.", float(live.model.documents)),
            "labels": ("Labels of the model.", len(counts.labels)),
            "terms": (
                "Terms of the model, over all columns.",
                sum(len(each.vocabulary) for each in counts.columns.values()),
            ),
            "log_position": ("Position of the last lesson in the model.", live.position),
            "log_up": (
                "1 if the log could be written last time, or there is none.",
                float(scribe is None or scribe.problem is None),
            ),
            "ready": ("1 if the server is ready.", float(service.is_ready)),
            "snapshot_timestamp_seconds": ("When the last snapshot was taken; 0: not yet.", snapshots.at),
            "teachers_suspicious": ("Names whose lessons contradict those of the others.", service.audit.suspicious),
        }
        for name, (text, value) in gauges.items():
            yield GaugeMetricFamily(f"likelier_{name}", text, value=value)
        lessons = CounterMetricFamily("likelier_lessons", "Lessons taught since the start.", labels=["kind"])
        for kind, number in ({} if scribe is None else dict(scribe.taught)).items():
            lessons.add_metric([kind], number)
        yield lessons
        yield CounterMetricFamily("likelier_snapshots", "Snapshots taken since the start.", value=snapshots.taken)
        yield CounterMetricFamily("likelier_snapshot_failures", "Snapshots that failed.", value=snapshots.failed)
