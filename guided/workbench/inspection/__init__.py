"""Tools that answer questions about a compiled grammar, for people who write grammars and for the workbench.

    match.py             how far a text is valid, and what stops it (`match_text`)
    describe.py          what may come next, in words (`Describer`)
    documents.py         `Describer`'s part for JSON documents
    expected.py          the answer of all describers (`Expected`)
    samples.py           random texts of a grammar, without a model (`sample_texts`)
    written.py           one text while `samples.py` draws it
    schema_places.py     which parts of a schema apply to a place in a document
    schema_words.py      what a part of a schema asks for, in words
    native_state.py      which document and state a matcher of the native backend is in
    characters.py        bytes and characters in words

No other package of the engine imports this one.
"""
