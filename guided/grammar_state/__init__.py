"""The state of one text in its grammar, for all engines and plug-ins. Nothing here imports one of them."""
