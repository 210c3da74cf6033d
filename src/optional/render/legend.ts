import { fonts } from './chart.ts';
import { measure, textOf, type Line } from './text.ts';

/** A legend, wrapped to the width of its picture. */
export interface Legend {
  readonly rows: readonly (readonly Line[])[];
  readonly height: number;
}

const gap = 26;
const margin = 20;
const rowHeight = 18;

const widthOf = (line: Line): number => measure(textOf(line), fonts.label) + gap;

/** Returns the width of the widest part, the least that a picture needs. */
export const leastWidth = (lines: readonly Line[]): number =>
  2 * margin - gap + Math.max(gap, ...lines.map(widthOf));

/** Returns a legend in rows that are not wider than the picture. */
export const legendOf = (lines: readonly Line[], width: number): Legend => {
  const rows: Line[][] = [];
  let room = 0;
  for (const line of lines) {
    if (rows.length === 0 || room < widthOf(line)) {
      rows.push([]);
      room = width - 2 * margin + gap;
    }
    rows.at(-1)?.push(line);
    room -= widthOf(line);
  }
  return { rows, height: 22 + rows.length * rowHeight };
};

/** Returns the place of each part, from the top left corner of the legend. */
export const placesOf = ({
  rows,
}: Legend): readonly { readonly line: Line; readonly x: number; readonly y: number }[] =>
  rows.flatMap((row, index) =>
    row.map((line, at) => ({
      line,
      x: row.slice(0, at).reduce((x, before) => x + widthOf(before), margin),
      y: 26 + index * rowHeight,
    })),
  );
