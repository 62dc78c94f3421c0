"""`python -m guided.cli`: the same as `guided`."""

from .main import main

main()
