import { always, lost, type State, type Transition, type Walk } from '../reference/walk.ts';
import { isInward, looks, titleOf } from './overview.ts';
import type { Box, Chart, Edge, Look } from './layout.ts';
import { note, type Line, type Span } from './text.ts';

/** A transition in the words of a statechart: `fact [guard] / actions`; a decision counts the order of its branches. */
const lineOf = (walk: Walk, step: Transition, transition: number): Line => {
  const branches = walk.transitions.filter(({ from, on }) => from === step.from && on === always);
  const turn = step.on === always && branches.length > 1 ? `${branches.indexOf(step) + 1} ` : '';
  const spans: Span[] = [];
  if (turn !== '') spans.push({ kind: 'note', text: turn.trim() });
  if (step.on === lost) spans.push({ kind: 'note', text: lost });
  else if (step.on !== always) spans.push({ kind: 'fact', text: step.on });
  if (step.guard !== null) spans.push({ kind: 'guard', text: `[${step.guard}]` });
  else if (step.on === always) spans.push({ kind: 'note', text: 'otherwise' });
  const actions = step.actions.filter((action) => action !== 'record');
  if (actions.length > 0) spans.push({ kind: 'action', text: `/ ${actions.join(', ')}` });
  return { spans, transition };
};

/** Whether a state only decides: it rests nowhere, because its last branch has no guard. */
const isGate = ({ transitions }: Walk, { id }: State): boolean =>
  transitions.findLast(({ from, on }) => from === id && on === always)?.guard === null;

const lookOf = (walk: Walk, state: State): Look => {
  const title = titleOf(state.id);
  if (state.type === 'history') return 'history';
  if (looks[title] !== undefined) return looks[title];
  if (state.children.length > 0) return 'group';
  if (title === 'asking') return 'person';
  if (state.type === 'final') return 'good';
  return isGate(walk, state) ? 'gate' : 'work';
};

const rowsOf = (walk: Walk, { id, entry, owes }: State): readonly Line[] => {
  const entering = entry.filter((action) => !action.startsWith('enter '));
  return [
    ...(entering.length > 0
      ? [
          {
            spans: [
              note('entry').spans,
              { kind: 'action', text: `/ ${entering.join(', ')}` } as const,
            ].flat(),
            transition: null,
          },
        ]
      : []),
    ...(owes.length > 0 ? [note(`owes ${owes.join(', ')}`)] : []),
    ...walk.transitions.flatMap((step, transition): readonly Line[] => {
      if (step.from !== id || (step.target !== null && !isInward(id, step.target))) return [];
      const { spans } = lineOf(walk, step, transition);
      return [
        {
          spans:
            step.target === null ? spans : [...spans, { kind: 'note', text: `→ ${titleOf(step.target)}` }],
          transition,
        },
      ];
    }),
  ];
};

const boxOf = (walk: Walk, state: State, isInitial: boolean): Box => ({
  id: state.id,
  title: state.type === 'history' ? 'H*' : titleOf(state.id),
  look: lookOf(walk, state),
  isInitial,
  rows: state.type === 'history' ? [] : rowsOf(walk, state),
  children: state.children.map((child) => boxOf(walk, child, child.id === state.initial)),
  isOpen: true,
});

const page: Omit<Box, 'children'> = {
  id: 'page',
  title: '',
  look: 'group',
  isInitial: false,
  rows: [],
  isOpen: true,
};

/** Every state and every transition of a chart; those between the same two states share an edge. */
export const detailOf = (walk: Walk): Chart => {
  const merged = new Map<string, Edge>();
  for (const [transition, step] of walk.transitions.entries()) {
    const { from, target: to } = step;
    if (to === null || isInward(from, to)) continue;
    const edge = merged.get(`${from} ${to}`) ?? { from, to, lines: [] };
    merged.set(`${from} ${to}`, { ...edge, lines: [...edge.lines, lineOf(walk, step, transition)] });
  }
  return {
    title: `Every state and transition of ${walk.root.id}`,
    description: `${walk.states.length} states and ${walk.transitions.length} transitions; the reference page of this chart lists them with their sources.`,
    legend: [
      { spans: [{ kind: 'fact', text: 'a fact that is taken' }], transition: null },
      { spans: [{ kind: 'guard', text: '[a guard]' }], transition: null },
      { spans: [{ kind: 'action', text: '/ an action, beside recording the fact' }], transition: null },
      note('1, 2, 3: the order in which a decision tries its branches'),
    ],
    root: { ...page, children: [boxOf(walk, walk.root, false)] },
    edges: [...merged.values()],
  };
};
