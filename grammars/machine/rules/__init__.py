"""The rules of general grammars, as the machine steps them, with the documents in them."""
