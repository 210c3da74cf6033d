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
import { always, walk } from '../../../src/optional/render/walk.ts';
import {
  layout,
  type Area,
  type Placed,
  type PlacedBox,
  type PlacedEdge,
} from '../../../src/optional/render/layout.ts';
import { overviewOf } from '../../../src/optional/render/overview.ts';
import { sheetsOf, type PlacedSheet } from '../../../src/optional/render/sheets.ts';
import { stacked } from '../../../src/optional/render/stack.ts';
import { svg } from '../../../src/optional/render/svg.ts';
import { expectPrinted, testEveryPageIsPrinted, type PrintedPage } from '../printed.ts';
import { plain, said, unsaid } from './plain.ts';
import { simulationOf } from './simulations.ts';

/** What nearly every transition does, and every entry: said once below the picture. */
const leaveOut = ['applyFact', 'applyTurn', 'enter'];

const task = walk(taskMachine);
const execution = walk(executionMachine);
const title = 'The operational states of a task, and the phases of a run inside submitted';
const everyArrow = overviewOf(task, leaveOut, title);
const overview = plain(everyArrow);
const walks = {
  task,
  execution,
  call: walk(callMachine),
  effect: walk(effectMachine),
  'late-write': walk(lateWriteMachine),
  question: walk(questionMachine),
};
type Name = keyof typeof walks;
const once = <Key, Value>(make: (key: Key) => Value): ((key: Key) => Value) => {
  const made = new Map<Key, Value>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
};
const sheetsOfChart = once((name: Name) => sheetsOf(walks[name], leaveOut));
const placedOnce = once(async (name: Name | 'overview'): Promise<Placed> =>
  name === 'overview' ? layout(overview) : stacked(await sheetsOfChart(name)),
);
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
    const picture = svg(await placedOnce(name));
    const again =
      name === 'overview' ? await layout(overview) : stacked(await sheetsOf(walks[name], leaveOut));
    expect(svg(again)).toBe(picture);
    await expectPrinted(`docs/charts/${name}.svg`, picture);
  });

  test('has no label that hides another one or a state’s text', async () => {
    const { boxes, edges } = await placedOnce(name);
    const labels = edges.flatMap(({ label }) => (label === null ? [] : [label]));
    expect(labels.length).toBeGreaterThan(4);
    expect(pairs([...labels, ...boxes.map(words)]).filter(([a, b]) => overlap(a, b))).toEqual([]);
  });

  test('has no line through a label or a state’s text', async () => {
    const { boxes, edges } = await placedOnce(name);
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
    const { edges } = await placedOnce(name);
    expect(edges.length).toBeGreaterThan(4);
    for (const { points } of edges) expect(points.length).toBeGreaterThan(1);
  });

  test('describes itself for screen readers', async () => {
    const picture = svg(await placedOnce(name));
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
    const picture = svg(await placedOnce(name));
    expect([...new Set(drawn(picture, 'data-state'))].toSorted()).toEqual(
      states.map(({ id }) => id).toSorted(),
    );
    const shown = drawn(picture, 'data-transition')
      .map(Number)
      .toSorted((a, b) => a - b);
    expect(shown).toEqual([...transitions.keys()]);
    expect(transitions.filter(({ on }) => on === always).length).toBeGreaterThan(20);
  });
});

/** The width of A4 across, in CSS pixels. */
const a4 = (297 / 25.4) * 96;

/** The ninths of a sheet in which nothing is drawn. */
const emptyNinths = ({ width, height, legend, boxes, edges }: Placed): number => {
  const drawnIn: readonly Area[] = [
    ...boxes.map(words),
    ...edges.flatMap(pieces),
    ...edges.flatMap(({ label }) => label ?? []),
  ];
  const [wide, high] = [width / 3, (height - legend.height) / 3];
  const ninths = Array.from({ length: 9 }, (_, index) => ({
    x: (index % 3) * wide,
    y: Math.floor(index / 3) * high,
    width: wide,
    height: high,
  }));
  return ninths.filter((ninth) => !drawnIn.some((area) => overlap(area, ninth))).length;
};

describe.each(['task', 'execution', 'call', 'effect', 'late-write', 'question'] as const)(
  'Each sheet of %s',
  (name) => {
    test('is readable on paper, and at 1,280 pixels', async () => {
      for (const { of, placed: sheet } of await sheetsOfChart(name)) {
        expect((12 * a4) / sheet.width, of).toBeGreaterThan(9);
        expect((12 * 1280) / sheet.width, of).toBeGreaterThan(10.9);
      }
    });

    test('is used from edge to edge', async () => {
      for (const { of, placed: sheet } of await sheetsOfChart(name))
        expect(emptyNinths(sheet), of).toBeLessThan(3);
    });
  },
);

const fileOf = (name: Name, { of }: PlacedSheet): PrintedPage =>
  `docs/charts/${name}.${of === name ? 'outer' : of}.svg` as PrintedPage; // or the table refuses it

describe.each(['task', 'execution'] as const)('The sheets of %s', (name) => {
  test('are files of their own', async () => {
    const sheets = await sheetsOfChart(name);
    expect(sheets.length).toBeGreaterThan(1);
    for (const sheet of sheets) await expectPrinted(fileOf(name, sheet), svg(sheet.placed));
  });

  test('contain each transition once', async () => {
    const shown = (await sheetsOfChart(name)).flatMap((sheet) =>
      drawn(svg(sheet.placed), 'data-transition').map(Number),
    );
    expect(shown.toSorted((a, b) => a - b)).toEqual([...walks[name].transitions.keys()]);
  });
});

const pictures = async (name: Name): Promise<readonly string[]> =>
  (await sheetsOfChart(name)).flatMap((sheet) => {
    const path = fileOf(name, sheet).replace('docs/charts/', '');
    return [`### ${sheet.of}`, '', `![States and transitions of ${sheet.of}](${path})`, ''];
  });

test('docs/charts/README.md shows the overview and each sheet', async () => {
  await expectPrinted(
    'docs/charts/README.md',
    [
      '# The charts',
      '',
      'A sheet shows one state and what is inside it. Arrows in a text lead to a state on another sheet.',
      '',
      '## Overview',
      '',
      `![${title}](overview.svg)`,
      '',
      '## A task',
      '',
      'All of them are also [one picture](task.svg).',
      '',
      ...(await pictures('task')),
      '## The phases alone',
      '',
      'All of them are also [one picture](execution.svg).',
      '',
      ...(await pictures('execution')),
      '## Lives',
      '',
      ...(['call', 'effect', 'late-write', 'question'] as const).flatMap((name) => [
        `### ${name}`,
        '',
        `![States and transitions of ${name}](${name}.svg)`,
        '',
      ]),
    ].join('\n'),
  );
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
    const simulation = format === 'xstate' ? simulationOf(machine) : undefined;
    const options = { format, leaveOut, ...(simulation && { simulation }) };
    const rendered = await render(machine, options);
    expect(await render(machine, options)).toBe(rendered);
    await expectPrinted(`docs/charts/${to}`, rendered);
  });
});

describe('The overview', () => {
  test('shows the seven outer states and the six phases', async () => {
    const states = drawn(svg(await placedOnce('overview')), 'data-state');
    const outer = task.root.children.map(({ id }) => id);
    const phases = task.states
      .filter(({ entry }) => entry.some((action) => action.startsWith('enter ')))
      .map(({ id }) => id);
    expect(outer).toHaveLength(7);
    expect(phases).toHaveLength(13);
    expect(new Set(states)).toEqual(new Set([...outer, ...phases]));
  });

  test('says each arrow of the chart in plain words, or leaves it to another', () => {
    expect(everyArrow.edges.map(({ from, to }) => `${from} to ${to}`).toSorted()).toEqual(
      [...Object.keys(said), ...unsaid].toSorted(),
    );
  });

  test.each([
    [900, 9],
    [1280, 11],
  ])('is readable at a page width of %i pixels', async (pageWidth, least) => {
    const { width } = await placedOnce('overview');
    expect((12 * pageWidth) / width).toBeGreaterThan(least);
  });
});

testEveryPageIsPrinted();
