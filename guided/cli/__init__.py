"""The `guided` command. Each subcommand is one file; other packages add theirs through the entry points `guided.commands`."""

from .main import main

__all__ = ["main"]
