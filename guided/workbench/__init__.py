"""Tools for people about grammars and answers: matching a text, the expected continuation, random texts, an answer
token by token.
"""
