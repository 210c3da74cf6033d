import { Resvg } from '@resvg/resvg-js';
import { render } from 'agentcharter/render';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMachine, type AnyStateMachine } from 'xstate';
import { executionMachine, taskMachine } from '../../../machines/index.ts';
import { layout, type Placed } from '../../../src/render/layout.ts';
import { overviewOf } from '../../../src/render/overview.ts';
import { sheetsOf } from '../../../src/render/sheets.ts';
import { stacked } from '../../../src/render/stack.ts';
import { walk, type Walk } from '../../../src/render/walk.ts';
import { runs } from '../../machines/generated.ts';
import { generated } from './generated.ts';
import { machines } from './machines.ts';

const tag = /<(\/?)([a-z]+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?)>/gy;
const words = /(?:[^<&]|&(?:amp|lt|gt|quot|#\d+);)+/gy;

/** Reads XML as a parser does that knows no mercy: every element ends, and nothing stands loose. */
const elementsOf = (xml: string): readonly string[] => {
  const open: string[] = [];
  const seen: string[] = [];
  expect(xml).not.toMatch(/(?![\t\n\r])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/u);
  for (let at = 0; at < xml.length;) {
    words.lastIndex = at;
    tag.lastIndex = at;
    const found = tag.exec(xml) ?? words.exec(xml);
    if (found === null) throw new Error(`no XML: ${xml.slice(at, at + 80)}`);
    const [all, closes, name, , isEmpty] = found;
    at += all.length;
    if (name === undefined) continue;
    if (closes === '/') expect(open.pop()).toBe(name);
    else {
      seen.push(name);
      if (isEmpty !== '/') open.push(name);
    }
  }
  expect(open).toEqual([]);
  return seen;
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const unescaped = (text: string): string =>
  text.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
    code === undefined ? (entities[name] ?? '') : String.fromCodePoint(Number(code)),
  );

const drawn = (picture: string, attribute: string): readonly string[] =>
  [...picture.matchAll(new RegExp(`${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => unescaped(value));

/** What XML has no character for is U+FFFD. */
const inXml = (text: string): string =>
  text.replaceAll(/(?![\t\n\r])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd');

const expectWhole = async (machine: AnyStateMachine): Promise<void> => {
  const { states, transitions } = walk(machine);
  const picture = await render(machine, { format: 'svg' });
  expect(await render(machine, { format: 'svg' })).toBe(picture);
  const elements = elementsOf(picture);
  expect(elements[0]).toBe('svg');
  expect(elements.filter((name) => !known.has(name))).toEqual([]);
  expect([...new Set(drawn(picture, 'data-state'))].toSorted()).toEqual(
    [...new Set(states.map(({ id }) => inXml(id)))].toSorted(),
  );
  const shown = new Set(drawn(picture, 'data-transition').map(Number));
  expect([...shown].toSorted((a, b) => a - b)).toEqual([...transitions.keys()]);
  expect(picture).not.toMatch(/NaN|undefined|Infinity/);
};

const known = new Set([
  'svg',
  'title',
  'desc',
  'style',
  'defs',
  'marker',
  'path',
  'rect',
  'g',
  'text',
  'tspan',
  'circle',
]);

const all: readonly (readonly [string, AnyStateMachine])[] = [
  ['taskMachine', taskMachine],
  ['executionMachine', executionMachine],
  ...Object.entries(machines),
];

const everything = async (walked: Walk, omitted: readonly string[]): Promise<Placed> =>
  stacked(await sheetsOf(walked, omitted));
const overview = (walked: Walk, omitted: readonly string[]): Promise<Placed> =>
  layout(overviewOf(walked, omitted));

describe.each(all)('%s', (_, machine) => {
  test('shows every state and every transition, with identical bytes on each run', async () => {
    await expectWhole(machine);
  });

  test.each([
    ['everything', everything],
    ['overview', overview],
  ] as const)('fits its labels into boxes in %s', async (_, place) => {
    const { boxes, edges, width, height } = await place(walk(machine), []);
    for (const { heading, box, ...area } of boxes) {
      if (box.look !== 'history')
        expect(heading.x + heading.width).toBeLessThanOrEqual(area.x + area.width + 0.1);
      expect(area.x + area.width).toBeLessThanOrEqual(width);
      expect(area.y + area.height).toBeLessThanOrEqual(height);
    }
    for (const { points, edge } of edges)
      expect([edge.from, edge.to, points.length > 1]).toEqual([edge.from, edge.to, true]);
  });
});

test('Any machine becomes a valid picture, full and overview', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(generated, async (config) => {
      const machine = createMachine(config as object) as AnyStateMachine;
      await expectWhole(machine);
      elementsOf(await render(machine, { format: 'svg', view: 'overview' }));
    }),
    runs(8),
  );
});

test('An overview shows the outer states, those inside the first, and distant targets', async () => {
  const overview = await render(executionMachine, { format: 'svg', view: 'overview' });
  expect(drawn(overview, 'data-state')).toEqual([
    'intake',
    'plan',
    'execute',
    'verify',
    'undoing',
    'deliver',
    'fail_safe',
  ]);
});

test('The phases appear in their order', async () => {
  for (const [machine, outer] of [
    [taskMachine, 'submitted.'],
    [executionMachine, ''],
  ] as const)
    for (const place of [everything, overview]) {
      const { boxes } = await place(walk(machine), ['applyFact', 'enter']);
      const axis = place === overview && outer === '' ? 'x' : 'y'; // outer states stand side by side
      const places = ['intake', 'plan', 'execute', 'verify'].map(
        (phase) => boxes.find(({ box }) => box.id === `${outer}${phase}`)?.[axis] ?? Number.NaN,
      );
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(new Set(places).size).toBe(4);
    }
});

test('A dot in a state’s name differs from a nested state', async () => {
  const picture = await render(machines['names that mean something elsewhere']!, { format: 'svg' });
  expect(drawn(picture, 'data-state')).toEqual(expect.arrayContaining([String.raw`a\.b`, 'a.b']));
});

/** How many pixels of a picture have each colour, as a renderer that is no browser draws it. */
const pixelsOf = (picture: string): ReadonlyMap<string, number> => {
  const { pixels } = new Resvg(picture).render();
  const counts = new Map<string, number>();
  for (let at = 0; at < pixels.length; at += 4) {
    const colour = `#${pixels.subarray(at, at + 3).toString('hex')}`;
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  return counts;
};

describe.each(['everything', 'overview'] as const)('A picture of %s', (view) => {
  test('has its colours in a renderer that is no browser', async () => {
    const picture = await render(taskMachine, { format: 'svg', view });
    const pixels = pixelsOf(picture);
    const share = (colour: string): number =>
      (pixels.get(colour) ?? 0) / [...pixels.values()].reduce((sum, count) => sum + count);
    expect(share('#ffffff')).toBeGreaterThan(0.02); // the page
    expect(share('#000000')).toBeLessThan(0.01);
    for (const colour of ['#dcfce7', '#fee2e2', '#fef3c7', '#475569'])
      expect(share(colour)).toBeGreaterThan(0);
  });

  test('has a colour by day at every shape and text, and no CSS variable', async () => {
    const picture = await render(taskMachine, { format: 'svg', view });
    expect(picture).not.toContain('var(');
    const shapes = picture.match(/<(?:rect|path|circle|tspan)\s[^>]*>/g) ?? [];
    expect(shapes.length).toBeGreaterThan(60);
    expect(shapes.filter((shape) => !/ fill="(?:#[0-9a-f]{6}|none)"/.test(shape))).toEqual([]);
  });
});

test('A picture supports dark mode without a script, and lets its page highlight a state', async () => {
  const picture = await render(taskMachine, { format: 'svg' });
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(picture) ?? [];
  const [, night = ''] = /@media \(prefers-color-scheme: dark\) \{\n(.*?)\n\}/s.exec(style) ?? [];
  expect(night).toContain('.chart .page { fill: #0f172a }');
  expect(style).toMatch(/\.chart \.active > \.box \{ stroke: #2563eb/);
  // or a page's own `.title` would change the titles of the picture
  expect(style).toContain('.chart .title { fill: #1f2937; font-size: 14px; font-weight: bold }');
  expect(picture).not.toMatch(/<script|javascript:|\son\w+=|url\((?!#)/);
  for (const [, selector = ''] of style.matchAll(/^\s*(\.[^{]+)\{/gm)) expect(selector).toMatch(/^\.chart\b/);
});
