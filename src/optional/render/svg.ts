import { fonts, isGroup, lineHeight, rowPlace, titleHeight } from './chart.ts';
import type { Placed, PlacedBox, PlacedEdge, Point } from './layout.ts';
import { placesOf } from './legend.ts';
import { font, painted, paintedBox, style } from './style.ts';
import { measure, textOf, type Line } from './text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

/** Escapes text for XML. Characters that XML forbids become U+FFFD. */
const escape = (text: string): string =>
  text
    .replaceAll(/(?![\t\n\r])\p{Cc}|\p{Surrogate}|[\ufffe\uffff]/gu, '\ufffd')
    .replaceAll(/[&<>"'\t\n\r]/g, (character) => entities[character] ?? '');

const number = (value: number): string => String(Math.round(value * 10) / 10);

/** Returns an element. Omits attributes that are null. */
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
    line.spans.map(({ kind, text }) => element('tspan', painted(kind), escape(text))).join(' '),
  );

const start = ({ x, y }: Point): string =>
  element('circle', { ...painted('start'), cx: x + 14, cy: y - 17, r: 4 }) +
  element('path', {
    ...painted('route'),
    d: `M${number(x + 14)} ${number(y - 17)}V${number(y - 1)}`,
    'marker-end': 'url(#arrow)',
  });

const title = (x: number, y: number, anchor: 'start' | 'middle', words: string): string =>
  element(
    'text',
    {
      ...painted('title'),
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
    element('rect', {
      ...paintedBox(box.look),
      x,
      y,
      width,
      height,
      rx: box.look === 'history' ? width / 2 : 7,
    }),
    isGroup(box.look)
      ? title(heading.x, y + titleHeight - 5, 'start', box.title)
      : title(middle, y + (box.look === 'history' ? 17.5 : titleHeight - 5), 'middle', box.title),
    ...box.rows.map((row, index) => {
      const place = rowPlace(box, index);
      return text(heading.x + place.x, y + titleHeight + 9 + place.y, row, 'start');
    }),
    ...(box.isInitial ? [start({ x, y })] : []),
  );
};

const toward = (from: Point, to: Point, radius: number): Point => {
  const length = Math.hypot(to.x - from.x, to.y - from.y);
  const part = length === 0 ? 0 : Math.min(radius, length / 2) / length;
  return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
};

const at = ({ x, y }: Point): string => `${number(x)} ${number(y)}`;

/** Returns a polyline with rounded corners. */
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

/** Returns the history symbol of statecharts. */
const history = ({ x, y }: Point, how: string): string =>
  element('circle', { ...painted('mark'), cx: x, cy: y, r: radius }) +
  element('text', { ...painted('deep'), x, y: y + 4, 'text-anchor': 'middle' }, how);

const edge = ({ edge: { from, to, returns }, points }: PlacedEdge): string => {
  const [end, before] = points.toReversed();
  if (end === undefined || before === undefined) return '';
  return (
    (returns === undefined
      ? ''
      : history({ x: end.x + Math.sign(end.x - before.x) * radius, y: end.y }, returns)) +
    element('path', {
      ...painted('route'),
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
          ...painted('pill'),
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

/** Returns the legend: the kinds of label, at the bottom. */
const legend = ({ legend: parts, height }: Placed): string =>
  placesOf(parts)
    .map(({ line, x, y }) => text(x, height - parts.height + y, line, 'start'))
    .join('');

/** Returns a laid-out chart as a self-contained SVG. */
export const svg = (placed: Placed, theme: 'both' | 'day' = 'both'): string => {
  const { chart, width, height, boxes, edges } = placed;
  return element(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      class: 'chart',
      ...font,
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
      ...(theme === 'day' ? [] : [element('style', {}, style)]),
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
          element('path', { ...painted('arrow'), d: 'M0 0L8 4L0 8z' }),
        ),
      ),
      element('rect', { ...painted('page'), width, height, rx: 8 }),
      ...boxes.map(box),
      ...edges.map(edge),
      ...edges.flatMap(label),
      legend(placed),
    ].join('\n'),
    '\n',
  ).concat('\n');
};
