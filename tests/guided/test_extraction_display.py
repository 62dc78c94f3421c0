"""What `guided extract` shows of a text, and the table at the end."""

from __future__ import annotations

from dataclasses import replace

import pytest
from rich.console import Console, RenderableType

from guided.cli.extraction_display import Tally, render
from guided.cli.texts import TextSource
from guided.errors import OutputCutError
from guided.extraction.extraction import ExtractionTarget
from guided.extraction.records import to_record
from tests.guided.extraction.test_extract import completion_of


def shown(what: RenderableType) -> str:
    console = Console(width=100, color_system=None)
    with console.capture() as captured:
        console.print(what)
    return captured.get()


@pytest.mark.parametrize("is_shortened", [True, False])
def test_a_document_that_was_cut_counts_apart(is_shortened: bool) -> None:
    completion = replace(completion_of("[1]"), closed_in_budget=is_shortened)
    found = ExtractionTarget[list[int]](list[int]).read(completion)
    assert found.value == [1]
    assert isinstance(found.error, OutputCutError) == is_shortened
    assert (
        "valid: yes   cut by its budget of tokens" in shown(render(TextSource("a", "1 2 3"), found))
    ) == is_shortened
    whole = to_record("b", replace(found, completion=completion_of("[1]"), error=None))
    older = {key: value for key, value in whole.items() if key != "shortened"}
    tally = Tally([whole, older])
    tally.add(to_record("a", found))
    table = shown(tally.table())
    assert ("cut" in table) == is_shortened
    cells = [word for word in table.split() if word.isdecimal()]
    assert cells[:3] == (["3", "2", "1"] if is_shortened else ["3", "3", str(tally.num_tokens)])
