import { fonts } from './chart.ts';

/** The colours of light and dark mode. A page can override them, as `--chart-page` and so on. */
const colours = {
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

const isColour = (name: string): name is Colour => Object.hasOwn(colours, name);

/** The class `active` highlights a state. */
const rules = `
text { font: ${fonts.label.size}px Helvetica, Arial, 'Liberation Sans', sans-serif; fill: $title }
.title { font-size: ${fonts.title.size}px; font-weight: bold }
.page { fill: $page }
.box { fill: $box; stroke: $edge; stroke-width: 1.2 }
.group > .box { fill: $group; fill-opacity: .05; stroke: $border }
.region > .box { fill: $group; fill-opacity: .05; stroke: $border; stroke-dasharray: 7 4 }
.gate > .box { stroke: $violet; stroke-dasharray: 4 3 }
.person > .box { fill: $person; stroke: $amber }
.good > .box { fill: $good; stroke: $green }
.bad > .box { fill: $bad; stroke: $red }
.final > .box { stroke-width: 3 }
.active > .box { stroke: $lit; stroke-width: 3 }
.route { fill: none; stroke: $route; stroke-width: 1.3 }
.arrow, .start { fill: $route }
.pill { fill: $box; stroke: $rim; stroke-width: .8 }
.fact { fill: $fact }
.guard { fill: $guard }
.action { fill: $action }
.deep { font-size: 10px; font-weight: bold }
.note { fill: $note; font-style: italic }
`;

/** Returns rules that apply only inside the picture. */
const scoped = (colourOf: (name: Colour) => string): string =>
  rules
    .replaceAll(/^(?=\S)/gm, '.chart ')
    .replaceAll(', .start', ', .chart .start')
    .replaceAll(/\$(\w+)/g, (_, name: string) => (isColour(name) ? colourOf(name) : ''));

const palette = (at: 0 | 1): string =>
  `.chart { ${Object.entries(colours)
    .map(([name, pair]) => `--chart-${name}: ${pair[at]}`)
    .join('; ')} }`;

/** Returns the style for both modes, or for light mode alone without CSS variables. */
export const styleOf = (theme: 'both' | 'day'): string =>
  theme === 'day'
    ? scoped((name) => colours[name][0])
    : `\n${palette(0)}\n@media (prefers-color-scheme: dark) { ${palette(1)} }${scoped((name) => `var(--chart-${name})`)}`;
