"""The compiled grammars of the native backend, and their matchers: a machine and its completion, put together."""
