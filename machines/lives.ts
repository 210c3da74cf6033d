import { assign, setup } from 'xstate';
import { callLife } from './call.ts';
import { effectLife } from './effect.ts';
import { lateWriteLife } from './late-write.ts';
import type { Lifecycle, Step, Subject } from './lifecycle.ts';
import { questionLife } from './question.ts';
import type { Cited } from './spec.ts';
import { chartVersion } from './version.ts';

type Line = Step<string, string, string, Subject>;

const transitionsOf = (lines: readonly Line[]) =>
  Object.fromEntries(
    [...new Set(lines.flatMap(({ on }) => on))].map((event) => [
      event,
      lines
        .filter(({ on }) => on.includes(event))
        .map(({ to, when, sets, cites }) => ({
          target: to,
          meta: { cites },
          ...(when !== undefined && { guard: when }),
          ...(sets && { actions: { type: 'set' as const, params: sets } }),
        })),
    ]),
  );

/** Returns the chart of a lifecycle, for diagrams and for exploration. */
const chartOf = <State extends string, Event extends string, Condition extends string, Of extends Subject>({
  id,
  steps,
  conditions,
}: Lifecycle<State, Event, Condition, Of>) => {
  const states = [...new Set(steps.flatMap(({ from, to }) => [...from, to]))];
  const guards = Object.entries<(subject: Of) => boolean>(conditions).map(([name, holds]) => [
    name,
    ({ context }: { readonly context: Subject }) => holds(context as Of), // the context is the input, which is an `Of`
  ]);
  return setup({
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- XState infers its types from it
    types: {} as { context: Subject; events: { readonly type: string }; input: Subject; meta: Cited },
    guards: Object.fromEntries(guards) as Record<
      string,
      (args: { readonly context: Subject }, params: undefined) => boolean
    >,
    actions: { set: assign((_, sets: Subject) => sets) },
  }).createMachine({
    id,
    version: chartVersion,
    context: ({ input }) => input,
    initial: 'new',
    states: Object.fromEntries(
      states.map((state) => [state, { on: transitionsOf(steps.filter(({ from }) => from.includes(state))) }]),
    ),
  });
};

/** The lifecycle of a call as a chart. */
export const callMachine = /* @__PURE__ */ chartOf(callLife);

/** The lifecycle of an effect as a chart. */
export const effectMachine = /* @__PURE__ */ chartOf(effectLife);

/** The lifecycle of a question as a chart. */
export const questionMachine = /* @__PURE__ */ chartOf(questionLife);

/** The lifecycle of a late write as a chart. */
export const lateWriteMachine = /* @__PURE__ */ chartOf(lateWriteLife);
