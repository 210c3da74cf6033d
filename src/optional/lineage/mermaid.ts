import type { UpFormatMessage } from '../../../schema/index.ts';
import type { Lineage, LineageNode, LineageThread } from './lineage.ts';
import { shown } from './shown.ts';

/** A message in the order of the diagram; `at` is its time, or its parent's if that is later. */
interface Step {
  readonly node: LineageNode;
  readonly parent: Step | undefined;
  readonly at: number;
}

const stepOf = (node: LineageNode, parent?: Step): Step => {
  const at = Date.parse(node.message.timestamp);
  return { node, parent, at: Math.max(at, parent?.at ?? at) };
};

/** Returns the messages of a thread by time, none before its parent. */
const stepsOf = ({ roots }: LineageThread): readonly Step[] => {
  const steps: Step[] = [];
  const open = roots.map((root) => stepOf(root)).toReversed();
  for (let step = open.pop(); step !== undefined; step = open.pop()) {
    steps.push(step);
    for (const child of step.node.children.toReversed()) open.push(stepOf(child, step));
  }
  return steps.toSorted((one, other) => one.at - other.at);
};

/** Returns the sender of a message; `agent` or `person` if it has no name. */
const senderOf = ({ agentId = '', upFeedback }: UpFormatMessage): string => {
  if (agentId.trim() !== '') return agentId;
  return upFeedback === undefined ? 'agent' : 'person';
};

/** Returns the senders, and whether each sent only feedback, as people do. */
const sendersOf = (steps: readonly Step[]): ReadonlyMap<string, boolean> => {
  const senders = new Map<string, boolean>();
  for (const { message } of steps.map(({ node }) => node)) {
    const sender = senderOf(message);
    senders.set(sender, message.upFeedback !== undefined && senders.get(sender) !== false);
  }
  return senders;
};

const labelOf = ({ state, explanation }: UpFormatMessage): string => {
  const words = shown(explanation, 80);
  return words === '' ? state : `${state}: ${words}`;
};

/**
 * Returns a thread or a lineage as a Mermaid sequence diagram: one line for each message, by time.
 *
 * An arrow leads from a message's sender to its parent's sender, with its state and explanation. A message without a
 * parent is a note over its sender. A sender of feedback only is an actor. Texts are cut and escaped. Mermaid draws
 * at most 50,000 characters by default (`maxTextSize`). UpFormat 2.1, Table 1.
 */
export const toMermaid = (lineage: Lineage | LineageThread): string => {
  const threads = 'threads' in lineage ? lineage.threads : [lineage];
  const drawn = threads.map((thread) => ({ thread, steps: stepsOf(thread) }));
  const senders = sendersOf(drawn.flatMap(({ steps }) => steps));
  const names = new Map([...senders.keys()].map((sender, index) => [sender, `p${index}`]));
  const nameOf = ({ node }: Step): string => names.get(senderOf(node.message)) ?? '';
  const lineOf = (step: Step): string => {
    const sender = nameOf(step);
    const head = step.parent === undefined ? `Note over ${sender}` : `${sender}->>${nameOf(step.parent)}`;
    return `  ${head}: ${labelOf(step.node.message)}`;
  };
  const lines = drawn.flatMap(({ thread, steps }, index) => [
    ...(drawn.length > 1 ? [`  ${index === 0 ? 'par' : 'and'} thread ${thread.threadId}`] : []),
    ...steps.map(lineOf),
  ]);
  const participants = [...senders].map(
    ([sender, isPerson]) =>
      `  ${isPerson ? 'actor' : 'participant'} ${names.get(sender) ?? ''} as ${shown(sender, 40)}`,
  );
  return ['sequenceDiagram', ...participants, ...lines, ...(drawn.length > 1 ? ['  end'] : []), ''].join(
    '\n',
  );
};
