import { taskMachine } from '../../machines/index.ts';

/** A state of a chart, as far as it is looked at here. */
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

/** Every state that a record can name, and whether a task that stands there is settled. */
const states = new Map(statesIn(taskMachine.root));

/** Whether a task is settled in a state; `null` for a state of another chart. */
export const isSettledIn = (state: string): boolean | null => states.get(state) ?? null;
