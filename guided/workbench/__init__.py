"""Grammars and answers for people: where a text fits, what may follow, random texts, diagrams, and an answer token by
token.
"""
