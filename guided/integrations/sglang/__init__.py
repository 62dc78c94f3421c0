"""The plug-in for SGLang: the grammar backend "guided".

SGLang finds it by the package's entry point, so users import nothing. Without SGLang installed, nothing here is
imported. For usage and supported features see docs/engines.md.
"""
