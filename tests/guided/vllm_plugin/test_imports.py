"""Changes of modules as soon as they are imported."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from pathlib import Path

import pytest

from guided.integrations.vllm.imports import after_import


def test_a_look_at_a_module_keeps_its_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = "guided_test_module_that_comes_late"
    done: list[str] = []
    monkeypatch.syspath_prepend(str(tmp_path))
    after_import(name, lambda: done.append(name))
    assert importlib.util.find_spec(name) is None
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(name)
    (tmp_path / f"{name}.py").write_text("VALUE = 1\n")
    importlib.invalidate_caches()
    assert importlib.util.find_spec(name) is not None
    assert done == []
    assert importlib.import_module(name).VALUE == 1
    assert done == [name]
    monkeypatch.delitem(sys.modules, name)
