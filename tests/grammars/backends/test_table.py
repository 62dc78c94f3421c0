"""Every backend does every case of its kinds, but for the exclusions; and docs/backends.md says so."""

from __future__ import annotations

from functools import cache

import pytest

from guided.grammars.backends.registry import backend_names, get_backend
from guided.grammars.errors import BackendNotInstalledError
from tests.backends_table import DOCUMENT, Outcome, check, document_with, is_installed, run_all, table
from tests.cases.exclusions import EXCLUSIONS


@cache
def outcomes_of(backend: str) -> tuple[Outcome, ...]:
    return tuple(run_all(backend))


def skip_if_missing(backend: str) -> None:
    if not is_installed(backend):
        pytest.skip(f"{backend} is not installed; pip install 'guided-generation[backends]'")


@pytest.mark.parametrize("backend", backend_names())
def test_cases(backend: str) -> None:
    skip_if_missing(backend)
    problems = check([*outcomes_of(backend)])
    assert not problems, "\n".join(problems)


def test_document_is_what_the_run_gives() -> None:
    for backend in backend_names():
        skip_if_missing(backend)
    outcomes = [outcome for backend in backend_names() for outcome in outcomes_of(backend)]
    assert DOCUMENT.read_text(encoding="utf-8") == document_with(table(outcomes)), "run python -m tests.backends_table"


def test_native_has_no_exclusions() -> None:
    assert "native" not in EXCLUSIONS


@pytest.mark.parametrize("backend", ["llguidance", "xgrammar"])
def test_error_names_the_extra(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """As if the library were not there: an entry None in sys.modules makes its import fail."""
    monkeypatch.setitem(__import__("sys").modules, backend, None)
    monkeypatch.delitem(__import__("sys").modules, f"guided.grammars.backends.{backend}", raising=False)
    monkeypatch.setattr("guided.grammars.backends.registry._loaded", {})
    with pytest.raises(BackendNotInstalledError, match=r"guided-generation\[backends\]"):
        get_backend(backend)
