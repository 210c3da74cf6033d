import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from 'xstate';
import type { Citation } from '../../machines/index.ts';

/** A transition as the specification would number it: where it starts, on what, and which branch it is. */
export interface Transition {
  readonly source: AnyStateNode;
  readonly on: string;
  readonly branch: number;
  readonly branches: number;
  readonly guard: string | undefined;
  readonly targets: readonly string[];
  readonly actions: readonly string[];
  readonly cites: Citation | undefined;
  readonly definition: AnyTransitionDefinition;
}

export const nodesOf = (node: AnyStateNode): readonly AnyStateNode[] => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
];

const named = (part: unknown): string =>
  typeof part === 'string' ? part : JSON.stringify(part, (_, value: unknown) => value);

const numbered = (
  source: AnyStateNode,
  on: string,
  definitions: readonly AnyTransitionDefinition[],
): readonly Transition[] =>
  definitions.map((definition, branch) => ({
    source,
    on,
    branch,
    branches: definitions.length,
    guard: definition.guard === undefined ? undefined : named(definition.guard),
    targets: (definition.target ?? []).map(({ id }) => id),
    actions: definition.actions.map(named),
    cites: (definition.meta as { cites?: Citation } | undefined)?.cites,
    definition,
  }));

/** Every transition of a chart: each branch of each `on` and of each `always`. */
export const transitionsOf = (machine: AnyStateMachine): readonly Transition[] =>
  nodesOf(machine.root).flatMap((node) => [
    ...[...node.transitions].flatMap(([on, definitions]) => numbered(node, on, definitions)),
    ...numbered(node, 'always', node.always ?? []),
  ]);

export const nameOf = ({ source, on, branch, guard }: Transition): string =>
  `${source.id} ${on}[${branch}]${guard === undefined ? '' : ` ${guard}`}`;
