"""The compiled grammars of the native backend, and their matchers: a machine together with its completion."""
