"""Regular expressions over Unicode code points, as trees: parse Python `re` patterns, build, measure and print them.

charset.py    sets of code points
syntax.py     the tree and its constructors
parser.py     Python `re` syntax -> tree
anchors.py    what `^` and `$` mean under full match and under search
rust.py       tree -> pattern for Rust's regex crates
automaton_size.py   what the automaton of a tree costs, before anybody builds it
"""
