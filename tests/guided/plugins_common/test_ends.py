"""Which tokens may end a request's text."""

from __future__ import annotations

import numpy as np

from guided.grammars import Vocabulary, allowed_token_ids
from guided.grammars.bitset import pack_token_ids
from guided.integrations.common.ends import Ends

EOS, OTHER_EOS = 40, 41
VOCABULARY = Vocabulary([bytes([65 + i]) for i in range(40)] + [None, None], [EOS, OTHER_EOS])


def adjusted(ends: Ends, allowed: list[int], position: int = 0, *, is_complete: bool) -> list[int]:
    row = pack_token_ids(np.array(allowed), VOCABULARY.size)
    ends.adjust(row, position, is_complete=is_complete)
    return allowed_token_ids(row, VOCABULARY.size).tolist()


def test_stop_tokens_of_the_user_are_allowed_where_the_text_is_complete_and_nowhere_else() -> None:
    ends = Ends(VOCABULARY, {EOS, 7, 9999, -1})
    assert ends.stop_token_ids == {7}
    assert adjusted(ends, [1, 7], is_complete=False) == [1]
    assert adjusted(ends, [1, EOS], is_complete=True) == [1, 7, EOS]
    assert adjusted(ends, [7], is_complete=False) == [7], "nothing else is left, so it may come"


def test_the_text_goes_on_until_min_tokens_where_it_can() -> None:
    ends = Ends(VOCABULARY, {7}, min_tokens=3)
    assert adjusted(ends, [1, EOS, OTHER_EOS], 2, is_complete=True) == [1]
    assert adjusted(ends, [1, EOS, OTHER_EOS], 3, is_complete=True) == [1, 7, EOS, OTHER_EOS]
    assert adjusted(ends, [EOS, OTHER_EOS], 0, is_complete=True) == [7, EOS, OTHER_EOS], "the document's end wins"


def test_ends_can_be_left_out_where_another_is_there() -> None:
    ends = Ends(VOCABULARY, (), without={OTHER_EOS})
    assert adjusted(ends, [1, EOS, OTHER_EOS], is_complete=True) == [1, EOS]
    assert adjusted(ends, [OTHER_EOS], is_complete=True) == [OTHER_EOS]
