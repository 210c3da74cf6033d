import { fonts } from './chart.ts';
import type { Look } from './looks.ts';

/** The colours of light and dark mode. */
const colours = {
  none: ['none', 'none'],
  page: ['#ffffff', '#0f172a'],
  title: ['#1f2937', '#f1f5f9'],
  box: ['#ffffff', '#1e293b'],
  edge: ['#64748b', '#94a3b8'],
  group: ['#1d4ed8', '#60a5fa'],
  border: ['#94a3b8', '#64748b'],
  person: ['#fef3c7', '#451a03'],
  amber: ['#b45309', '#f59e0b'],
  good: ['#dcfce7', '#052e16'],
  green: ['#15803d', '#4ade80'],
  bad: ['#fee2e2', '#450a0a'],
  red: ['#b91c1c', '#f87171'],
  route: ['#475569', '#94a3b8'],
  rim: ['#cbd5e1', '#475569'],
  fact: ['#0f172a', '#e2e8f0'],
  guard: ['#6d28d9', '#c4b5fd'],
  violet: ['#7c3aed', '#a78bfa'],
  action: ['#0f766e', '#5eead4'],
  note: ['#64748b', '#94a3b8'],
  lit: ['#2563eb', '#38bdf8'],
} as const satisfies Record<string, readonly [day: string, night: string]>;

type Colour = keyof typeof colours;

/** Colours by name, and attributes that are the same by day and by night. */
interface Paint {
  readonly fill?: Colour;
  readonly stroke?: Colour;
  readonly more?: Readonly<Record<string, string>>;
}

const box = { fill: 'box', stroke: 'edge', more: { 'stroke-width': '1.2' } } as const satisfies Paint;
const group = { fill: 'group', stroke: 'border', more: { ...box.more, 'fill-opacity': '.05' } } as const;

const boxes: Readonly<Record<Look, Paint>> = {
  group,
  region: { ...group, more: { ...group.more, 'stroke-dasharray': '7 4' } },
  work: box,
  gate: { ...box, stroke: 'violet', more: { ...box.more, 'stroke-dasharray': '4 3' } },
  person: { ...box, fill: 'person', stroke: 'amber' },
  good: { ...box, fill: 'good', stroke: 'green' },
  bad: { ...box, fill: 'bad', stroke: 'red' },
  final: { ...box, more: { 'stroke-width': '3' } },
  history: box,
};

const bold = { 'font-weight': 'bold' };

const paints = {
  page: { fill: 'page' },
  title: { fill: 'title', more: { 'font-size': String(fonts.title.size), ...bold } },
  route: { fill: 'none', stroke: 'route', more: { 'stroke-width': '1.3' } },
  arrow: { fill: 'route' },
  start: { fill: 'route' },
  mark: box,
  pill: { fill: 'box', stroke: 'rim', more: { 'stroke-width': '.8' } },
  fact: { fill: 'fact' },
  guard: { fill: 'guard' },
  action: { fill: 'action' },
  deep: { fill: 'title', more: { 'font-size': '10', ...bold } },
  note: { fill: 'note', more: { 'font-style': 'italic' } },
} as const satisfies Record<string, Paint>;

export type Painted = keyof typeof paints;

const attributesOf = ({ fill, stroke, more }: Paint): Readonly<Record<string, string>> => ({
  ...(fill !== undefined && { fill: colours[fill][0] }),
  ...(stroke !== undefined && { stroke: colours[stroke][0] }),
  ...more,
});

/**
 * Returns the class of an element and its colours by day, as attributes: every renderer reads these.
 */
export const painted = (name: Painted): Readonly<Record<string, string>> => ({
  class: name,
  ...attributesOf(paints[name]),
});

/** Returns the same for the box of a state. */
export const paintedBox = (look: Look): Readonly<Record<string, string>> => ({
  class: 'box',
  ...attributesOf(boxes[look]),
});

/** The font of every text. */
export const font = {
  'font-family': "Helvetica, Arial, 'Liberation Sans', sans-serif",
  'font-size': String(fonts.label.size),
};

const rule = (selector: string, members: Readonly<Record<string, string>>): string =>
  `.chart ${selector} { ${Object.entries(members)
    .map(([name, value]) => `${name}: ${value}`)
    .join('; ')} }\n`;

/** The same as the attributes, so that a page with classes of the same names does not change a picture. */
const dayOf = (selector: string, paint: Paint): string => {
  const members = attributesOf(paint);
  const size = members['font-size'];
  return rule(selector, { ...members, ...(size !== undefined && { 'font-size': `${size}px` }) });
};

const nightOf = (selector: string, { fill, stroke }: Paint): string =>
  `  ${rule(selector, {
    ...(fill !== undefined && { fill: colours[fill][1] }),
    ...(stroke !== undefined && { stroke: colours[stroke][1] }),
  })}`;

const selectors: readonly (readonly [selector: string, paint: Paint])[] = [
  ...Object.entries(paints).map(([name, paint]) => [`.${name}`, paint] as const),
  ...Object.entries(boxes).map(([look, paint]) => [`.${look} > .box`, paint] as const),
];

const litIn = (mode: 0 | 1): string =>
  `.chart .active > .box { stroke: ${colours.lit[mode]}; stroke-width: 3 }\n`;

/** The style of light and dark mode, and of a state with the class `active`. */
export const style = [
  '\n',
  ...selectors.map(([selector, paint]) => dayOf(selector, paint)),
  `${litIn(0)}@media (prefers-color-scheme: dark) {\n`,
  ...selectors.map(([selector, paint]) => nightOf(selector, paint)),
  `  ${litIn(1)}}\n`,
].join('');
