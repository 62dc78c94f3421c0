"""Some grammars of the fuzzer that asks other libraries, and whether it would find a fault."""

from __future__ import annotations

import pytest

from guided.grammars.ebnf import lazy_rules
from tests.backends_table import is_installed

from .command import fuzz
from .peer_grammars import look

pytestmark = pytest.mark.skipif(
    not (is_installed("llguidance") and is_installed("xgrammar")), reason="needs pip install 'guided[backends]'"
)


def test_random_grammars() -> None:
    assert fuzz(look, seed=3, cases=40, seconds=20) == []


def test_it_finds_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_rules._Places, "behind", lambda places, part: frozenset())
    assert fuzz(look, seed=3, cases=40)
