"""Tables of cases that drive every grammar backend."""
