"""Strings that are quotes of a source text: places in the text instead of states of a DFA."""
