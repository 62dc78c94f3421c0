"""The plug-in for vLLM: the structured-output backend "guided", and this project's logit processors.

vLLM finds it by the package's entry points, so users import nothing. Without vLLM installed, nothing here is imported.
For usage and supported features see docs/engines.md.
"""
