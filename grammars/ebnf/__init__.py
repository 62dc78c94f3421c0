"""EBNF grammars in several dialects -> one rule graph: `read_ebnf`.

gbnf         llama.cpp's GBNF                       xgrammar   the EBNF of xgrammar, and of SGLang's `ebnf`
w3c          the notation of the XML specification  lark       Lark's, with llguidance's extensions

All are read as scannerless: a text belongs to a grammar when its rules can spell it, however it would be cut into
terminals. Recursion is for the machine that runs the graph (grammars/rules) to judge.

source.py scanner.py parser.py         the text, its tokens, its tree (by lark's LALR parser)
syntax.py languages.py graph.py        nodes; regular ones as Languages; the graph
syntax_tree.py                         from lexemes to nodes
literals.py tokens.py                  strings, classes and tokens, as several dialects have them
recognise.py                           which dialect a text is written in
"""

from .recognise import DIALECTS, read_ebnf

__all__ = ["DIALECTS", "read_ebnf"]
