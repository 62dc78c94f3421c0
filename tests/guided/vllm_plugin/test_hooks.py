"""`tests.engines.hooks` on wheels made here; vLLM is not needed."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.engines.hooks import Wheels, hooks_of, imports_of, main


@pytest.mark.parametrize(("engine", "num_hooks"), [("vllm", 18), ("sglang", 3)])
def test_all_hooks_are_found_in_our_sources(engine: str, num_hooks: int) -> None:
    found = hooks_of(engine)
    assert len(found) == num_hooks
    assert all(place.count(":") == 1 and "None" not in place for place in found)
    assert all(all(isinstance(name, str) for name in parameters) for parameters in found.values())


def wheel(path: Path, source: str, others: str = "") -> Path:
    with ZipFile(path, "w") as archive:
        archive.writestr("sglang/__init__.py", "")
        archive.writestr("sglang/srt/managers/schedule_batch.py", source)
        archive.writestr("sglang/srt/constrained/grammar_manager.py", others)
    return path


def test_what_is_missing_and_what_differs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    finished = "class Req:\n    def update_finish_state(self, new_accepted_len): {}\n"
    managers = "class GrammarManager:\n    def process_req_with_grammar(self, request): pass\n"
    new = wheel(tmp_path / "new.whl", "from sglang.other import Req\n", managers)
    with ZipFile(new, "a") as archive:
        archive.writestr("sglang/other.py", finished.format("return 1"))
    old = wheel(tmp_path / "old.whl", finished.format("return 2"), managers)
    monkeypatch.setattr(sys, "argv", ["hooks", str(new), "--beside", str(old)])
    with pytest.raises(SystemExit) as ended:
        main()
    printed = capsys.readouterr().out
    assert ended.value.code == 1
    assert "GrammarManager.process_req_with_grammar takes ('self', 'request'), not ('self', 'req') first\n" in printed
    assert "GrammarManager._apply_request_reasoning_config is missing\n" in printed
    assert "Req.update_finish_state differs\n" in printed
    assert printed.endswith(f"sglang: 1 of 3 hooks, 2 of {len(imports_of('sglang'))} imported names\n")


def test_relative_imports_are_followed(tmp_path: Path) -> None:
    path = tmp_path / "new.whl"
    with ZipFile(path, "w") as archive:
        archive.writestr("vllm/__init__.py", "from .parts import run as start\nfrom . import _compiled\n")
        archive.writestr("vllm/parts/__init__.py", "from .one import run\n")
        archive.writestr("vllm/parts/one.py", "from ..two import run\n")
        archive.writestr("vllm/two.py", "def run(): pass\n")
    wheels = Wheels([path])
    for place in ("vllm:start", "vllm.parts:run", "vllm.parts.one:run"):
        assert isinstance(wheels.find(place), ast.FunctionDef)
    assert isinstance(wheels.find("vllm:_compiled"), ast.ImportFrom)


def test_a_wheel_of_no_engine_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "other.whl"
    with ZipFile(path, "w") as archive:
        archive.writestr("other/__init__.py", "")
    monkeypatch.setattr(sys, "argv", ["hooks", str(path)])
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    assert f"none of vllm, sglang is in {path}" in capsys.readouterr().err
