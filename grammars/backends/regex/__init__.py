"""The subset of Python's `re` that backends which take only regexes or grammars can be given, as trees.

The native backend reads whole `re` by `grammars.regex.python_re`; sets of code points are `grammars.regex.charset`'s.

syntax.py     the tree and its constructors
parser.py     Python `re` syntax -> tree
anchors.py    what `^` and `$` mean under full match and under search
rust.py       tree -> pattern for Rust's regex crates
gbnf.py       tree -> expression of GBNF
automaton_size.py   what the automaton of a tree costs, before anybody builds it
utf8.py       how UTF-8 spells sets of characters
"""
