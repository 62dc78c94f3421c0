"""Grammars inside other projects' generation loops. Each module imports its own framework; import only the one you
need.
"""
