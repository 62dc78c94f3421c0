"""The plug-in for vLLM: the structured-output backend "guided", and this project's logits processors.

vLLM finds it by the entry points of the installed package; nothing needs to be imported by its users. Nothing here is
imported where vLLM is not installed. How to use it, and what works: docs/engines.md.
"""
