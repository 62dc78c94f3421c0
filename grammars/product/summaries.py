"""`Summaries`: in which q a document can end from a configuration, for documents of any depth.

A search through stacks would not end where a schema is recursive and no text is found. So what a container does is
found once for each frame below it, and used wherever that container is entered there: the equations are those of
reachability in pushdown systems (Bouajjani, Esparza, Maler 1997), solved for what is asked. Captures are passed without
their texts.
"""

from __future__ import annotations

from typing import NamedTuple

from ..automaton import layout as at
from ..watch import checkpoint
from .machines import RunMachine, Workspace, undecided
from .steps import look_around, push_frame


class Node(NamedTuple):
    """A configuration in a container (or in the value of a frame): what the frames below are, but for one, does not
    matter.

    below: the frame below the top one, 0 for none; top: the top one.
    """

    below: int
    top: int
    code: int
    q: int


Exit = tuple[int, int, int]
"""Code, top frame and q when the container was closed; (DONE, 0, q) when the document has ended."""

_Call = tuple[Node, int]  # the start of a container, and the frame in which it was entered


class Summaries:
    """The answers for one document machine. has_captures: whether any text looked at passed a capture."""

    def __init__(self, machine: RunMachine, workspace: Workspace, max_nodes: int) -> None:
        self._machine = machine
        self._workspace = workspace
        self._max_nodes = max_nodes
        self._exits: dict[Node, set[Exit]] = {}
        self._steps: dict[Node, tuple[set[Exit], list[Node], list[_Call]]] = {}
        self._askers: dict[Node, set[Node]] = {}
        self._waiting: dict[Node, None] = {}
        self.has_captures = False

    def exits(self, code: int, stack: int, q: int) -> int:
        """The q in which a document may end from a configuration, as the bits of an int. Raises LimitExceededError."""
        frames = self._frames(stack)
        here = {(code, frames[0], q)}
        for index in range(len(frames)):
            below = frames[index + 1] if index + 1 < len(frames) else 0
            here = {exit_ for c, top, p in here for exit_ in self._solved(Node(below, top, c, p))}
        found = 0
        for _, _, end in here:
            found |= 1 << end
        return found

    def _solved(self, node: Node) -> set[Exit]:
        if node not in self._exits:
            self._add(node)
            while self._waiting:
                checkpoint()
                asker, _ = self._waiting.popitem()
                found = self._evaluate(asker)
                if len(found) > len(self._exits[asker]):
                    self._exits[asker] = found
                    self._waiting.update(dict.fromkeys(self._askers.get(asker, ())))
        return self._exits[node]

    def _add(self, node: Node) -> None:
        if len(self._exits) >= self._max_nodes:
            self._forget()
            raise undecided(self._max_nodes)
        self._exits[node] = set()
        self._waiting[node] = None

    def _forget(self) -> None:
        """Everything, since what was half done can't be told from what was."""
        for table in (self._exits, self._steps, self._askers, self._waiting):
            table.clear()

    def _evaluate(self, node: Node) -> set[Exit]:
        """The exits of a node, from what is known of others."""
        known = self._steps.get(node)
        if known is None:
            known = self._steps[node] = self._look_around(node)
        exits, following, calls = known
        found = set(exits)
        for other in following:
            found |= self._asked(other, node)
        for entered, below in calls:
            for code, top, q in self._asked(entered, node):
                found |= self._asked(Node(below, top, code, q), node)
        return found

    def _asked(self, node: Node, asker: Node) -> set[Exit]:
        if node not in self._exits:
            self._add(node)
        self._askers.setdefault(node, set()).add(asker)
        return self._exits[node]

    def _look_around(self, node: Node) -> tuple[set[Exit], list[Node], list[_Call]]:
        """What one byte leads to: exits, configurations of the same container, containers that are entered."""
        stack = self._stack(node.below, node.top)
        machine, product, resume = self._machine, self._workspace.product, 0

        def look() -> int | None:
            nonlocal resume
            is_going_on, resume = resume, 1
            found: int | None = look_around(machine.address, product.address, node.code, stack, node.q, is_going_on)
            return found

        machine.requests.run(look)
        exits: set[Exit] = set()
        following: list[Node] = []
        calls: list[_Call] = []
        depth = 2 if node.below else 1
        for code, after, q, captured in self._workspace.pairs().tolist():
            self.has_captures |= bool(captured)
            if code == at.DONE:
                exits.add((at.DONE, 0, q))
                continue
            frames = self._frames(after)
            if len(frames) < depth:
                exits.add((code, frames[0], q))
            elif len(frames) == depth:
                following.append(Node(node.below, frames[0], code, q))
            else:
                calls.append((Node(frames[1], frames[0], code, q), node.below))
        return exits, following, calls

    def _frames(self, stack: int) -> list[int]:
        """The frames of a stack, the top one first."""
        found = []
        while stack:
            frame, stack = self._machine.top_frame(stack)
            found.append(frame)
        return found

    def _stack(self, below: int, top: int) -> int:
        stack = self._push(0, below) if below else 0
        return self._push(stack, top)

    def _push(self, stack: int, frame: int) -> int:
        return int(push_frame(self._machine.address, stack, frame))
