"""Compiled grammars, looked at from above: which texts they take, what may come next and why, texts drawn at random.

match.py            how far a text is one of a grammar, and what stops it    (`match_text`)
describe.py         what a grammar expects at a matcher, in words            (`Describer`); documents.py: in a document;
                    rules.py: in rules, by rule_trace.py: which of them a text is in
samples.py          random texts of a grammar, without a model               (`sample_texts`); written.py: one of them,
                    document_samples.py: what is drawn in a document
document_place.py   where in a document a JSON text has got to
schema_places.py    which parts of a schema speak of that place
schema_words.py     what a part of a schema asks for, in words
characters.py       bytes and characters in words

Nothing else needs these: they are for people who write grammars, and for the workbench.
"""
