"""Grammars and answers for people: where a text fits, what may follow, random texts, and an answer token by
token.
"""
