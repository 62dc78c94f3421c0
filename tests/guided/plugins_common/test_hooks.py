"""Changing another library's functions: once, only as expected, and not before they are imported."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from guided.integrations.common.engines import VLLM, HostEngine
from guided.integrations.common.errors import EngineInternalsError
from guided.integrations.vllm.imports import after_import


class Owner:
    def add(self, one: int, two: int = 1) -> int:
        """What it does."""
        return one + two

    value = 3


@pytest.fixture(autouse=True)
def known_version(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(HostEngine, "version", "0.99.1")


def doubled(original: Callable[..., int]) -> Callable[..., int]:
    return lambda *arguments: 2 * original(*arguments)


def test_a_hook_wraps_once() -> None:
    for _ in range(3):
        VLLM.hook(Owner, "add", ("self", "one"), doubled)
    assert Owner().add(1, 2) == 6
    assert Owner.add.__doc__ == "What it does."


@pytest.mark.parametrize(
    ("name", "parameters", "found"),
    [
        ("gone", ("self",), "Owner.gone is missing"),
        ("value", ("self",), "Owner.value is no plain function"),
        ("other", ("self", "two"), r"takes \(self, one\), not \(self, two, ...\)"),
    ],
)
def test_a_changed_place_is_named(name: str, parameters: Any, found: str) -> None:
    def other(self: Any, one: int) -> None:
        pass

    owner = type("Owner", (Owner,), {"other": other, "value": 3})
    with pytest.raises(EngineInternalsError, match=rf"can't work with vLLM 0.99.1: .*{found}"):
        VLLM.hook(owner, name, parameters, doubled)


def test_an_untested_version_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    assert VLLM.warn_if_untested()
    assert "was tested with vLLM 0.32.x, and this is 0.99.1" in caplog.text


@pytest.fixture
def module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    (tmp_path / "module_for_hooks.py").write_text("value = 1\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(sys.modules, "module_for_hooks", raising=False)
    return "module_for_hooks"


def test_a_module_is_changed_when_it_is_imported(module: str) -> None:
    seen: list[int] = []
    after_import(module, lambda: seen.append(sys.modules[module].value))
    assert module not in sys.modules
    assert not seen
    importlib.import_module(module)
    assert seen == [1]
    after_import(module, lambda: seen.append(2))
    assert seen == [1, 2], "it is there already"


def test_a_changed_place_concerns_those_who_use_the_plug_in(module: str, caplog: pytest.LogCaptureFixture) -> None:
    """The import goes on, however the hook fails, with one warning. Whoever uses what is hooked gets the error."""
    engine = HostEngine("Engine", "engine", ("1.0",), "choose another")

    def lacks() -> None:
        raise engine.internals_error("a place", "is missing")

    def breaks() -> None:
        importlib.import_module("module_for_hooks_gone")

    engine.require_hooks()
    for _ in range(2):
        for hook in (lacks, breaks):
            after_import(module, engine.try_hook(hook))
        assert importlib.import_module(module).value == 1
    lacking, breaking = caplog.messages
    assert "a place is missing. Install" in lacking
    assert "the place of breaks has changed: ModuleNotFoundError" in breaking
    assert breaking.endswith("or choose another. Until then it can't be used; all else of Engine is as it was")
    with pytest.raises(EngineInternalsError, match=r"can't work with Engine 0\.99\.1: a place is missing"):
        engine.require_hooks()
