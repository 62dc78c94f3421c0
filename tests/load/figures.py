"""What a server holds while it is idle: pages, tasks, threads, memory; to be compared before and after."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from .scenes import wait_for
from .server_process import ServerProcess

# Their threads come when they are first needed, and stay.
POOLS = ("guided-compile", "guided-read", "guided-large", "asyncio_")


@dataclass(frozen=True)
class Figures:
    """pages_in_use: of the KV cache, by requests. tasks: of asyncio. threads: but for those of bounded pools."""

    requests_in_flight: int
    pages_in_use: int
    tasks: int
    threads: int
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
            threads=sum(not name.startswith(POOLS) for name in debug["thread_names"]),
            objects=debug["objects"],
            memory_mb=round(debug["memory_bytes"] / 1e6, 1),
        )


def leaks(before: Figures, after: Figures, max_growth_mb: float) -> list[str]:
    """What grew that must not. Objects and memory may grow as far as the caches of grammars and masks do."""
    found = []
    for name in ("requests_in_flight", "pages_in_use", "tasks", "threads"):
        old, new = getattr(before, name), getattr(after, name)
        if new > old:
            found.append(f"{name} grew from {old} to {new}")
    growth = after.memory_mb - before.memory_mb
    if growth > max_growth_mb:
        found.append(f"memory grew by {growth:.0f} MB, more than {max_growth_mb:.0f}")
    return found


def rows(before: Figures, after: Figures) -> list[tuple[str, str, str]]:
    """Name, before, after."""
    return [(one.name, str(getattr(before, one.name)), str(getattr(after, one.name))) for one in fields(Figures)]


def _is_idle(stats: dict[str, Any]) -> bool:
    return not (stats["requests_in_flight"] or stats["active_requests"] or stats["waiting_requests"])
