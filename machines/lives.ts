import { assign, setup } from 'xstate';
import { callLife } from './call.ts';
import { effectLife } from './effect.ts';
import { lateWriteLife } from './late-write.ts';
import type { Life, Subject } from './life.ts';
import { questionLife } from './question-life.ts';
import type { Cited } from './spec.ts';
import { chartVersion } from './version.ts';

type AnyLife = Life<string, string, string, Subject>;

/** Returns the chart of a life, for diagrams and for exploration. */
const chartOf = <State extends string, Event extends string, Guard extends string, Of extends Subject>(
  life: Life<State, Event, Guard, Of>,
) => {
  const { id, guards, states } = life as unknown as AnyLife; // the context is the input, which is an `Of`
  return setup({
    // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- XState infers its types from it
    types: {} as { context: Subject; events: { readonly type: string }; input: Subject; meta: Cited },
    guards,
    actions: { set: assign((_, sets: Subject) => sets) },
  }).createMachine({ id, version: chartVersion, context: ({ input }) => input, initial: 'new', states });
};

/** The life of a call as a chart. */
export const callMachine = /* @__PURE__ */ chartOf(callLife);

/** The life of an effect as a chart. */
export const effectMachine = /* @__PURE__ */ chartOf(effectLife);

/** The life of a question as a chart. */
export const questionMachine = /* @__PURE__ */ chartOf(questionLife);

/** The life of a late write as a chart. */
export const lateWriteMachine = /* @__PURE__ */ chartOf(lateWriteLife);
