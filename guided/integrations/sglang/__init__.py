"""The plug-in for SGLang: the grammar backend "guided".

SGLang finds it by the entry point of the installed package; nothing needs to be imported by its users. Nothing here is
imported where SGLang is not installed. How to use it, and what works: docs/engines.md.
"""
