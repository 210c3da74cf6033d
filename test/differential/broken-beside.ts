import { assign } from 'xstate';
import { appliesTo, applyFact } from '../../machines/facts/index.ts';
import { mayGoOn } from '../../machines/beside.ts';
import { taskMachine, type Context, type FactOf } from '../../machines/index.ts';
import { asked } from '../../machines/progress.ts';
import { recording, type Broken } from './broken.ts';

type Calls = FactOf<'calls.proposed'>;

/** A chart that takes calls beside a question by another context, or others. */
const pushing = (rule: string, takes: (c: Context, fact: Calls) => boolean): Broken => ({
  rule,
  chart: taskMachine.provide({
    guards: {
      mayGoOn: ({ context, event }) =>
        event.type === 'calls.proposed' && appliesTo(context, event) && takes(context, event),
    },
  }),
});

const withRounds = (c: Context, more: number): Context => {
  const { limits } = c.taskClass;
  return { ...c, taskClass: { ...c.taskClass, limits: { ...limits, rounds: limits.rounds + more } } };
};

/** Charts that each break one rule about an agent that goes on beside a question (decision 0089), or about its pauses. */
export const brokenBeside: readonly Broken[] = [
  pushing('takes unsure calls beside a question', (c, fact) =>
    mayGoOn(c, { ...fact, confidence: 1, canProceed: true }),
  ),
  pushing('takes calls beside a question from an agent without a host', (c, fact) =>
    mayGoOn({ ...c, taskClass: { ...c.taskClass, host: true } }, fact),
  ),
  pushing('takes calls beside a question once more than the limit', (c, fact) =>
    mayGoOn(withRounds(c, 1), fact),
  ),
  pushing('takes calls beside a question once less than the limit', (c, fact) =>
    mayGoOn(withRounds(c, -1), fact),
  ),
  pushing('takes calls beside any question', (c, fact) =>
    mayGoOn(
      {
        ...c,
        questions: Object.fromEntries(
          Object.entries(c.questions).map(([id, one]) => [id, { ...one, kind: 'approval' }]),
        ),
      },
      fact,
    ),
  ),
  pushing('takes calls beside a question although a call failed', (c, fact) =>
    mayGoOn(
      {
        ...c,
        calls: Object.fromEntries(Object.entries(c.calls).filter(([, { status }]) => status !== 'failed')),
      },
      fact,
    ),
  ),
  recording('goes on beside any question', (c, fact) => ({ ...applyFact(c, fact), goesOn: true })),
  {
    rule: 'counts a second pause for what is asked beside a question',
    chart: taskMachine.provide({
      actions: {
        ask: assign(({ context: c }) => ({
          ...asked(c),
          counters: { ...c.counters, pauses: c.counters.pauses + 1 },
        })),
      },
    }),
  },
];
