"""`python -m guided.cli` is the same as `guided`."""

from .main import main

main()
