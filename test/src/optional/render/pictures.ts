import { render } from 'agentcharter/render';
import { describe, expect, test } from 'vitest';
import type { AnyStateMachine } from 'xstate';
import { layout, type Placed } from '../../../../src/optional/render/layout.ts';
import { overviewOf } from '../../../../src/optional/render/overview.ts';
import { sheetsOf } from '../../../../src/optional/render/sheets.ts';
import { stacked } from '../../../../src/optional/render/stack.ts';
import { walk, type Walk } from '../../../../src/optional/render/walk.ts';

const tag = /<(\/?)([a-z]+)((?:\s[\w:-]+="[^"<]*")*)\s*(\/?)>/gy;
const words = /(?:[^<&]|&(?:amp|lt|gt|quot|#\d+);)+/gy;

/** Reads XML as a parser does that knows no mercy: every element ends, and nothing stands loose. */
export const elementsOf = (xml: string): readonly string[] => {
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

export const drawn = (picture: string, attribute: string): readonly string[] =>
  [...picture.matchAll(new RegExp(`${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) => unescaped(value));

/** What XML has no character for is U+FFFD. */
const inXml = (text: string): string =>
  text.replaceAll(/(?![\t\n\r])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd');

export const expectWhole = async (machine: AnyStateMachine): Promise<void> => {
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

export const everything = async (walked: Walk, omitted: readonly string[]): Promise<Placed> =>
  stacked(await sheetsOf(walked, omitted));
export const overview = (walked: Walk, omitted: readonly string[]): Promise<Placed> =>
  layout(overviewOf(walked, omitted));

/** Declares the tests of the picture of each machine. */
export const testPictures = (all: readonly (readonly [string, AnyStateMachine])[]): void => {
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
};
