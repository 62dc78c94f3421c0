"""The workbench: a page where one writes a grammar, sees how it is enforced, and watches a model write under it.

static/ has the files for the browser: plain modules, which need no build. bundle/ makes static/vendor/ from third-party
packages.
"""
