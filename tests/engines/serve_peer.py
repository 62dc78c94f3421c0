"""Our server on vLLM beside vLLM's own: `.venv-engines/bin/python -m tests.engines.serve_peer`.

Both run at the same time, with the model in the package, and in turns, for several rounds, answer the same chats (the
other one then has nothing to do), several at once: free texts of a fixed length, and documents of a schema, whole and
streamed. A rate is the completion tokens that the answers count: a second of wall time; a second of CPU time of all the
server's processes; and of the first one alone, which is all but vLLM's engine. Other work on the machine hardly changes
the latter two. Prints one line of medians for each and ends with one of JSON. Linux only.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

from guided.embedded import model_path
from tests.ports import free_port

from .bars import SIMPLE

START_S, REQUEST_S = 600.0, 600.0
CHAT = "Customer number {}, Ada Holm, is 36 years old and lives in Oslo. Write down what the shop knows of her."
FREE: dict[str, Any] = {"ignore_eos": True, "max_tokens": 96}
SCHEMA: dict[str, Any] = {
    "response_format": {"type": "json_schema", "json_schema": {"name": "person", "schema": SIMPLE}},
    "max_tokens": 96,
}
SCHEMA_FOR_TEMPLATE = {"chat_template_kwargs": {"response_schema": SIMPLE}}  # ours shows it by itself
KINDS = {"free": FREE, "schema": SCHEMA, "free, streamed": {**FREE, "stream": True}}
ENGINE = {"enforce_eager": True, "max_model_len": 2048, "max_num_seqs": 32}


def command(name: str, port: int) -> list[str]:
    """How a server is started."""
    model = str(model_path())
    if name == "guided":
        ours = [sys.executable, "-m", "guided.cli", "serve", "--model", model, "--port", str(port)]
        return [*ours, "--engine", "vllm", "--engine-args", json.dumps(ENGINE), "--served-model-name", "model"]
    config = ["--structured-outputs-config", json.dumps({"backend": "guided"})]
    flags = ["--enforce-eager", "--max-model-len", "2048", "--max-num-seqs", "32", "--dtype", "float32"]
    peer = [sys.executable, "-m", "vllm.entrypoints.openai.api_server", "--model", model, "--port", str(port)]
    return [*peer, "--served-model-name", "model", *config, *flags]


@contextmanager
def serving(name: str) -> Iterator[tuple[str, int]]:
    """A server's URL and process id, once it answers."""
    port = free_port()
    environment = {**os.environ, "VLLM_ENABLE_V1_MULTIPROCESSING": "1", "HF_HUB_OFFLINE": "1"}
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command(name, port), env=environment, stdout=log, stderr=log)
        url, end = f"http://127.0.0.1:{port}", time.monotonic() + START_S
        try:
            while not _answers(url):
                if process.poll() is not None or time.monotonic() > end:
                    log.seek(0)
                    raise RuntimeError(f"{name} did not start: {log.read().decode()[-2000:]}")
                time.sleep(0.5)
            yield url, process.pid
        finally:
            process.terminate()
            process.wait(60)


def _answers(url: str) -> bool:
    """Both list a model once they have one."""
    try:
        answer = httpx.get(f"{url}/v1/models", timeout=5)
    except httpx.HTTPError:
        return False
    return answer.is_success and bool(answer.json()["data"])


def cpu_s(pid: int) -> tuple[float, float]:
    """CPU time of a process, with those that it has started, and alone, in seconds."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    own = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")  # utime and stime
    children: set[str] = set()
    for task in Path(f"/proc/{pid}/task").iterdir():
        children.update((task / "children").read_text().split())
    return own + sum(cpu_s(int(child))[0] for child in children), own


async def measure(url: str, pid: int, fields: dict[str, Any], num_clients: int, num_requests: int) -> tuple[float, ...]:
    """Tokens a second of wall time, of CPU time, and of CPU time of the first process; and all prompts' tokens."""
    todo = iter(range(num_requests))
    async with httpx.AsyncClient(timeout=REQUEST_S, base_url=url) as client:

        async def ask(i: int) -> tuple[int, int]:
            """Tokens of the answer and of the prompt."""
            messages = [{"role": "user", "content": CHAT.format(i)}]
            body = {"model": "model", "messages": messages, "temperature": 0, **fields}
            if not fields.get("stream"):
                answer = await client.post("/v1/chat/completions", json=body)
                answer.raise_for_status()
                return _tokens(answer.json())
            body["stream_options"] = {"include_usage": True}
            async with client.stream("POST", "/v1/chat/completions", json=body) as response:
                lines = [line async for line in response.aiter_lines() if line.startswith("data: {")]
            return _tokens(json.loads(lines[-1].removeprefix("data: ")))

        async def work() -> list[tuple[int, int]]:
            return [await ask(i) for i in todo]

        start_s, start_cpu_s = time.perf_counter(), cpu_s(pid)
        answers = [one for found in await asyncio.gather(*(work() for _ in range(num_clients))) for one in found]
        seconds = time.perf_counter() - start_s
        taken = [end - start for end, start in zip(cpu_s(pid), start_cpu_s, strict=True)]
        count, num_prompt_tokens = map(sum, zip(*answers, strict=True))
        return count / seconds, count / taken[0], count / taken[1], num_prompt_tokens


def _tokens(answer: dict[str, Any]) -> tuple[int, int]:
    return answer["usage"]["completion_tokens"], answer["usage"]["prompt_tokens"]


def main() -> None:
    """Run it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 8, 32])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    parser.add_argument("--requests", type=int, default=4, help="of each client")
    options = parser.parse_args()
    found: dict[str, dict[str, list[tuple[float, ...]]]] = {}
    with serving("vllm") as vllm, serving("guided") as guided:
        servers = {"vllm": vllm, "guided": guided}
        for kind in options.kinds:
            fields = KINDS[kind]
            fields_of = {"vllm": fields | (SCHEMA_FOR_TEMPLATE if kind == "schema" else {}), "guided": fields}
            for name, (url, pid) in servers.items():
                asyncio.run(measure(url, pid, fields_of[name], 2, 4))  # the first ones take longer
            for num_clients, _ in itertools.product(options.clients, range(options.rounds)):
                num_requests = num_clients * options.requests
                for name, (url, pid) in servers.items():
                    rates = asyncio.run(measure(url, pid, fields_of[name], num_clients, num_requests))
                    found.setdefault(f"{kind}, {num_clients} clients", {}).setdefault(name, []).append(rates)
    results = {}
    for case, rates_of in found.items():
        if len({one[3] for rates in rates_of.values() for one in rates}) > 1:
            raise RuntimeError(f"{case}: the servers read different prompts")
        wall, cpu, front = (
            {name: statistics.median(one[place] for one in rates) for name, rates in rates_of.items()}
            for place in (0, 1, 2)
        )
        results[case] = {"wall": wall, "cpu": cpu, "front": front}
        print(
            f"{case}: guided {wall['guided']:.0f}, vllm {wall['vllm']:.0f} tokens/s "
            f"({wall['guided'] / wall['vllm']:.2f}); a CPU second {cpu['guided']:.0f}, {cpu['vllm']:.0f} "
            f"({cpu['guided'] / cpu['vllm']:.2f}), of the front end {front['guided']:.0f}, {front['vllm']:.0f}"
        )
    print(json.dumps(results))


if __name__ == "__main__":
    main()
