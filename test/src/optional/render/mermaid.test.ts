import { render } from 'agentcharter/render';
import * as fc from 'fast-check';
import mermaid from '../../../rare/mermaid.mjs';
import { describe, expect, test } from 'vitest';
import { createMachine, type AnyStateMachine } from 'xstate';
import { z } from 'zod';
import { executionMachine, taskMachine } from '../../../../machines/index.ts';
import { walk, type Walk } from '../../../../src/optional/render/walk.ts';
import { runs } from '../../../machines/generated.ts';
import { generated } from './generated.ts';
import { machines } from './machines.ts';

/** What Mermaid cleans its texts with wants a browser; without one every text is as clean as it came. */
const modules = new URL('../../../rare/node_modules/', import.meta.url);
const purifier = new URL('dompurify/dist/purify.es.mjs', modules).href;
const { default: cleaner } = (await import(purifier)) as { default: object };
Object.assign(cleaner, { addHook: () => {}, sanitize: (text: string) => text });

const Relations = z.array(
  z.object({ id1: z.string(), id2: z.string(), relationTitle: z.string().optional() }),
);
interface Diagram {
  readonly getRootDocV2: () => unknown;
  readonly getRelations: () => unknown;
}

/** What Mermaid shows for its entity codes, which it keeps like this while it reads. */
const decoded = (text: string): string =>
  text.replaceAll(/ﬂ°°(\d+)¶ß/gu, (_, code: string) => String.fromCodePoint(Number(code)));

/** The states that Mermaid has read, those inside others included. */
const statesIn = (read: unknown): readonly string[] => {
  if (typeof read !== 'object' || read === null) return [];
  const own = 'stmt' in read && read.stmt === 'state' && 'id' in read ? [String(read.id)] : [];
  return [...own, ...Object.values(read).flatMap(statesIn)];
};

/** What Mermaid itself reads in a diagram. */
const readBy = async (text: string) => {
  await mermaid.parse(text); // the public reader, which throws
  const { type, db } = await mermaid.mermaidAPI.getDiagramFromText(text);
  expect(type).toBe('stateDiagram');
  const diagram = db as Diagram; // what a state diagram is kept in
  const states = [...new Set(statesIn(diagram.getRootDocV2()))].filter((id) => /^s\d+$/.test(id));
  const relations = Relations.parse(diagram.getRelations()).map(({ id1, id2, relationTitle = '' }) => ({
    from: id1,
    to: id2,
    label: decoded(relationTitle),
  }));
  return { states, relations };
};

const isInward = ({ root }: Walk, from: string, to: string): boolean =>
  [from, to].includes(root.id) || from === to || from.startsWith(`${to}.`) || to.startsWith(`${from}.`);

const key = ({ states }: Walk, id: string): string => `s${states.findIndex((state) => state.id === id)}`;

const read = async (machine: AnyStateMachine) => {
  const walked = walk(machine);
  const text = await render(machine, { format: 'mermaid' });
  const { states, relations } = await readBy(text);
  // the ends and beginnings that a diagram has beside its states
  const between = relations.filter(({ from, to }) => /^s\d+$/.test(from) && /^s\d+$/.test(to));
  return { walked, text, states, between };
};

const expectWhole = ({ walked, text, states, between }: Awaited<ReturnType<typeof read>>): void => {
  expect(states.toSorted()).toEqual(walked.states.map(({ id }) => key(walked, id)).toSorted());
  const edges = walked.transitions.flatMap(({ from, targets }) =>
    targets
      .filter((to) => !isInward(walked, from, to))
      .map((to) => `${key(walked, from)} ${key(walked, to)}`),
  );
  expect(between.map(({ from, to }) => `${from} ${to}`).toSorted()).toEqual(edges.toSorted());
  const rows = walked.transitions.filter(
    ({ from, targets }) => targets.length === 0 || targets.some((to) => isInward(walked, from, to)),
  );
  expect(text.split('\n').length).toBeGreaterThan(states.length + edges.length + rows.length);
};

describe.each<readonly [string, AnyStateMachine]>([
  ['taskMachine', taskMachine],
  ['executionMachine', executionMachine],
  ...Object.entries(machines),
])('%s', (_, machine) => {
  test('is a valid Mermaid diagram with each state and transition', async () => {
    expectWhole(await read(machine));
  });
});

test('A decision is an edge with its guard and its order', async () => {
  const { walked, between } = await read(taskMachine);
  const judging = key(walked, 'submitted.verify.judging');
  expect(between.filter(({ from }) => from === judging).map(({ label }) => label)).toEqual([
    '1 [mayDeliver]',
    '2 [mustAsk]',
    '3 [mayRepairCalls] / repair deliver execute',
    '4 [mayRepair] / repair deliver plan',
    '5 otherwise / fail deliver',
  ]);
});

test('Any machine becomes a valid Mermaid diagram', async () => {
  await fc.assert(
    fc.asyncProperty(generated, async (config) => {
      expectWhole(await read(createMachine(config as object) as AnyStateMachine));
    }),
    runs(10),
  );
});
