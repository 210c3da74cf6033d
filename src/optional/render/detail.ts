import type { Box } from './chart.ts';
import type { Look } from './looks.ts';
import { placesIn, type Places } from './places.ts';
import { actions, fact, guard, line, note, remark, titleText, type Line, type Span } from './text.ts';
import { always, lost, type State, type Transition, type Walk } from './walk.ts';

/** A transition and its index in the walk. */
type Numbered = readonly [transition: number, step: Transition];

/** A walk with its places, and the actions that a picture omits. */
export interface Scene extends Places {
  readonly walk: Walk;
  readonly leaving: (id: string) => readonly Numbered[];
  readonly omittedActions: readonly string[];
}

export const sceneOf = (walk: Walk, omittedActions: readonly string[]): Scene => {
  const steps = new Map<string, Numbered[]>();
  for (const [transition, step] of walk.transitions.entries())
    steps.set(step.from, [...(steps.get(step.from) ?? []), [transition, step]]);
  return { ...placesIn(walk), walk, omittedActions: omittedActions, leaving: (id) => steps.get(id) ?? [] };
};

/** Returns the action names without the omitted ones. */
const visibleActions = ({ omittedActions }: Scene, names: readonly string[]): readonly string[] =>
  names.filter((name) => !omittedActions.some((out) => name === out || name.startsWith(`${out} `)));

const decisionsOf = ({ leaving }: Scene, id: string): readonly Transition[] =>
  leaving(id)
    .map(([, step]) => step)
    .filter(({ kind }) => kind === 'decision');

/** Returns the label of a transition: `fact [guard] / actions`. The branches of a decision are numbered. */
export const spansOf = (scene: Scene, step: Transition): readonly Span[] => {
  const isDecision = step.kind === 'decision';
  const branches = isDecision ? decisionsOf(scene, step.from) : [];
  const done = visibleActions(scene, step.actions);
  return [
    ...(branches.length > 1 ? [remark(String(branches.indexOf(step) + 1))] : []),
    ...(step.kind === 'lost' ? [remark(lost)] : []),
    ...(step.kind === 'event' ? [fact(step.on)] : []),
    ...(step.guard !== null
      ? [guard(step.guard)]
      : isDecision
        ? [remark(branches.length > 1 ? 'otherwise' : always)]
        : []),
    ...(done.length > 0 ? [actions(done)] : []),
    ...(step.reenters ? [remark('anew')] : []),
  ];
};

/** Returns whether a state only decides: its last branch has no guard, so it is left at once. */
const isGate = (scene: Scene, { id }: State): boolean => decisionsOf(scene, id).at(-1)?.guard === null;

const listOf = (label: string, names: readonly string[]): readonly Line[] =>
  names.length === 0 ? [] : [line(null, remark(label), actions(names))];

/**
 * Returns the targets of a transition that needs no edge: the state itself, or one that contains it or is
 * inside it.
 */
const inwardOf = ({ at, isInward }: Scene, { from, targets }: Transition): readonly Span[] =>
  targets
    .filter((target) => isInward(from, target))
    .map((target) => remark(`→ ${target === from ? 'itself' : titleText(at(target).name)}`));

/** Returns the rows of a state: entry and exit actions, invocations, duties, and inner transitions. */
export const rowsOf = (scene: Scene, { id, begins, entry, exit, invokes, owes }: State): readonly Line[] => [
  ...listOf('entry', visibleActions(scene, entry)),
  ...listOf('exit', visibleActions(scene, exit)),
  ...listOf('begins', visibleActions(scene, begins)),
  ...invokes.map((name) => note(`invokes ${name}`)),
  ...(owes.length > 0 ? [note(`owes ${owes.join(', ')}`)] : []),
  ...scene.leaving(id).flatMap(([transition, step]): readonly Line[] => {
    const inward = inwardOf(scene, step);
    if (step.targets.length > 0 && inward.length === 0) return [];
    return [line(transition, ...spansOf(scene, step), ...inward)];
  }),
];

export const titleOf = ({ history, name }: State): string =>
  history === null ? titleText(name) : history === 'deep' ? 'H*' : 'H';

/** The page of a picture. */
export const page: Omit<Box, 'children'> = {
  id: '',
  title: '',
  look: 'group',
  isInitial: false,
  rows: [],
  isOpen: true,
};

/** Returns the cause of a transition: the guard of a gate, or an event. */
export const causeOf = ({ kind, on, guard: name }: Transition): Span => {
  if (kind === 'event') return fact(on);
  return name === null ? remark(kind === 'lost' ? on : 'otherwise') : guard(name);
};

/** Returns the default look of a state. */
export const plainLookOf = (scene: Scene, state: State, parent: State | null): Look =>
  state.children.length > 0
    ? parent?.type === 'parallel'
      ? 'region'
      : 'group'
    : isGate(scene, state)
      ? 'gate'
      : 'work';
