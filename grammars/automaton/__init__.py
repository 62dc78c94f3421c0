"""The machine: a push-down automaton over JSON text and a vocabulary, that fills bitmasks.

It knows the documents it may write only as `frames.Frame`s. `machine.Machine` is the entry.
"""
