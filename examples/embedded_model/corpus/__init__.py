"""A generator of short English texts with the facts that they state, for training and testing the embedded model.

`documents.make_document` composes a text from sentence templates (`templates.py`) filled with values (`values.py`, from
the word pools of `pools.py`); `tasks.make_task` asks for a random subset of its facts as typed JSON. Values and
templates are split into a training and a held-out part, so that the test is on what training never saw.
"""
