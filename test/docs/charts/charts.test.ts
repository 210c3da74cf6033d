import { render } from 'agentcharter/render';
import { describe, expect, test } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import {
  callMachine,
  effectMachine,
  executionMachine,
  lateWriteMachine,
  questionMachine,
  taskMachine,
} from '../../../machines/index.ts';
import { always, walk } from '../../../src/render/walk.ts';
import { detailOf } from '../../../src/render/detail.ts';
import { layout, type Area, type PlacedBox, type PlacedEdge } from '../../../src/render/layout.ts';
import { overviewOf } from '../../../src/render/overview.ts';
import { svg } from '../../../src/render/svg.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';

/** What nearly every transition does, and every entry: said once below the picture. */
const leaveOut = ['applyFact', 'enter'];

const task = walk(taskMachine);
const execution = walk(executionMachine);
const title = 'The operational states of a task, and the phases of a run inside submitted';
const charts = {
  overview: overviewOf(task, leaveOut, title),
  task: detailOf(task, leaveOut),
  execution: detailOf(execution, leaveOut),
  call: detailOf(walk(callMachine), leaveOut),
  effect: detailOf(walk(effectMachine), leaveOut),
  'late-write': detailOf(walk(lateWriteMachine), leaveOut),
  question: detailOf(walk(questionMachine), leaveOut),
};
const names = ['overview', 'task', 'execution', 'call', 'effect', 'late-write', 'question'] as const;

const drawn = (picture: string, attribute: string): string[] =>
  [...picture.matchAll(new RegExp(`${attribute}="([^"]*)"`, 'g'))].map(([, value]) => value ?? '');

const overlap = (a: Area, b: Area): boolean =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The straight pieces of a line, each as an area of no width. */
const pieces = ({ points }: PlacedEdge): readonly Area[] =>
  points.slice(1).map((to, index) => {
    const from = points[index] ?? to;
    return {
      x: Math.min(from.x, to.x),
      y: Math.min(from.y, to.y),
      width: Math.abs(from.x - to.x),
      height: Math.abs(from.y - to.y),
    };
  });

/** Where a state says something: anywhere on a leaf, in the heading of a group. */
const words = (placed: PlacedBox): Area => (placed.box.children.length === 0 ? placed : placed.heading);

const pairs = <T>(all: readonly T[]): readonly (readonly [T, T])[] =>
  all.flatMap((one, index) => all.slice(index + 1).map((other) => [one, other] as const));

describe.each(names)('docs/charts/%s.svg', (name) => {
  test('equals the chart, with identical bytes on each run', async () => {
    const once = svg(await layout(charts[name]));
    expect(svg(await layout(charts[name]))).toBe(once);
    await expectPrinted(`docs/charts/${name}.svg`, once);
  });

  test('has no label that hides another one or a state’s text', async () => {
    const { boxes, edges } = await layout(charts[name]);
    const labels = edges.flatMap(({ label }) => (label === null ? [] : [label]));
    expect(labels.length).toBeGreaterThan(4);
    expect(pairs([...labels, ...boxes.map(words)]).filter(([a, b]) => overlap(a, b))).toEqual([]);
  });

  test('has no line through a label or a state’s text', async () => {
    const { boxes, edges } = await layout(charts[name]);
    const struck = edges.flatMap((line) => [
      ...edges
        .filter(
          (other) =>
            other !== line &&
            other.label !== null &&
            pieces(line).some((piece) => overlap(piece, other.label ?? piece)),
        )
        .map(({ edge }) => edge.to),
      ...boxes
        .filter((placed) => pieces(line).some((piece) => overlap(piece, words(placed))))
        .map(({ box }) => box.id),
    ]);
    expect(struck).toEqual([]);
  });

  test('draws every listed edge between its own states', async () => {
    const { edges } = await layout(charts[name]);
    expect(edges.length).toBeGreaterThan(4);
    for (const { points } of edges) expect(points.length).toBeGreaterThan(1);
  });

  test('describes itself for screen readers', async () => {
    const picture = svg(await layout(charts[name]));
    expect(picture).toContain('<title id="title">');
    expect(picture).toContain('aria-labelledby="title description"');
    expect(picture).not.toMatch(/NaN|undefined|Infinity/);
  });
});

describe.each([
  ['task', task],
  ['execution', execution],
] as const)('The full chart of %s', (name, { states, transitions }) => {
  test('shows every state and every transition, gate decisions included', async () => {
    const picture = svg(await layout(charts[name]));
    expect(drawn(picture, 'data-state').toSorted()).toEqual(states.map(({ id }) => id).toSorted());
    const shown = drawn(picture, 'data-transition')
      .map(Number)
      .toSorted((a, b) => a - b);
    expect(shown).toEqual([...transitions.keys()]);
    expect(transitions.filter(({ on }) => on === always).length).toBeGreaterThan(20);
  });
});

describe.each([
  ['task', taskMachine as AnyStateMachine],
  ['execution', executionMachine as AnyStateMachine],
  ['call', callMachine as AnyStateMachine],
  ['effect', effectMachine as AnyStateMachine],
  ['late-write', lateWriteMachine as AnyStateMachine],
  ['question', questionMachine as AnyStateMachine],
] as const)('docs/charts/%s', (name, machine) => {
  test.each([
    ['svg', `${name}.svg`],
    ['mermaid', `${name}.mmd`],
    ['json', `${name}.json`],
    ['xstate', `${name}.xstate.ts`],
  ] as const)('equals the running machine as %s', async (format, to) => {
    const rendered = await render(machine, { format, leaveOut });
    expect(await render(machine, { format, leaveOut })).toBe(rendered);
    await expectPrinted(`docs/charts/${to}`, rendered);
  });
});

test('docs/charts/overview.svg equals the output of `render`', async () => {
  const picture = await render(taskMachine, { format: 'svg', view: 'overview', title, leaveOut });
  await expectPrinted('docs/charts/overview.svg', picture);
});

describe('The overview', () => {
  test('shows the seven outer states and the six phases', async () => {
    const states = drawn(svg(await layout(charts.overview)), 'data-state');
    const outer = task.root.children.map(({ id }) => id);
    const phases = task.states
      .filter(({ entry }) => entry.some((action) => action.startsWith('enter ')))
      .map(({ id }) => id);
    expect(outer).toHaveLength(7);
    expect(phases).toHaveLength(13);
    expect(new Set(states)).toEqual(new Set([...outer, ...phases, 'submitted.undoing']));
  });

  test('has one transition into deliver, and names its guard', () => {
    const into = charts.overview.edges.filter(({ to }) => to === 'submitted.deliver');
    expect(
      into.map(({ from, lines }) => [from, lines.flatMap(({ spans }) => spans.map(({ text }) => text))]),
    ).toEqual([['submitted.verify', ['[mayDeliver]']]]);
  });

  test('is readable at a page width of 900 pixels', async () => {
    const { width } = await layout(charts.overview);
    expect((12 * 900) / width).toBeGreaterThan(9);
  });
});

testEveryPageIsPrinted();
