"""The machine: a push-down automaton over bytes and a vocabulary, which fills bitmasks.

The steppers are in `documents`, `rules` and `choices`. The lazy DFAs that read single lexemes are in `lexemes`. The
machine knows the documents that it may write only as `frames.Frame`s. `machine.Machine` is its struct.
"""
