"""Every public error class has a line of its own in the table of HTTP answers."""

from __future__ import annotations

import inspect

import pytest

import guided.errors
import guided.grammars.errors
import guided.server.errors
from guided.grammars.errors import GuidedError
from guided.server.errors import ERROR_KINDS

MODULES = (guided.grammars.errors, guided.errors, guided.server.errors)
CLASSES = [
    kind
    for module in MODULES
    for _, kind in inspect.getmembers(module, inspect.isclass)
    if issubclass(kind, GuidedError) and kind.__module__ == module.__name__
]


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_every_error_has_an_answer(kind: type[GuidedError]) -> None:
    answer = ERROR_KINDS[kind]
    assert 400 <= answer.status < 600
    assert (answer.type == "server_error") == (answer.status >= 500)
    assert answer.status < 500 or answer.code
