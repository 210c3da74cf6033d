import type { Box, Chart, Edge } from './chart.ts';
import { causeOf, page, plainLookOf, rowsOf, spansOf, titleOf, type Scene } from './detail.ts';
import { lookOf } from './looks.ts';
import { isEnteredInside } from './places.ts';
import { actions, fact, guard, line, note, remark, type Line, type Span } from './text.ts';
import type { State, Transition } from './walk.ts';

/** A part of a chart that is drawn alone: one state, and what is inside it except inside closed states. */
export interface Cut {
  readonly of: State;
  /** The ids of states that have a sheet of their own. */
  readonly closed: ReadonlySet<string>;
  /** States with at most one incoming line, by the state that it comes from: others have rows that lead to them. */
  readonly folded: ReadonlyMap<string, string | null>;
  readonly direction: 'DOWN' | 'RIGHT';
}

interface Sheet extends Scene {
  readonly cut: Cut;
}

/** Returns the nearest state that a sheet shows; `undefined` outside the sheet. */
const shownAt = ({ cut: { of, closed }, holds, parentOf }: Sheet, id: string): string | undefined => {
  if (!holds(of.id, id)) return undefined;
  let shown = id;
  for (let at: string | undefined = id; at !== undefined && at !== of.id; at = parentOf(at)?.id)
    if (closed.has(at)) shown = at;
  return shown;
};

/** Returns whether a sheet draws the transitions of a state in full. */
const isOpenOn = (sheet: Sheet, id: string): boolean =>
  shownAt(sheet, id) === id && (!sheet.cut.closed.has(id) || id === sheet.cut.of.id);

/** Returns the outer state on the way to `id` that does not contain `from`. */
const beside = ({ holds, parentOf }: Scene, id: string, from: string): string => {
  const parent = parentOf(id);
  return parent === undefined || holds(parent.id, from)
    ? id
    : beside({ holds, parentOf } as Scene, parent.id, from);
};

/** Returns the name of a state as seen from another one: its path below what contains both. */
const nameFrom = (sheet: Scene, from: string, id: string): string => {
  const outer = beside(sheet, id, from);
  const names: string[] = [];
  for (let at: string | undefined = id; at !== undefined; at = sheet.parentOf(at)?.id) {
    names.unshift(titleOf(sheet.at(at)));
    if (at === outer) break;
  }
  return names.join('.');
};

/** Returns whether a transition is a row of its source: its target is folded, or on another sheet. */
const isRow = (sheet: Sheet, from: string, target: string): boolean => {
  const shown = shownAt(sheet, target);
  if (sheet.isInward(from, target) || !isOpenOn(sheet, from)) return false;
  return shown === undefined || (sheet.cut.folded.has(shown) && sheet.cut.folded.get(shown) !== from);
};

const waysOut = (sheet: Sheet, id: string): readonly Line[] =>
  sheet.leaving(id).flatMap(([transition, step]) => {
    const rows = step.targets.filter((target) => isRow(sheet, id, target));
    if (rows.length === 0) return [];
    const targets = rows.map((target) => remark(`→ ${nameFrom(sheet, id, target)}`));
    return [line(transition, ...spansOf(sheet, step), ...targets)];
  });

/** Returns where a state is entered from other sheets, as a row. */
const waysIn = (sheet: Sheet, id: string): readonly Line[] => {
  const { walk, cut, holds } = sheet;
  const from = walk.transitions
    .filter((step) => !holds(cut.of.id, step.from) && !holds(step.from, cut.of.id))
    .filter(({ targets }) => targets.some((target) => shownAt(sheet, target) === id))
    .map((step) => titleOf(sheet.at(beside(sheet, step.from, cut.of.id))));
  return from.length === 0 ? [] : [note(`← ${[...new Set(from)].join(', ')}`)];
};

const statesIn = ({ children }: State): number =>
  children.reduce((sum, child) => sum + 1 + statesIn(child), 0);

const boxOf = (sheet: Sheet, state: State, parent: State | null): Box => {
  const { of, closed, direction } = sheet.cut;
  const isTop = state === of;
  const isClosed = !isTop && closed.has(state.id);
  const rows = [
    ...waysIn(sheet, state.id),
    ...(isClosed ? [note(`${statesIn(state)} states, on a sheet of their own`)] : []),
    ...(isClosed ? [] : [...rowsOf(sheet, state), ...waysOut(sheet, state.id)]),
  ];
  return {
    id: state.id,
    title: isTop ? state.id : titleOf(state),
    look: lookOf(state, isClosed ? 'work' : plainLookOf(sheet, state, parent)),
    isInitial: !isTop && parent?.initial === state.id,
    isTitledAside: isTop
      ? rows.length > 4 && state.children.every(({ children }) => children.length === 0)
      : !isClosed && rows.length === 0 && isEnteredInside(sheet.walk, state),
    rows: state.type === 'history' ? [] : rows,
    children: isClosed ? [] : state.children.map((child) => boxOf(sheet, child, state)),
    isOpen: true,
    direction,
  };
};

/** Returns the label of a transition: in full, or its cause if it starts inside a closed state. */
const labelOf = (sheet: Sheet, step: Transition, index: number, hidden: readonly Span[]): Line =>
  isOpenOn(sheet, step.from)
    ? line(index, ...spansOf(sheet, step), ...hidden)
    : line(null, causeOf(step), ...hidden);

const keyOf = ({ spans, transition }: Line): string => JSON.stringify([spans, transition]);

/** Returns the edges of a sheet, in order. Transitions between the same two states share one. */
const edgesOf = (sheet: Sheet): readonly Edge[] => {
  const merged = new Map<string, { from: string; to: string; lines: Map<string, Line> }>();
  for (const [index, step] of sheet.walk.transitions.entries())
    for (const target of step.targets) {
      const from = shownAt(sheet, step.from);
      const to = shownAt(sheet, target);
      if (from === undefined || to === undefined) continue;
      if (isRow(sheet, step.from, target) || sheet.isInward(step.from, target)) continue;
      if (sheet.isInward(from, to)) continue;
      const key = JSON.stringify([from, to]);
      const edge = merged.get(key) ?? { from, to, lines: new Map<string, Line>() };
      const hidden = to === target ? [] : [remark(`→ ${titleOf(sheet.at(target))}`)];
      const label = labelOf(sheet, step, index, hidden);
      edge.lines.set(keyOf(label), label);
      merged.set(key, edge);
    }
  return [...merged.values()].map(({ lines, ...edge }) => ({ ...edge, lines: [...lines.values()] }));
};

/**
 * Returns the states of a sheet that two or more lines lead to, the most entered first, each with the first
 * state that leads to it from the initial one.
 */
export const enteredOn = (scene: Scene, cut: Cut): readonly (readonly [string, string | null])[] => {
  const edges = edgesOf({ ...scene, cut }).filter(({ from }) => isOpenOn({ ...scene, cut }, from));
  const first = new Map<string, string | null>();
  const queue = cut.of.initial === null ? [] : [cut.of.initial];
  for (const id of queue) first.set(id, null);
  for (const at of queue)
    for (const { from, to } of edges)
      if (from === at && !first.has(to)) {
        first.set(to, from);
        queue.push(to);
      }
  const counts = new Map<string, number>();
  for (const { to } of edges) counts.set(to, (counts.get(to) ?? 0) + 1);
  return [...counts]
    .filter(([, count]) => count > 1)
    .toSorted(([, one], [, other]) => other - one)
    .map(([id]) => [id, first.get(id) ?? null]);
};

/** Returns the part of a chart as a picture. */
export const sheetOf = (scene: Scene, cut: Cut, title?: string): Chart => {
  const sheet = { ...scene, cut };
  const { walk, omittedActions, parentOf } = scene;
  const besides = omittedActions.length === 0 ? '' : ` (${omittedActions.join(', ')} are not shown)`;
  const isPart = cut.of !== walk.root || cut.closed.size > 0;
  return {
    title: title ?? `Every state and transition of ${cut.of.id}`,
    description: `${walk.states.length} states and ${walk.transitions.length} transitions.`,
    legend: [
      line(null, fact('an event that is taken')),
      line(null, guard('a guard')),
      line(null, actions([`an action${besides}`])),
      note('1, 2, 3: the order in which a decision tries its branches'),
      ...(isPart ? [note('← →: from and to another sheet')] : []),
      ...(cut.folded.size > 0 ? [note('→: a line that is not drawn')] : []),
    ],
    root: {
      ...page,
      direction: cut.direction,
      children: [boxOf(sheet, cut.of, parentOf(cut.of.id) ?? null)],
    },
    edges: edgesOf(sheet),
  };
};
