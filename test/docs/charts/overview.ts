import { always, type State, type Transition, type Walk } from '../reference/walk.ts';
import type { Box, Chart, Edge, Look } from './layout.ts';
import { note, type Line, type Span } from './text.ts';

/** What the overview shows inside an outer state; everything below is folded into it. */
const shown = /^(submitted\.(execute\.undoing|\w+)|\w+)$/;

export const looks: Readonly<Record<string, Look>> = {
  needsHumanDecision: 'person',
  deliver: 'good',
  completed: 'good',
  fail_safe: 'bad',
  failed: 'bad',
  cancelled: 'bad',
};

export const titleOf = (id: string): string => id.slice(id.lastIndexOf('.') + 1);

/** What decides: a gate by its guard, everything else by the fact that it takes. */
const deciding = ({ on, guard }: Transition): Span => {
  if (on !== always) return { kind: 'fact', text: on };
  return guard === null ? { kind: 'note', text: 'otherwise' } : { kind: 'guard', text: `[${guard}]` };
};

export const isInward = (from: string, to: string): boolean =>
  to.startsWith(`${from}.`) || from.startsWith(`${to}.`);

/** What an open state decides for all that is inside it. */
const inward = ({ transitions }: Walk, id: string): readonly Line[] =>
  transitions.flatMap((step, transition) =>
    step.from === id && step.target?.startsWith(`${id}.`) === true
      ? [{ spans: [deciding(step), { kind: 'note', text: `→ ${titleOf(step.target)}` }], transition }]
      : [],
  );

const boxOf = (walk: Walk, state: State, isInitial: boolean): Box => {
  const children = state.children.filter(({ id, type }) => shown.test(id) && type !== 'history');
  const title = titleOf(state.id);
  return {
    id: state.id,
    title,
    look: looks[title] ?? (children.length > 0 ? 'group' : 'work'),
    isInitial,
    rows: inward(walk, state.id),
    children: children.map((child) => boxOf(walk, child, child.id === state.initial)),
    isOpen: state.id === 'submitted',
    isTitledAside: state.id === 'submitted.execute',
  };
};

const isHistory = ({ states }: Walk, id: string): boolean =>
  states.some((state) => state.id === id && state.type === 'history');

/** The nearest state that the overview shows; a return through history ends at the border. */
const foldedTo = (walk: Walk, id: string): string =>
  shown.test(id) && !isHistory(walk, id) ? id : foldedTo(walk, id.slice(0, id.lastIndexOf('.')));

/** The outer states and the phases, with the edges between them merged and named by what decides. */
export const overviewOf = (walk: Walk): Chart => {
  const merged = new Map<string, { from: string; to: string; returns: boolean; lines: Map<string, Line> }>();
  for (const [transition, step] of walk.transitions.entries()) {
    if (step.target === null) continue;
    const from = foldedTo(walk, step.from);
    const to = foldedTo(walk, step.target);
    if (from === to || isInward(from, to)) continue;
    const span = deciding(step);
    const edge = merged.get(`${from} ${to}`) ?? {
      from,
      to,
      returns: isHistory(walk, step.target),
      lines: new Map<string, Line>(),
    };
    edge.lines.set(span.text, { spans: [span], transition });
    merged.set(`${from} ${to}`, edge);
  }
  const order = new Map(walk.states.map(({ id }, index) => [id, index]));
  const place = ({ from, to }: Edge): number => (order.get(from) ?? 0) * order.size + (order.get(to) ?? 0);
  const edges = [...merged.values()]
    .map(({ lines, ...edge }): Edge => ({ ...edge, lines: [...lines.values()] }))
    .toSorted((a, b) => place(a) - place(b));
  return {
    title: 'The operational states of a task, and the phases of a run inside submitted',
    description: edges.map(({ from, to }) => `${from} to ${to}`).join('; '),
    legend: [
      { spans: [{ kind: 'fact', text: 'a fact that is taken' }], transition: null },
      { spans: [{ kind: 'guard', text: '[a guard that decides]' }], transition: null },
      note('otherwise: no guard holds'),
      note('H*: back to where it was'),
    ],
    root: { ...boxOf(walk, walk.root, false), direction: 'RIGHT', isOrdered: true },
    edges,
  };
};
