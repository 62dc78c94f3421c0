"""The pages of the server do what they say: their requests run against a real process, and their tables are complete.

They are docs/server.md, docs/server_grammars.md and docs/operating.md.
"""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest

from tests.guides import SERVED_AT, Guide
from tests.load.server_process import ServerProcess

GUIDES = [Guide("server.md"), Guide("server_grammars.md"), Guide("operating.md")]
TEXT = "\n".join(guide.text for guide in GUIDES)
ANYTHING = "..."


@pytest.fixture(scope="module")
def server() -> Iterator[ServerProcess]:
    with ServerProcess() as process:
        yield process


def fits(found: Any, shown: Any) -> bool:
    """Whether a JSON value is what the page shows; "..." there stands for anything."""
    if shown == ANYTHING:
        return True
    if isinstance(shown, dict):
        return (
            isinstance(found, dict)
            and found.keys() == shown.keys()
            and all(fits(found[name], value) for name, value in shown.items())
        )
    if isinstance(shown, list):
        return isinstance(found, list) and len(found) == len(shown) and all(map(fits, found, shown))
    return bool(found == shown)


def test_curl(server: ServerProcess) -> None:
    blocks = [block for guide in GUIDES for block in guide.blocks]
    with_curl = [block for block in blocks if re.search(r"^curl ", block.code, re.M)]
    assert len(with_curl) > 8
    assert [block.line for block in with_curl if block.info != "sh server" and "$ADMIN_KEY" not in block.code] == []
    for block, following in pairwise(blocks):
        if block.info != "sh server":
            continue
        command = block.code.replace(SERVED_AT, server.url)
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=True)
        assert following.info == "json", f"line {block.line}"
        found, shown = json.loads(done.stdout), json.loads(following.code)
        assert fits(found, shown), f"line {block.line}: {done.stdout}"


def test_curl_of_the_start_page(server: ServerProcess) -> None:
    (block,) = [block for block in Guide("index.md").blocks if block.info == "sh"]
    command = block.code.replace(SERVED_AT, server.url)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120, check=True)
    content = json.loads(done.stdout)["choices"][0]["message"]["content"]
    assert json.loads(content) == {"name": "Ada Holm", "age": 36}


def test_python(server: ServerProcess) -> None:
    for guide in GUIDES:
        namespace = guide.run_python(server.url)
        for name in ("stream", "client", "anthropic", "http"):
            if name in namespace:
                namespace[name].close()


def test_every_endpoint_is_named(server: ServerProcess) -> None:
    import httpx

    document = httpx.get(f"{server.url}/openapi.json", timeout=60).json()
    paths = {re.sub(r"/\{.*", "", path) for path in document["paths"]}
    assert sorted(path for path in paths if path not in TEXT) == []


def test_every_metric_is_named(server: ServerProcess) -> None:
    import httpx

    names = re.findall(r"^# TYPE (guided_\w+)", httpx.get(f"{server.url}/metrics", timeout=60).text, re.M)
    shown = {name for name in names if not name.endswith("_created")}
    assert sorted(name for name in shown if f"`{name}`" not in TEXT) == []


def test_every_limit_is_named() -> None:
    from guided.params.limits import RequestLimits
    from guided.server import ServerSettings

    others = ("keys", "cors_origins", "allowed_hosts", "request_limits")
    own = [name for name in ServerSettings.model_fields if name not in others]
    names = [*own, *RequestLimits.model_fields]
    assert [name for name in names if f"--{name.replace('_', '-')}" not in TEXT] == []


def test_every_status_is_named() -> None:
    from guided.server.errors import ERROR_KINDS, Refusal

    table = TEXT.partition("## Errors")[2].partition("## ")[0]
    assert [
        kind.status
        for kind in (*ERROR_KINDS.values(), *(one.value[0] for one in Refusal))
        if str(kind.status) not in table
    ] == []
