import { Resvg } from '@resvg/resvg-js';
import { render } from 'agentcharter/render';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMachine, type AnyStateMachine } from 'xstate';
import { executionMachine, taskMachine } from '../../../../machines/index.ts';
import { walk } from '../../../../src/optional/render/walk.ts';
import { runs } from '../../../machines/generated.ts';
import { generated } from './generated.ts';
import { drawn, elementsOf, everything, expectWhole, overview, testPictures } from './pictures.ts';

testPictures([
  ['taskMachine', taskMachine],
  ['executionMachine', executionMachine],
]);

test('Any machine becomes a valid picture, full and overview', async () => {
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
      const { boxes } = await place(walk(machine), ['applyFact', 'applyTurn', 'enter']);
      const axis = place === overview && outer === '' ? 'x' : 'y'; // outer states stand side by side
      const places = ['intake', 'plan', 'execute', 'verify'].map(
        (phase) => boxes.find(({ box }) => box.id === `${outer}${phase}`)?.[axis] ?? Number.NaN,
      );
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(new Set(places).size).toBe(4);
    }
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
