import type { Area, Placed, Point } from './layout.ts';
import { legendOf } from './legend.ts';
import { paperWidth, type PlacedSheet } from './sheets.ts';
import { textOf } from './text.ts';

type Drawn = Pick<Placed, 'boxes' | 'edges'>;

const moved = ({ boxes, edges }: Placed, by: Point): Drawn => {
  const move = <Place extends Point>(place: Place): Place => ({
    ...place,
    x: place.x + by.x,
    y: place.y + by.y,
  });
  return {
    boxes: boxes.map((box) => ({ ...move(box), heading: move<Area>(box.heading) })),
    edges: edges.map(({ points, label, ...edge }) => ({
      ...edge,
      points: points.map(move),
      label: label === null ? null : move(label),
    })),
  };
};

/** A row of sheets. */
interface Shelf {
  readonly top: number;
  readonly height: number;
  width: number;
}

/** Returns sheets as one picture with one legend: below each other, and beside each other where there is room. */
export const stacked = (sheets: readonly [PlacedSheet, ...PlacedSheet[]]): Placed => {
  const shelves: Shelf[] = [];
  const parts: Drawn[] = [];
  let bottom = 0;
  for (const { placed } of sheets) {
    const height = placed.height - placed.legend.height;
    let shelf = shelves.find((one) => one.width + placed.width <= paperWidth && height <= one.height);
    if (shelf === undefined) {
      shelf = { top: bottom, height, width: 0 };
      shelves.push(shelf);
      bottom += height;
    }
    parts.push(moved(placed, { x: shelf.width, y: shelf.top }));
    shelf.width += placed.width;
  }
  const [{ placed: first }] = sheets;
  const width = Math.max(...shelves.map((shelf) => shelf.width));
  const lines = new Map(
    sheets.flatMap(({ placed }) => placed.chart.legend.map((line) => [textOf(line), line])),
  );
  const legend = legendOf([...lines.values()], width);
  return {
    ...first,
    width,
    height: bottom + legend.height,
    legend,
    boxes: parts.flatMap(({ boxes }) => boxes),
    edges: parts.flatMap(({ edges }) => edges),
  };
};
