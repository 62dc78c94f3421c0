// What the workbench uses of @prantlf/railroad-diagrams.
export {
  Choice, Comment, Diagram, Group, NonTerminal, OneOrMore, Optional, Sequence, Skip, Stack, Terminal, ZeroOrMore,
} from "@prantlf/railroad-diagrams/lib/index.mjs";
