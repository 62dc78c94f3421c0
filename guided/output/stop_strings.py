"""`StopStrings`: where a text meets one of many strings, one character at a time, however many they are.

The automaton of Aho and Corasick (Communications of the ACM 18, 1975): a state is the longest end of the text that
begins one of the strings. A character takes constant time on average, and building takes about 1 us a character.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence


class StopStrings:
    """The automaton; state 0 is the start. Shared by any number of texts. strings: none of them empty."""

    def __init__(self, strings: Sequence[str]) -> None:
        self._following: list[dict[str, int]] = [{}]  # goto
        self._shorter = [0]  # failure: the state of the next shorter end of the text
        self._depths = [0]
        self._longest = [0]  # of the strings that end here, the longest one's length; 0: none does
        for text in strings:
            self._add(text)
        self._link()

    def step(self, state: int, character: str) -> int:
        """The state after one more character."""
        while state and character not in self._following[state]:
            state = self._shorter[state]
        return self._following[state].get(character, 0)

    def match_length(self, state: int) -> int:
        """The length of the longest string that is complete; 0 where none is."""
        return self._longest[state]

    def open_length(self, state: int) -> int:
        """How much of the text's end may still become one of the strings."""
        while state and not self._following[state]:
            state = self._shorter[state]
        return self._depths[state]

    def _add(self, text: str) -> None:
        state = 0
        for character in text:
            following = self._following[state].get(character)
            if following is None:
                following = self._following[state][character] = len(self._depths)
                self._following.append({})
                self._shorter.append(0)
                self._depths.append(self._depths[state] + 1)
                self._longest.append(0)
            state = following
        self._longest[state] = len(text)

    def _link(self) -> None:
        """The states of shorter ends, those of short texts first."""
        waiting = deque(self._following[0].values())
        while waiting:
            state = waiting.popleft()
            self._longest[state] = self._longest[state] or self._longest[self._shorter[state]]
            for character, following in self._following[state].items():
                self._shorter[following] = self.step(self._shorter[state], character)
                waiting.append(following)
