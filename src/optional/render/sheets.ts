import { sceneOf, type Scene } from './detail.ts';
import { layout, type Placed } from './layout.ts';
import { enteredOn, sheetOf, type Cut } from './sheet.ts';
import type { State, Walk } from './walk.ts';

/** The width of a sheet: its text is 9.6 px high across A4, and 11 px in a window of 1,280 px. */
export const paperWidth = 1400;

/** A sheet of a chart, by the state that it shows. */
export interface PlacedSheet {
  readonly of: string;
  readonly placed: Placed;
}

const sizeOf = ({ children }: State): number => 1 + children.reduce((sum, child) => sum + sizeOf(child), 0);

const isNarrow = ({ width }: Placed): boolean => width <= paperWidth;

/** Returns 0, 1, 2, 3, 5, 8 and so on, up to a number: a large chart takes few attempts. */
const upTo = (most: number): readonly number[] => {
  const counts = [0];
  for (let [next, after] = [1, 2]; next < most; [next, after] = [after, next + after]) counts.push(next);
  return most === 0 ? counts : [...counts, most];
};

/** Lays out a sheet downwards, else to the right, else with more and more transitions as rows. */
const narrowed = async (scene: Scene, cut: Cut, title: string | undefined): Promise<Placed> => {
  const entered = enteredOn(scene, cut);
  let best: Placed | undefined;
  for (const count of upTo(entered.length))
    for (const direction of ['DOWN', 'RIGHT'] as const) {
      const folded = new Map(entered.slice(0, count));
      const placed = await layout(sheetOf(scene, { ...cut, folded, direction }, title));
      if (isNarrow(placed)) return placed;
      if (best === undefined || placed.width < best.width) best = placed;
    }
  return best ?? layout(sheetOf(scene, cut, title));
};

/** Returns the sheets of a state. Closes its largest children until the sheet fits the paper. */
const sheetsFrom = async (
  scene: Scene,
  of: State,
  title: string | undefined,
): Promise<readonly [PlacedSheet, ...PlacedSheet[]]> => {
  const groups = of.children.filter(({ children }) => children.length > 0);
  const bySize = groups.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  const cutOf = (count: number): Cut => ({
    of,
    closed: new Set(bySize.slice(0, count).map(({ id }) => id)),
    folded: new Map(),
    direction: 'DOWN',
  });
  let cut = cutOf(0);
  let placed: Placed | undefined;
  for (const count of upTo(bySize.length)) {
    cut = cutOf(count);
    placed = await layout(sheetOf(scene, cut, title));
    if (isNarrow(placed)) break;
  }
  if (placed === undefined || !isNarrow(placed)) placed = await narrowed(scene, cut, title);
  const sheets: [PlacedSheet, ...PlacedSheet[]] = [{ of: of.id, placed }];
  for (const child of groups)
    if (cut.closed.has(child.id)) sheets.push(...(await sheetsFrom(scene, child, title)));
  return sheets;
};

/** Lays out every state and transition of a chart: on one sheet if it fits the paper, otherwise on several. */
export const sheetsOf = (
  walk: Walk,
  omittedActions: readonly string[],
  title?: string,
): Promise<readonly [PlacedSheet, ...PlacedSheet[]]> =>
  sheetsFrom(sceneOf(walk, omittedActions), walk.root, title);
