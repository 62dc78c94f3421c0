"""`guided extract`: texts in, typed objects out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence, Set
from contextlib import contextmanager, nullcontext
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from guided.grammars.errors import InvalidInputError

from ..documents.columns import result_columns
from .extraction_display import Display, Tally, render
from .model import ModelName, load_model
from .results_file import ResultsFile
from .sources import SchemaChoice
from .texts import TextSource, load_texts

if TYPE_CHECKING:
    from ..extraction.options import ExtractionOptions


def extract(
    paths: Annotated[
        list[str],
        typer.Argument(
            help="Texts (.txt, .md, .html, .pdf, ...), folders of them, tables with a text in each row (.jsonl, .csv, "
            ".parquet), or - for standard input."
        ),
    ],
    schema: Annotated[
        list[str],
        typer.Option(
            help="What to extract: FILE.json (JSON Schema), FILE.py:CLASS or MODULE:CLASS (Pydantic model, dataclass, "
            "TypedDict). With several, GLOB=SCHEMA is for the texts whose path, or a folder in it, matches GLOB."
        ),
    ],
    model: ModelName = None,
    instructions: Annotated[str | None, typer.Option(help="What to look for, in words, beside the schema.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write the results to this file: JSON lines (.jsonl), or a table (.csv, .parquet, .sqlite). Until all "
            "are there they are JSON lines in FILE.partial."
        ),
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with the FILE.partial of a run that was stopped: done texts stay.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace an --output file that is there already.")] = False,
    text_field: Annotated[str, typer.Option(help="The field or column of a table that has the text.")] = "text",
    id_field: Annotated[
        str | None, typer.Option(help="The field or column that names the text in results. Default: FILE:LINE.")
    ] = None,
    confidence: Annotated[
        bool, typer.Option("--confidence", help="Say how sure the model is of each field, by JSON pointer.")
    ] = False,
    bounds: Annotated[
        bool,
        typer.Option(
            help="Bound what the schema leaves open: 2000 characters of a string, 18 digits of a number, 200 items."
        ),
    ] = True,
    keep_going: Annotated[
        bool,
        typer.Option(
            "--keep-going",
            help="Go on past texts that can't be read (too long, empty, not UTF-8, lines without the field): results "
            "with an error.",
        ),
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON line for each text instead of panels.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Print the table at the end only.")] = False,
) -> None:
    """Read texts into typed objects that always fit the schema.

    Examples:

    guided extract note.txt --schema models.py:Person

    guided extract inbox/ --schema 'orders=models.py:Order' --schema models.py:Person --output found.jsonl

    guided extract mails.jsonl --text-field body --id-field id --schema models.py:Order --output found.jsonl --resume

    echo "Her phone number is 555-0100." | guided extract - --schema person.json --json

    Exit code: 0 when every text gave a valid object, 1 when one did not, 2 for bad input, 130 when interrupted.
    """
    texts = load_texts(paths, text_field, id_field, keep_going=keep_going)
    for source in texts:
        if source.warning is not None:
            typer.echo(f"warning: {source.warning}", err=True)
    choice = SchemaChoice(schema)
    schemas = {source.name: choice.source_for(source.name) for source in texts}
    if output is None and (resume or force):
        used = "--resume goes on with" if resume else "--force replaces"
        raise InvalidInputError(f"{used} an --output file; give its name")
    columns = result_columns(map(choice.schema, dict.fromkeys(schemas.values())), ["confidence"] if confidence else [])
    results = None if output is None else ResultsFile(output, resume=resume, replace=force, columns=columns)
    with load_model(model) as llm:
        from ..extraction.extractor import RunningExtraction, extract_in_order
        from ..extraction.records import to_record
        from ..extraction.value_bounds import ValueBounds

        common = {"model": llm.model_name, "instructions": instructions}
        identities = {name: {"schema": chosen, **common} for name, chosen in schemas.items()}
        todo = texts if results is None else _not_done(texts, results.done(identities))
        options: ExtractionOptions = {"instructions": instructions, "confidence": confidence}
        options["bounds"] = ValueBounds() if bounds else None
        extractors = {name: llm.extractor(choice.schema(name), **options) for name in dict.fromkeys(schemas.values())}
        if not keep_going:
            for source in todo:
                extractors[schemas[source.name]].check(source.text, source.name)

        def start(source: TextSource) -> RunningExtraction[Any]:
            extractor = extractors[schemas[source.name]]
            return (
                extractor.start(source.text) if source.problem is None else RunningExtraction(extractor, source.problem)
            )

        starts = [partial(start, source) for source in todo]
        tally = Tally([] if results is None else results.records)
        with _told_where(results), results or nullcontext(), Display(len(texts) - len(todo), len(texts)) as display:
            for source, extraction in zip(todo, extract_in_order(starts), strict=True):
                record = to_record(source.name, extraction) | identities[source.name]
                tally.add(record)
                if results is not None:
                    results.write(record)
                line = json.dumps(record, ensure_ascii=False) if as_json else None
                display.show(None if quiet else line or render(source, extraction))
    if not as_json:
        Console().print(tally.table())
    if tally.num_valid < len(texts):
        raise typer.Exit(1)


@contextmanager
def _told_where(results: ResultsFile | None) -> Iterator[None]:
    """Say where an interrupted run's results are."""
    try:
        yield
    except KeyboardInterrupt:
        if results is not None and results.records:
            typer.echo(f"{len(results.records)} results are in {results.partial}; --resume goes on with them", err=True)
        raise


def _not_done(texts: Sequence[TextSource], done: Set[str]) -> list[TextSource]:
    return [source for source in texts if source.name not in done]
