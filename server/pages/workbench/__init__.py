"""The workbench: a page on which one writes a grammar, sees how it is enforced, and watches a model write under it.

static/ is what the browser gets, plain modules that need no build; bundle/ makes static/vendor/ of others' packages.
"""
