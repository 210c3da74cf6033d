import {
  fonts,
  lineHeight,
  titleHeight,
  type Placed,
  type PlacedBox,
  type PlacedEdge,
  type Point,
} from './layout.ts';
import { measure, textOf, type Line } from './text.ts';

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const number = (value: number): string => String(Math.round(value * 10) / 10);

/** An element; an attribute that is null is left out. */
const element = (
  name: string,
  attributes: Readonly<Record<string, string | number | null>>,
  ...children: readonly string[]
): string => {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== null)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? number(value) : escape(value ?? '')}"`)
    .join('');
  return children.length === 0 ? `<${name}${written}/>` : `<${name}${written}>${children.join('')}</${name}>`;
};

const style = `
text { font: ${fonts.label.size}px Helvetica, Arial, 'Liberation Sans', sans-serif; fill: #1f2937 }
.title { font-size: ${fonts.title.size}px; font-weight: bold }
.page { fill: #ffffff }
.box { fill: #ffffff; stroke: #64748b; stroke-width: 1.2 }
.group > .box { fill: #1d4ed8; fill-opacity: .05; stroke: #94a3b8 }
.gate > .box { stroke: #7c3aed; stroke-dasharray: 4 3 }
.person > .box { fill: #fef3c7; stroke: #b45309 }
.good > .box { fill: #dcfce7; stroke: #15803d }
.bad > .box { fill: #fee2e2; stroke: #b91c1c }
.route { fill: none; stroke: #475569; stroke-width: 1.3 }
.arrow, .start { fill: #475569 }
.pill { fill: #ffffff; stroke: #cbd5e1; stroke-width: .8 }
.fact { fill: #0f172a }
.guard { fill: #6d28d9 }
.action { fill: #0f766e }
.deep { font-size: 10px; font-weight: bold }
.note { fill: #64748b; font-style: italic }
`;

const text = (x: number, y: number, line: Line, anchor: 'start' | 'middle'): string =>
  element(
    'text',
    {
      x,
      y,
      'text-anchor': anchor,
      textLength: measure(textOf(line), fonts.label),
      lengthAdjust: 'spacingAndGlyphs',
      'data-transition': line.transition === null ? null : String(line.transition),
    },
    line.spans.map(({ kind, text }) => element('tspan', { class: kind }, escape(text))).join(' '),
  );

const start = ({ x, y }: Point): string =>
  element('circle', { class: 'start', cx: x + 14, cy: y - 17, r: 4 }) +
  element('path', {
    class: 'route',
    d: `M${number(x + 14)} ${number(y - 17)}V${number(y - 1)}`,
    'marker-end': 'url(#arrow)',
  });

const title = (x: number, y: number, anchor: 'start' | 'middle', words: string): string =>
  element(
    'text',
    {
      class: 'title',
      x,
      y,
      'text-anchor': anchor,
      textLength: measure(words, fonts.title),
      lengthAdjust: 'spacingAndGlyphs',
    },
    escape(words),
  );

const box = ({ box, heading, x, y, width, height }: PlacedBox): string => {
  const middle = x + width / 2;
  return element(
    'g',
    { class: box.look, 'data-state': box.id },
    element('title', {}, escape(box.id)),
    element('rect', { class: 'box', x, y, width, height, rx: box.look === 'history' ? width / 2 : 7 }),
    box.look === 'group'
      ? title(heading.x, y + titleHeight - 5, 'start', box.title)
      : title(middle, y + (box.look === 'history' ? 17.5 : titleHeight - 5), 'middle', box.title),
    ...box.rows.map((row, index) => text(heading.x, y + titleHeight + 9 + index * lineHeight, row, 'start')),
    ...(box.isInitial ? [start({ x, y })] : []),
  );
};

const toward = (from: Point, to: Point, radius: number): Point => {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(radius, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
};

const at = ({ x, y }: Point): string => `${number(x)} ${number(y)}`;

/** A polyline with its corners rounded. */
const route = (points: readonly Point[]): string =>
  points
    .map((point, index) => {
      const before = points[index - 1];
      const after = points[index + 1];
      if (before === undefined) return `M${at(point)}`;
      if (after === undefined) return `L${at(point)}`;
      return `L${at(toward(point, before, 6))}Q${at(point)} ${at(toward(point, after, 6))}`;
    })
    .join('');

const radius = 10;

/** Where a state comes back to what it was doing: deep history, as statecharts draw it. */
const deepHistory = ({ x, y }: Point): string =>
  element('circle', { class: 'box', cx: x, cy: y, r: radius }) +
  element('text', { class: 'deep', x, y: y + 4, 'text-anchor': 'middle' }, 'H*');

const edge = ({ edge: { from, to, returns = false }, points }: PlacedEdge): string => {
  const [end, before] = points.toReversed();
  if (end === undefined || before === undefined) return '';
  return (
    (returns ? deepHistory({ x: end.x + Math.sign(end.x - before.x) * radius, y: end.y }) : '') +
    element('path', {
      class: 'route',
      'data-from': from,
      'data-to': to,
      d: route(points),
      'marker-end': 'url(#arrow)',
    })
  );
};

const label = ({ edge: { lines }, label: area }: PlacedEdge): readonly string[] =>
  area === null
    ? []
    : [
        element('rect', {
          class: 'pill',
          x: area.x,
          y: area.y,
          width: area.width,
          height: area.height,
          rx: 6,
        }),
        ...lines.map((line, index) =>
          text(area.x + area.width / 2, area.y + 13.5 + index * lineHeight, line, 'middle'),
        ),
      ];

/** The kinds of label, side by side along the bottom. */
const legend = ({ chart, height }: Placed): string => {
  const gap = 26;
  const starts = chart.legend.reduce<readonly number[]>(
    (xs, line) => [...xs, (xs.at(-1) ?? 0) + measure(textOf(line), fonts.label) + gap],
    [20],
  );
  return chart.legend.map((line, index) => text(starts[index] ?? 0, height - 14, line, 'start')).join('');
};

/** A placed chart as an SVG that carries everything it needs, the light page included. */
export const svg = (placed: Placed): string => {
  const { chart, width, height, boxes, edges } = placed;
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      viewBox: `0 0 ${number(width)} ${number(height)}`,
      width,
      height,
      role: 'img',
      'aria-labelledby': 'title description',
    },
    `\n`,
    [
      element('title', { id: 'title' }, escape(chart.title)),
      element('desc', { id: 'description' }, escape(chart.description)),
      element('style', {}, style),
      element(
        'defs',
        {},
        element(
          'marker',
          {
            id: 'arrow',
            viewBox: '0 0 8 8',
            refX: '7',
            refY: '4',
            markerWidth: '7',
            markerHeight: '7',
            orient: 'auto',
          },
          element('path', { class: 'arrow', d: 'M0 0L8 4L0 8z' }),
        ),
      ),
      element('rect', { class: 'page', width, height, rx: 8 }),
      ...boxes.map(box),
      ...edges.map(edge),
      ...edges.flatMap(label),
      legend(placed),
    ].join('\n'),
    '\n',
  ).concat('\n');
};
