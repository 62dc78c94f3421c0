"""`guided extract`: texts in, typed objects out."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from guided.grammars.errors import InvalidInputError

from ..documents.pieces import Cut
from ..extraction.columns import result_columns
from ..schemas.exact_json import write_json
from .extraction_display import PAGE_CHARS, Display, Tally, render
from .grammar_options import LimitsText, limits_of
from .loading import ModelName, load_llm, load_remote
from .results_file import DIGEST, ResultsFile, check_no_folder
from .sources import SchemaChoice
from .texts import TextSource, check_not_read, load_texts, tell_warning

if TYPE_CHECKING:
    from ..extraction.options import ExtractionOptions
    from ..extraction.quote_marks import Quotes

SHOWN_ALTERNATIVES = 3  # alternatives of a value in a report


def extract(
    paths: Annotated[
        list[str],
        typer.Argument(
            help="Texts (.txt, .md, .html, .pdf, ...), mails (.eml, .mbox), folders of all these, tables with a "
            "text in each row (.jsonl, .csv, .parquet), or - for standard input."
        ),
    ],
    schema: Annotated[
        list[str],
        typer.Option(
            help="What to extract: FILE.json or {...} (JSON Schema), FILE.py:CLASS or MODULE:CLASS (Pydantic model, "
            "dataclass, TypedDict). With several, GLOB=SCHEMA is for the texts whose path, or a folder in it, "
            "matches GLOB."
        ),
    ],
    model: ModelName = None,
    base_url: Annotated[
        str | None,
        typer.Option(
            help="Ask the server there, any in OpenAI's protocol (https://HOST/v1); --model is a name it knows."
        ),
    ] = None,
    api_key_env: Annotated[
        str | None, typer.Option(help="The environment variable that has the key for --base-url.")
    ] = None,
    instructions: Annotated[str | None, typer.Option(help="What to look for, in words, beside the schema.")] = None,
    output: Annotated[
        Path | None,
        typer.Option(
            help="Write the results to this file, and show a bar instead of panels: JSON lines (.jsonl), or a table "
            "(.csv, .parquet, .sqlite). Until all are there they are JSON lines in FILE.partial."
        ),
    ] = None,
    resume: Annotated[
        bool,
        typer.Option(
            "--resume",
            help="Go on with the FILE.partial of a run that was stopped, with the same options: done texts stay. Those "
            "that have changed since, or whose schema has, are read again.",
        ),
    ] = False,
    force: Annotated[
        bool, typer.Option("--force", help="Replace files that are there already (--output, --report).")
    ] = False,
    text_field: Annotated[
        str | None, typer.Option(help="The field or column of a table that has the text. Default: text.")
    ] = None,
    id_field: Annotated[
        str | None,
        typer.Option(help="The field or column of a table that names the text in results. Default: FILE:LINE."),
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
    allow_cut: Annotated[
        bool,
        typer.Option(
            "--allow-cut",
            help="Take documents that their budgets of tokens have cut as they are; without this each is an error.",
        ),
    ] = False,
    max_new_tokens: Annotated[
        int | None,
        typer.Option(
            min=0,
            help="Tokens of a document; 0: all of the context. Default: a bound from the schema and the text's length.",
        ),
    ] = None,
    end_repetition: Annotated[
        bool, typer.Option(help="End documents that write the same words again and again, and say so.")
    ] = True,
    quotes: Annotated[
        bool,
        typer.Option(
            "--quotes",
            help="Free strings must be quotes of the text, and their places are told; numbers and dates must be stated "
            "there.",
        ),
    ] = False,
    free_numbers: Annotated[
        bool, typer.Option("--free-numbers", help="With --quotes: hold the strings alone to the text.")
    ] = False,
    quote: Annotated[
        list[str] | None,
        typer.Option(help="Only this string must be a quote: a name, or a JSON pointer with * for items."),
    ] = None,
    long: Annotated[
        bool,
        typer.Option("--long", help="Cut texts into pieces that fit into the context, and merge what these give."),
    ] = False,
    piece_tokens: Annotated[
        int | None,
        typer.Option(min=1, help="Tokens of a --long text's piece. Default: half of the context, at most 2000."),
    ] = None,
    overlap_tokens: Annotated[
        int | None, typer.Option(min=0, help="Tokens that two pieces share. Default: an eighth of a piece.")
    ] = None,
    limits: LimitsText = None,
    report: Annotated[
        Path | None, typer.Option(help="Write a page (.html) that shows each value where it stands in its text.")
    ] = None,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", help="Print the table at the end only, or with --json the lines; show no progress."),
    ] = False,
) -> None:
    """Read texts into typed objects that always fit the schema.

    Examples:

    guided extract note.txt --schema models.py:Person

    guided extract inbox/ --schema 'orders=models.py:Order' --schema models.py:Person --output found.jsonl

    guided extract mails.jsonl --text-field body --id-field id --schema models.py:Order --output found.jsonl --resume

    guided extract letters/ --schema models.py:Person --quotes --report letters.html

    guided extract book.txt --schema models.py:Person --long --output people.csv

    guided extract letters/ --schema models.py:Person --base-url https://HOST/v1 --model NAME --api-key-env KEY

    echo "Her phone number is 555-0100." | guided extract - --schema person.json --json

    Exit code: 0 if every text gave a valid object; 1 if one did not; 2 for bad input; 130 if interrupted.
    """
    warnings: list[str] = []
    texts = load_texts(paths, text_field, id_field, keep_going=keep_going, warn=warnings.append)
    choice = SchemaChoice(schema)
    schemas = {source.name: choice.source_for(source.name) for source in texts}
    for written in (output, report):
        if written is not None:
            check_not_read(written, [*paths, *choice.sources])
    _check_options(output, report, long=long, sizes=(piece_tokens, overlap_tokens), resume=resume, force=force)
    if base_url is None and api_key_env is not None:
        raise InvalidInputError("--api-key-env is for --base-url")
    held = _quotes(quotes, quote or [], free_numbers=free_numbers)
    # other servers may lack log-probabilities, so there they are requested only if the user wants confidences
    has_confidence = confidence or (base_url is None and (report is not None or long))
    details = {"confidence": has_confidence, "places": held, "conflicts": long}
    columns = result_columns(
        map(choice.schema, dict.fromkeys(schemas.values())), [name for name, is_told in details.items() if is_told]
    )
    results = None if output is None else ResultsFile(output, resume=resume, replace=force, columns=columns)
    load = load_llm if base_url is None else partial(load_remote, base_url, api_key_env)
    with load(model, limits=None if limits is None else limits_of(limits)) as llm:
        from ..extraction.extraction import DEFAULT_PARAMS
        from ..extraction.records import to_record
        from ..extraction.value_bounds import ValueBounds
        from .extraction_run import read_long, read_whole, report_on
        from .run_identity import model_place, run_digest
        from .values_elsewhere import ValuesElsewhere

        options: ExtractionOptions = {"instructions": instructions, "confidence": has_confidence}
        options["bounds"] = ValueBounds() if bounds else None
        options["quotes"] = held
        options["allow_cut"] = allow_cut
        options["end_repetition"] = end_repetition
        options["max_new_tokens"] = "auto" if max_new_tokens is None else max_new_tokens or None
        if report is not None and has_confidence:
            options["params"] = replace(DEFAULT_PARAMS, logprobs=SHOWN_ALTERNATIVES)
        extractors = {name: llm.extractor(choice.schema(name), **options) for name in dict.fromkeys(schemas.values())}
        said = {
            "place": model_place(model, base_url),
            "long": long,
            "sizes": [piece_tokens, overlap_tokens],
            "model": llm.model_name,
            **options,
            "bounds": bounds,
            "params": None,
            "report": report is not None,
        }
        digests = {
            source.name: run_digest(
                source, choice.schema(schemas[source.name]), said | {"schema": schemas[source.name]}
            )
            for source in texts
        }
        for warning in warnings:  # printed once it is clear that the run is not refused
            tell_warning(warning)
        todo = texts if results is None else _not_done(texts, digests, results)
        jobs = [(source, extractors[schemas[source.name]]) for source in todo]
        done = [] if results is None else results.records
        tally = Tally(done, num_chars=sum(len(source.text) for source in todo) if long else None)
        records = {record["source"]: record for record in done}
        elsewhere = None if held or quiet else ValuesElsewhere()
        # errors in the input are raised before any progress bar appears
        whole = None if long else read_whole(jobs, check=not keep_going)
        with _told_where(results), results or nullcontext(), _display(texts, todo, long=long, quiet=quiet) as display:
            cut = Cut(piece_tokens, overlap_tokens)
            found = read_long(jobs, cut, on_piece=display.advance) if whole is None else whole
            for source, extraction in zip(todo, found, strict=True):
                record = to_record(source.name, extraction)
                record |= {"schema": schemas[source.name], "model": llm.model_name, DIGEST: digests[source.name]}
                tally.add(record)
                if elsewhere is not None:
                    elsewhere.add(source, extractors[schemas[source.name]], extraction)
                records[source.name] = record
                if results is not None:
                    results.write(record)
                line = write_json(record) if as_json else None
                panel = None if quiet or results is not None else render(source, extraction)
                display.show(line or panel, num_steps=0 if long else 1)
        if report is not None:
            report_on(report, texts, records, {name: extractors[chosen].schema for name, chosen in schemas.items()})
    for warning in [] if results is None else results.warnings:
        tell_warning(warning)
    if not as_json:
        Console().print(tally.table())
        if (cost := tally.page_cost()) is not None:
            typer.echo(cost)
    if elsewhere is not None and (hint := elsewhere.hint()) is not None:
        typer.echo(hint, err=as_json)
    if report is not None:
        typer.echo(f"the report is in {report}", err=as_json)
    if tally.num_valid + (tally.num_cut if allow_cut else 0) < len(texts):
        raise typer.Exit(1)


def _check_options(
    output: Path | None,
    report: Path | None,
    *,
    long: bool,
    sizes: tuple[int | None, int | None],
    resume: bool,
    force: bool,
) -> None:
    """Raise InvalidInputError for options without effect, and for a report that can't be written. sizes: piece and
    overlap, in tokens.
    """
    if output is None and resume:
        raise InvalidInputError("--resume goes on with an --output file; give its name")
    if output is None and report is None and force:
        raise InvalidInputError("--force replaces an --output file; give its name, or that of a --report")
    if not long and sizes != (None, None):
        raise InvalidInputError("--piece-tokens and --overlap-tokens are for --long")
    if report is not None:
        _check_report(report, force=force)


def _check_report(report: Path, *, force: bool) -> None:
    if report.suffix.lower() not in (".html", ".htm"):
        raise InvalidInputError(f"a report is a page; give {report} the suffix .html")
    check_no_folder(report)
    if report.exists() and not force:
        raise InvalidInputError(f"{report} is there already; give --force to replace it, or another name")
    if not report.parent.is_dir() or not os.access(report if report.exists() else report.parent, os.W_OK):
        raise InvalidInputError(f"can't write to {str(report)!r}")


def _quotes(are_all: bool, named: list[str], *, free_numbers: bool) -> Quotes:
    if are_all and named:
        raise InvalidInputError("--quotes is for all free strings; leave out --quote")
    if free_numbers and not are_all:
        raise InvalidInputError("--free-numbers is for --quotes, which holds numbers to the text, too")
    return "strings" if free_numbers else named or are_all


def _display(texts: Sequence[TextSource], todo: Sequence[TextSource], *, long: bool, quiet: bool) -> Display:
    """A progress bar over texts, or over the pages of long texts; hidden with `quiet`."""
    if not long:
        return Display(len(texts) - len(todo), len(texts), has_bar=not quiet)
    left, total = (sum(len(source.text) for source in some) for some in (todo, texts))
    return Display(total - left, total, "pages", PAGE_CHARS, has_bar=not quiet)


@contextmanager
def _told_where(results: ResultsFile | None) -> Iterator[None]:
    """If the run is interrupted, print where its results are."""
    try:
        yield
    except KeyboardInterrupt:
        if results is not None and results.records:
            typer.echo(f"{len(results.records)} results are in {results.partial}; --resume goes on with them", err=True)
        raise


def _not_done(texts: Sequence[TextSource], digests: Mapping[str, str], results: ResultsFile) -> list[TextSource]:
    """The texts without a result in the file. Warns how many results are of other texts, schemas or options."""
    num_left_out = results.keep(digests)
    if num_left_out:
        num_results = f"{num_left_out} of {len(results.records) + num_left_out} results in {results.partial}"
        tell_warning(f"{num_results} are of other texts, schemas or options and left out; texts without one are read")
    done = {record["source"] for record in results.records}
    return [source for source in texts if source.name not in done]
