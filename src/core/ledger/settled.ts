import { taskMachine } from '../../../machines/index.ts';

/** A state node of a chart: the members used here. */
interface Node {
  readonly path: readonly string[];
  readonly tags: readonly string[];
  readonly states: Readonly<Record<string, Node>>;
}

const statesIn = (node: Node): readonly (readonly [name: string, isSettled: boolean])[] => {
  const children = Object.values(node.states);
  return children.length === 0
    ? [[node.path.join('.'), node.tags.includes('settled')] as const]
    : children.flatMap(statesIn);
};

/** Every state that a record can name, and whether it is settled. */
const states = new Map(statesIn(taskMachine.root));

/** Returns whether a state is settled; `null` for a state of another chart. */
export const isSettledIn = (state: string): boolean | null => states.get(state) ?? null;
