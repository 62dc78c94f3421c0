"""The `guided` command. Each subcommand is one file, found by the entry points `guided.commands`."""

from .main import main

__all__ = ["main"]
