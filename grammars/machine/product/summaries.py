"""`Summaries`: the states q at the end of a document, from a configuration inside it, for documents of any depth.

A search through stacks would not end if a schema is recursive and no text exists. The effect of a container is
therefore computed once for each frame below it, and used again whenever a text enters the container above that frame.
The equations are those of reachability in pushdown systems (Bouajjani, Esparza, Maler 1997), solved on demand. Captures
are passed without their texts.
"""

from __future__ import annotations

import operator
from typing import NamedTuple

from ...solver import Evaluation, Solver
from .. import layout as at
from ..rules.tables import RuleTables
from .machines import Workspace, undecided
from .steps import look_around


class SummaryNode(NamedTuple):
    """A configuration in a container (or in the value of a frame). Deeper frames do not matter inside the container.

    root: the document's frame.
    below: the frame below the top one; 0 for none.
    top: the top frame.
    code: the machine's code.
    q: state of the regular side.
    """

    root: int
    below: int
    top: int
    code: int
    q: int


Exit = tuple[int, int, int]
"""Code, top frame and q when the container was closed; (DONE, 0, q) when the document has ended."""

Call = tuple[SummaryNode, int]
"""The start of a container, and the frame in which it was entered."""

Steps = tuple[set[Exit], list[SummaryNode], list[Call]]
"""The results of one byte: exits, configurations of the same container, containers that are entered."""


class Summaries:
    """The answers for the documents of one automaton. has_captures: True if any text visited passed a capture."""

    def __init__(self, automaton: RuleTables, workspace: Workspace, max_nodes: int) -> None:
        self._automaton = automaton
        self._workspace = workspace
        self._max_nodes = max_nodes
        self._steps: dict[SummaryNode, Steps] = {}
        self._solver: Solver[SummaryNode, frozenset[Exit]] = Solver(self._evaluate, frozenset(), operator.gt)
        self.has_captures = False

    def exits(self, code: int, stack: int, q: int) -> set[int]:
        """Return the states q at the possible ends of a document, from a configuration. Raises LimitExceededError."""
        frames = self._frames(stack)
        here = {(code, frames[0], q)}
        for index in range(len(frames)):
            below = frames[index + 1] if index + 1 < len(frames) else 0
            here = {exit_ for c, top, p in here for exit_ in self._solver(SummaryNode(frames[-1], below, top, c, p))}
        return {end for _, _, end in here}

    def _evaluate(self, node: SummaryNode) -> Evaluation[SummaryNode, frozenset[Exit]]:
        """Compute the exits of a node."""
        if node.code == at.DONE:  # the container that was left was the last of the document
            return frozenset([(at.DONE, 0, node.q)])
        exits, following, calls = self._steps_from(node)
        found = set(exits)
        for other in following:
            found |= yield other
        for entered, below in calls:
            for code, top, q in (yield entered):
                found |= yield SummaryNode(node.root, below, top, code, q)
        return frozenset(found)

    def _steps_from(self, node: SummaryNode) -> Steps:
        """Return the results of one byte, see `Steps`; computed once for each node. Raises LimitExceededError."""
        known = self._steps.get(node)
        if known is None:
            if len(self._steps) >= self._max_nodes:
                self._steps.clear()
                raise undecided(self._max_nodes)
            known = self._steps[node] = self._look_around(node)
        return known

    def _look_around(self, node: SummaryNode) -> Steps:
        """Compute the results of one byte, see `Steps`."""
        stack = self._stack(node)
        workspace, resume = self._workspace, 0

        def look() -> int | None:
            nonlocal resume
            is_going_on, resume = resume, 1
            found: int | None = look_around(
                workspace.address, workspace.product.address, node.code, stack, node.q, is_going_on
            )
            return found

        workspace.requests.run(look)
        exits: set[Exit] = set()
        following: list[SummaryNode] = []
        calls: list[Call] = []
        depth = len(self._frames(stack))
        for code, after, q, captured in self._workspace.pairs().tolist():
            self.has_captures |= bool(captured)
            if code == at.DONE:
                exits.add((at.DONE, 0, q))
                continue
            frames = self._frames(after)
            if len(frames) < depth:
                exits.add((code, frames[0], q))
            elif len(frames) == depth:
                following.append(SummaryNode(node.root, node.below, frames[0], code, q))
            else:
                calls.append((SummaryNode(node.root, frames[1], frames[0], code, q), node.below))
        return exits, following, calls

    def _frames(self, stack: int) -> list[int]:
        """Return the frames of a document on a stack, the top one first. For its root frame, return the `lone_root`."""
        found: list[int] = []
        while stack:
            if self._automaton.is_root(stack):
                return [*found, self._automaton.lone_root(stack)]
            frame, stack = self._automaton.machine.top(stack)
            found.append(frame)
        return found

    def _stack(self, node: SummaryNode) -> int:
        """Return a stack with the frames of a node."""
        stack = self._automaton.push(0, node.root)
        for frame in (node.below, node.top):
            stack = self._automaton.push(stack, frame) if frame and frame != node.root else stack
        return stack
