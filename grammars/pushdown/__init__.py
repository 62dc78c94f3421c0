"""The machine of general grammars: a push-down automaton over bytes for a network of rules, that fills bitmasks.

`compiled.GeneralGrammar` is the entry.
"""
