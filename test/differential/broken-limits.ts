import { assign } from 'xstate';
import { appliesTo, applyFact } from '../../machines/facts/index.ts';
import { taskMachine, type Context } from '../../machines/index.ts';
import { isOutOfCalls } from '../../machines/gates.ts';
import { changed, otherwise, recording, taking, type Broken } from './broken.ts';

type Limit = keyof Context['taskClass']['limits'];

const withLimit = (c: Context, limit: Limit, more: number): Context => {
  const limits = { ...c.taskClass.limits, [limit]: (c.taskClass.limits[limit] ?? 0) + more };
  return { ...c, taskClass: { ...c.taskClass, limits } };
};

const isOutOfTurns = ({ counters, taskClass }: Context): boolean =>
  counters.modelCalls >= taskClass.limits.modelCalls;

const limited = (rule: string, more: number): readonly Broken[] => [
  {
    rule: `allows turns ${rule}`,
    chart: taskMachine.provide({
      guards: { isOutOfTurns: ({ context }) => isOutOfTurns(withLimit(context, 'modelCalls', more)) },
    }),
  },
  {
    rule: `allows calls ${rule}`,
    chart: taskMachine.provide({
      guards: { isOutOfCalls: ({ context }) => isOutOfCalls(withLimit(context, 'calls', more)) },
    }),
  },
  taking(`allows recoveries ${rule}`, (c, fact) =>
    appliesTo(fact.type === 'recovery.started' ? withLimit(c, 'recoveries', more) : c, fact),
  ),
];

/** Another action is recovered under the name of one that is in doubt. */
const isAnyInDoubt = (c: Context, effect: 'call' | 'rollback'): readonly string[] =>
  effect === 'call'
    ? Object.values(c.calls).map(({ digest }) => digest)
    : c.effects.map(({ digest }) => digest);

/** Charts that each break one rule about the limits of a run, its recoveries, or changed documents. */
export const brokenLimits: readonly Broken[] = [
  ...limited('once more than the limit', 1),
  ...limited('once less than the limit', -1),
  {
    rule: 'counts no turns',
    chart: taskMachine.provide({
      actions: { applyTurn: assign(({ context, event }) => applyFact(context, event)) },
    }),
  },
  otherwise('counts no calls', 'call.started', (c, fact) => ({
    ...applyFact(c, fact),
    counters: c.counters,
  })),
  otherwise('counts no recoveries', 'recovery.started', () => ({})),
  otherwise('counts the recoveries of all effects as one', 'recovery.started', (c, fact) => {
    const { recoveries } = changed(c, fact);
    const all = [...Object.keys(recoveries), ...Object.values(c.calls).map(({ digest }) => `call ${digest}`)];
    const most = Math.max(...Object.values(recoveries));
    return { recoveries: Object.fromEntries(all.map((name) => [name, most])) };
  }),
  recording('forgets recoveries once something else happens', (c, fact) => ({
    ...applyFact(c, fact),
    ...(fact.type !== 'recovery.started' && { recoveries: {} }),
  })),
  taking('recovers what is not in doubt', (c, fact) =>
    fact.type === 'recovery.started' && fact.request === c.request
      ? isAnyInDoubt(c, fact.effect).includes(fact.digest)
      : appliesTo(c, fact),
  ),
  taking('recovers for another request', (c, fact) =>
    appliesTo(c, fact.type === 'recovery.started' ? { ...fact, request: c.request } : fact),
  ),
  taking('recovers no read', (c, fact) =>
    fact.type === 'recovery.started' && fact.digest === 'do-r' ? false : appliesTo(c, fact),
  ),
  taking('is ended by changed evidence of another request', (c, fact) =>
    appliesTo(c, fact.type === 'evidence.changed' ? { ...fact, request: c.request } : fact),
  ),
  taking('is ended by changed evidence that no call refers to', (c, fact) =>
    fact.type === 'evidence.changed' && fact.request === c.request && c.reasons.length === 0
      ? true
      : appliesTo(c, fact),
  ),
  taking('is ended by a changed draft of another request', (c, fact) =>
    appliesTo(c, fact.type === 'output.changed' ? { ...fact, request: c.request } : fact),
  ),
  taking('takes changed documents while it fails', (c, fact) =>
    appliesTo(
      fact.type === 'evidence.changed' || fact.type === 'output.changed' ? { ...c, reasons: [] } : c,
      fact,
    ),
  ),
  otherwise('goes on with changed evidence', 'evidence.changed', () => ({})),
  otherwise('goes on with a changed draft', 'output.changed', () => ({})),
  otherwise('repairs changed evidence', 'evidence.changed', (c, { evidence: of }) => ({
    calls: Object.fromEntries(
      Object.entries(c.calls).map(([id, call]) => [
        id,
        call.evidence?.id === of ? { ...call, status: 'proposed', evidence: null } : call,
      ]),
    ) as Context['calls'],
  })),
  otherwise('repairs a changed draft', 'output.changed', () => ({ draft: null })),
  otherwise('keeps its turns for a further request', 'changes.requested', (c, fact) => {
    const { counters, ...next } = changed(c, fact);
    return { ...next, counters: { ...counters, modelCalls: c.counters.modelCalls } };
  }),
  otherwise('keeps its calls for a further request', 'changes.requested', (c, fact) => {
    const { counters, ...next } = changed(c, fact);
    return { ...next, counters: { ...counters, calls: c.counters.calls } };
  }),
  otherwise('keeps its recoveries for a further request', 'changes.requested', (c, fact) => ({
    ...applyFact(c, fact),
    recoveries: c.recoveries,
  })),
];
