"""The machine: a push-down automaton over bytes and a vocabulary, that fills bitmasks. Its steppers
are in `documents`, `rules` and `choices`, what one lexeme reads in `lexemes`.

It knows the documents it may write only as `frames.Frame`s. `machine.Machine` is its struct.
"""
