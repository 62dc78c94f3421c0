"""JSONSchemaBench on one engine: `python -m tests.bench.jsonschemabench SOURCE --engine guided --out FOLDER`.

SOURCE: a folder of MaskBench's JSON files (https://github.com/guidance-ai/jsonschemabench, folder `maskbench/data`), or
the same as JSON lines. The data is not part of this repository.

The results are one JSON line a schema, see `tests.bench.reading`, behind a line that tells how they were made. A run
that was stopped goes on where it ended; so does one with a smaller `--every`.

An engine is loaded once. A forked process then reads schema after schema, as a server would: caches that a library
keeps in the process stay. The kernel ends the process when it has spent `--limit-s` seconds of processor time on one
schema, and memory is limited. The schema's status is then "timeout" or "crash", and a new fork goes on with the next.
"""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import resource
import select
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from .engines import ENGINES, TOKENIZERS, Engine
from .figures import read_run
from .reading import Instance, Row, judge, read_instances

WARM_UP: Instance = {  # code that a library loads when it is first used
    "id": "",
    "schema": {"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "number"}}},
    "tests": [{"valid": True, "data": {"a": "b", "b": 1}}],
}
GIGABYTE = 1 << 30
MEMORY = 6 * GIGABYTE  # more than the engine has when loaded
IDLE_FACTOR = 20  # wall time to processor time, after which a process that does nothing is ended


def main(
    source: Annotated[Path, typer.Argument(help="Folder of JSON files, or JSON lines, `.gz` or not.", exists=True)],
    engine: Annotated[str, typer.Option(help=f"One of {', '.join(ENGINES)}.")] = "guided",
    out: Annotated[Path, typer.Option(help="Folder for the results.")] = Path("results"),
    vocabulary: Annotated[str, typer.Option(help="deepseek: 129,280 tokens; bytes: the 256 bytes.")] = "deepseek",
    every: Annotated[int, typer.Option(min=1, help="Only every n-th schema.")] = 1,
    limit_s: Annotated[int, typer.Option(min=1, help="Seconds of processor time for a schema.")] = 10,
    like: Annotated[Path | None, typer.Option(help="Results: only the schemas that they have.", exists=True)] = None,
) -> None:
    """Read all schemas with one engine, and write one line each."""
    if engine not in ENGINES or vocabulary not in TOKENIZERS:
        raise typer.BadParameter(f"engines: {', '.join(ENGINES)}; vocabularies: {', '.join(TOKENIZERS)}")
    out.mkdir(parents=True, exist_ok=True)
    path = out / f"{engine}.{vocabulary}.jsonl"
    done = {json.loads(line).get("id") for line in path.read_text().splitlines()} if path.exists() else set()
    selected = list(read_instances(source)) if like is None else _instances_of(source, like)
    instances = [one for one in selected[::every] if one["id"] not in done]
    tokenizer = TOKENIZERS[vocabulary]()
    loaded = ENGINES[engine](tokenizer)
    judge(loaded, tokenizer, WARM_UP)
    with path.open("a", encoding="utf-8") as file:
        if not done:
            print(json.dumps(_setting(engine, loaded, vocabulary, limit_s)), file=file, flush=True)
        rows = zip(instances, rows_of(loaded, tokenizer, instances, limit_s), strict=True)
        for number, (instance, row) in enumerate(rows, 1):
            row["num_documents"] = len(instance["tests"])
            print(json.dumps(row, separators=(",", ":")), file=file, flush=True)
            if number % 200 == 0:
                print(f"{engine}: {number} of {len(instances)}", file=sys.stderr)


def _instances_of(source: Path, results: Path) -> list[Instance]:
    """The instances whose schemas the results have; an error if the source lacks some."""
    names = read_run(results).rows.keys()
    found = [one for one in read_instances(source) if one["id"] in names]
    missing = names - {one["id"] for one in found}
    if missing:
        raise typer.BadParameter(f"{source} lacks {len(missing)} schemas of {results}, such as {min(missing)}")
    return found


def _setting(engine: str, loaded: Engine, vocabulary: str, limit_s: int) -> dict[str, Any]:
    return {
        "engine": engine,
        "version": importlib.metadata.version(loaded.library),
        "vocabulary": vocabulary,
        "limit_s": limit_s,
        "python": platform.python_version(),
        "processor": _processor(),
        "date": time.strftime("%Y-%m-%d"),
    }


def _processor() -> str:
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


def rows_of(engine: Engine, tokenizer: Any, instances: list[Instance], limit_s: int) -> Iterator[Row]:
    """The row of each instance, in order, whatever the engine does to its process."""
    place = 0
    while place < len(instances):
        end, pid = _start_reader(engine, tokenizer, instances[place:], limit_s)
        with os.fdopen(end, "rb") as pipe:
            for row in _read_rows(pipe, pid, limit_s * IDLE_FACTOR):
                yield row
                place += 1
        status = os.waitpid(pid, 0)[1]
        if place < len(instances):
            yield {"id": instances[place]["id"], "status": _ending(status)}
            place += 1


def _start_reader(engine: Engine, tokenizer: Any, instances: list[Instance], limit_s: int) -> tuple[int, int]:
    """Fork a process that writes rows into a pipe: the pipe's end to read, and the process's id."""
    to_read, to_write = os.pipe()
    pid = os.fork()
    if pid:
        os.close(to_write)
        return to_read, pid
    try:
        os.close(to_read)
        with os.fdopen(to_write, "wb", buffering=0) as pipe:
            limit_memory()
            for instance in instances:
                limit_time(limit_s)
                pipe.write(json.dumps(judge(engine, tokenizer, instance)).encode() + b"\n")
    finally:
        os._exit(0)  # no handlers of the parent


def limit_memory() -> None:
    """Let this process have `MEMORY` more than it has."""
    size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
    resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, resource.RLIM_INFINITY))


def limit_time(seconds: int) -> None:
    """Let this process have so much more time of the processor, up to a second more; then the kernel ends it."""
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + seconds + 1, resource.RLIM_INFINITY))


def _read_rows(pipe: Any, pid: int, idle_s: float) -> Iterator[Row]:
    """The rows until the process ends. One that waits for nothing is killed, which ends the pipe."""
    rest = b""
    while True:
        if not select.select([pipe], [], [], idle_s)[0]:
            os.kill(pid, signal.SIGKILL)
        found = os.read(pipe.fileno(), 1 << 16)
        if not found:
            return
        *lines, rest = (rest + found).split(b"\n")
        for line in lines:
            yield json.loads(line)


def _ending(status: int) -> str:
    """SIGKILL is ours, for a process that did nothing; memory that is refused ends in another way."""
    return "timeout" if os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL) else "crash"


if __name__ == "__main__":
    typer.run(main)
