import { isEnteredInside } from './places.ts';
import { causeOf, page, sceneOf, type Scene } from './detail.ts';
import type { Box, Chart, Edge } from './chart.ts';
import { lookOf } from './looks.ts';
import { fact, guard, line, note, remark, titleText, type Line } from './text.ts';
import type { State, Walk } from './walk.ts';

/** A scene, and the ids of the states that an overview shows. */
interface Outline extends Scene {
  readonly shown: ReadonlySet<string>;
}

/**
 * Returns the outer states, the children of the first, and other external targets that none of these
 * contains.
 */
const shownIn = ({ walk, at, parentOf, holds }: Scene): ReadonlySet<string> => {
  const { root, transitions } = walk;
  const first = root.initial === null ? [] : at(root.initial).children;
  const always = new Set([root, ...root.children, ...first].map(({ id }) => id));
  const shown = new Set(always);
  for (const { from, targets } of transitions)
    for (const target of targets) {
      const parent = parentOf(target);
      if (parent === undefined || holds(parent.id, from)) continue;
      if (parent !== root && always.has(parent.id) && isEnteredInside(walk, parent)) continue;
      for (let state: State | undefined = at(target); state !== undefined; state = parentOf(state.id))
        shown.add(state.id);
    }
  return shown;
};

/** Returns what an open state decides for its children. */
const inward = ({ leaving, at, holds }: Outline, id: string): readonly Line[] =>
  leaving(id).flatMap(([transition, step]) =>
    step.targets
      .filter((target) => target !== id && holds(id, target))
      .map((target) => line(transition, causeOf(step), remark(`→ ${titleText(at(target).name)}`))),
  );

const isOwn = ({ type }: State): boolean => type !== 'history';

const isShown = ({ shown }: Outline, state: State): boolean => isOwn(state) && shown.has(state.id);

const boxOf = (outline: Outline, state: State, parent: State | null): Box => {
  const children = state.children.filter((child) => isShown(outline, child));
  const isGroup = children.length > 0;
  return {
    id: state.id,
    title: titleText(state.name),
    look: lookOf(state, isGroup ? (parent?.type === 'parallel' ? 'region' : 'group') : 'work'),
    isInitial: parent?.initial === state.id,
    rows: isGroup ? inward(outline, state.id) : [],
    children: children.map((child) => boxOf(outline, child, state)),
    isOpen: parent === null || parent === outline.walk.root,
    isTitledAside: parent !== null && isGroup && children.length < state.children.filter(isOwn).length,
  };
};

/** Returns the nearest shown state. A return through history ends at the border. */
const shownAncestor = (outline: Outline, id: string): string => {
  const parent = outline.parentOf(id);
  return parent === undefined || isShown(outline, outline.at(id)) ? id : shownAncestor(outline, parent.id);
};

/** Returns the end of an edge. One between outer states ends at the border. */
const endOf = (outline: Outline, from: string, target: string): string => {
  const isOuter = (id: string): boolean => outline.parentOf(id) === outline.walk.root;
  const folded = shownAncestor(outline, target);
  const border = outline.walk.root.children.find(({ id }) => outline.holds(id, folded))?.id;
  return isOuter(from) && border !== undefined && !outline.holds(border, from) ? border : folded;
};

/** Returns the edges between shown states, merged and labelled with their causes. */
const edgesOf = (outline: Outline): readonly Edge[] => {
  const { walk, at, isInward } = outline;
  const merged = new Map<string, Omit<Edge, 'lines'> & { readonly lines: Map<string, Line> }>();
  for (const [transition, step] of walk.transitions.entries())
    for (const target of step.targets) {
      const from = shownAncestor(outline, step.from);
      const to = endOf(outline, from, target);
      if (isInward(from, to)) continue;
      const { history } = at(target);
      const span = causeOf(step);
      const key = JSON.stringify([from, to]);
      const returns = history === null ? undefined : history === 'deep' ? 'H*' : 'H';
      const edge = merged.get(key) ?? { from, to, returns, lines: new Map<string, Line>() };
      edge.lines.set(span.text, line(transition, span));
      merged.set(key, edge);
    }
  const order = new Map(walk.states.map(({ id }, index) => [id, index]));
  const place = ({ from, to }: Edge): number => (order.get(from) ?? 0) * order.size + (order.get(to) ?? 0);
  return [...merged.values()]
    .map(({ lines, ...edge }): Edge => ({ ...edge, lines: [...lines.values()] }))
    .toSorted((a, b) => place(a) - place(b));
};

/**
 * Returns the page. Outer states are side by side, unless an edge enters one or the machine itself has
 * transitions.
 */
const sheetOf = (outline: Outline, edges: readonly Edge[]): Box => {
  const root = boxOf(outline, outline.walk.root, null);
  const isOuter = (id: string): boolean => outline.parentOf(id) === outline.walk.root;
  const outer = (id: string): string => (isOuter(id) ? id : outer(outline.parentOf(id)?.id ?? ''));
  const isAcross = ({ from, to }: Edge): boolean =>
    outer(from) !== outer(to) && !(isOuter(from) && isOuter(to));
  if (root.rows.length > 0 || edges.some(isAcross)) return { ...page, children: [root] };
  return { ...root, direction: 'RIGHT', isOpen: false, isOrdered: true };
};

/** Returns the outer states and their initial states as a picture, with merged edges. */
export const overviewOf = (walk: Walk, omittedActions: readonly string[], title?: string): Chart => {
  const scene = sceneOf(walk, omittedActions);
  const outline = { ...scene, shown: shownIn(scene) };
  const edges = edgesOf(outline);
  return {
    title: title ?? `An overview of ${walk.root.name}`,
    description: edges.map(({ from, to }) => `${from} to ${to}`).join('; '),
    legend: [
      line(null, fact('an event that is taken')),
      line(null, guard('a guard that decides')),
      note('otherwise: no guard holds'),
      ...(edges.some(({ returns }) => returns !== undefined) ? [note('H*: back to where it was')] : []),
    ],
    root: sheetOf(outline, edges),
    edges,
  };
};
