"""The machine: a push-down automaton over bytes and a vocabulary, that fills bitmasks. Documents are stepped here,
rules in `pushdown`.

It knows the documents it may write only as `frames.Frame`s. `machine.Machine` is its struct.
"""
