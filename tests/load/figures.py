"""What a server holds while it is idle: pages, tasks, threads, memory; to be compared before and after."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, fields
from typing import Any

from .scenes import wait_for
from .server_process import ServerProcess

# Their threads come when they are first needed, which may be long after a start, and stay: each is there once.
POOLS = (
    *("asyncio_", "guided-compile_", "guided-large_", "guided-read_", "guided-watch_"),
    *("guided-forward_", "guided-mask-rows_", "guided-masks_", "guided-sampler_", "guided-stops_"),
)


@dataclass(frozen=True)
class Figures:
    """pages_in_use: of the KV cache, by requests. tasks: of asyncio. threads: their names."""

    requests_in_flight: int
    pages_in_use: int
    tasks: int
    threads: tuple[str, ...]
    objects: int
    memory_mb: float

    @classmethod
    def of(cls, server: ServerProcess) -> Figures:
        """The server's, once it is idle (or after 30 s, when it is not)."""
        wait_for(lambda: _is_idle(server.stats()), 30)
        stats = server.stats()
        engine, debug = stats["engine"], stats["debug"]
        return cls(
            requests_in_flight=stats["requests_in_flight"] + stats["active_requests"] + stats["waiting_requests"],
            pages_in_use=engine["num_pages"] - engine["num_free_pages"],
            tasks=debug["tasks"],
            threads=tuple(debug["thread_names"]),
            objects=debug["objects"],
            memory_mb=round(debug["memory_bytes"] / 1e6, 1),
        )


def leaks(before: Figures, after: Figures, max_growth_mb: float) -> list[str]:
    """What grew that must not. Objects and memory may grow as far as the caches of grammars and masks do.

    A thread more is one of no pool, or one of a pool whose name is there twice: then the pool was made twice.
    """
    found = []
    for name in ("requests_in_flight", "pages_in_use", "tasks"):
        old, new = getattr(before, name), getattr(after, name)
        if new > old:
            found.append(f"{name} grew from {old} to {new}")
    first_of_pools = Counter(name for name in set(after.threads) - set(before.threads) if name.startswith(POOLS))
    if more := Counter(after.threads) - Counter(before.threads) - first_of_pools:
        found.append(f"there are more threads: {', '.join(sorted(more.elements()))}")
    growth = after.memory_mb - before.memory_mb
    if growth > max_growth_mb:
        found.append(f"memory grew by {growth:.0f} MB, more than {max_growth_mb:.0f}")
    return found


def rows(before: Figures, after: Figures) -> list[tuple[str, str, str]]:
    """Name, before, after."""
    return [(one.name, _cell(getattr(before, one.name)), _cell(getattr(after, one.name))) for one in fields(Figures)]


def _cell(figure: float | tuple[str, ...]) -> str:
    return "\n".join(figure) if isinstance(figure, tuple) else str(figure)


def _is_idle(stats: dict[str, Any]) -> bool:
    return not (stats["requests_in_flight"] or stats["active_requests"] or stats["waiting_requests"])
