import type { Context } from '../../machines/index.ts';
import { appliesTo, applyFact } from '../../machines/facts/index.ts';
import { changed, otherwise, recording, taking, type Broken, type Change } from './broken.ts';

const withCalls = (
  { calls }: Pick<Context, 'calls'>,
  change: (call: Context['calls'][string]) => object,
): Context['calls'] =>
  Object.fromEntries(Object.entries(calls).map(([id, call]) => [id, { ...call, ...change(call) }]));

/** Evidence of which no one knows any more that a person said so. */
const heard = ({ evidence }: { evidence: Context['effects'][number]['evidence'] }) =>
  evidence === null ? {} : { evidence: { ...evidence, byPerson: undefined } };

/** A chart whose evidence keeps silent about one thing that it brought. */
const silent = (what: 'empty' | 'meets' | 'subjects'): Broken =>
  otherwise(`forgets what evidence says: ${what}`, 'call.succeeded', (c, fact) => {
    const { [what]: _, ...evidence } = fact.evidence;
    return applyFact(c, { ...fact, evidence });
  });

/** Charts that each break one rule about clearances, contracts, proposals, hosts or evidence. */
export const brokenRules: readonly Broken[] = [
  taking('begins a write that is not cleared', (c, fact) =>
    appliesTo(
      fact.type === 'call.started' ? { ...c, calls: withCalls(c, () => ({ cleared: true })) } : c,
      fact,
    ),
  ),
  taking('clears no write', (c, fact) => fact.type !== 'call.cleared' && appliesTo(c, fact)),
  taking('refuses reads and writes alike', (c, fact) =>
    fact.type === 'call.refused' ? c.calls[fact.call]?.status === 'allowed' : appliesTo(c, fact),
  ),
  recording('keeps clearances while it waits', (c, fact) => {
    const next = changed(c, fact);
    return { ...next, calls: withCalls(next, (call) => ({ cleared: call.status === 'allowed' })) };
  }),
  otherwise('keeps a write whose clearance lapsed', 'call.refused', () => ({})),
  otherwise('never consumedApprovals its clearances', 'call.refused', (c, fact) => {
    const limits = { ...c.taskClass.limits, clearances: 1000 };
    return applyFact({ ...c, taskClass: { ...c.taskClass, limits } }, fact);
  }),
  otherwise('is not told that its contract is stricter', 'taskClass.changed', () => ({})),
  otherwise('loosens its contract', 'taskClass.changed', (c, fact) => ({
    ...applyFact(c, fact),
    taskClass: { ...fact.taskClass, limits: c.taskClass.limits },
  })),
  otherwise('lets writes begin that were cleared before', 'taskClass.changed', (c, fact) => ({
    ...applyFact(c, fact),
    calls: c.calls,
  })),
  otherwise('keeps the approvals of a write that paused', 'taskClass.changed', (c, fact) => {
    const next = changed(c, fact);
    const calls = Object.entries(next.calls).map(([id, call]) => [
      id,
      call.status === 'waiting' || call.status === 'asking' ? (c.calls[id] ?? call) : call,
    ]);
    return { ...next, calls: Object.fromEntries(calls) as Context['calls'] };
  }),
  otherwise('goes on with a plan that a stricter contract makes unsure', 'taskClass.changed', (c, fact) => {
    const { plan, ...next } = changed(c, fact);
    return { ...next, plan: plan === null ? null : { ...plan, waived: true } };
  }),
  otherwise('lets further calls in at once', 'calls.proposed', (c, fact) =>
    applyFact(c, { ...fact, confidence: 1, canProceed: true }),
  ),
  otherwise('takes a plan without a confidence for a sure one', 'plan.proposed', (c, fact) =>
    applyFact(c, { ...fact, confidence: fact.confidence === 'unstated' ? 1 : fact.confidence }),
  ),
  taking('takes any number for a confidence', (c, fact) =>
    appliesTo(c, fact.type === 'draft.proposed' ? { ...fact, confidence: 1 } : fact),
  ),
  recording('waits for reads beside a failed call', (c, fact) => {
    const next = changed(c, fact);
    return {
      ...next,
      calls: withCalls(next, ({ status }) => (status === 'dropped' ? { status: 'started' } : {})),
    };
  }),
  recording('undoes what was to be kept', (c, fact) => {
    const next = changed(c, fact);
    return {
      ...next,
      effects: next.effects.map((one) => (one.status === 'kept' ? { ...one, status: 'committed' } : one)),
    };
  }),
  recording('asks no one about the writes of an absent host', (c, fact) =>
    applyFact(fact.type === 'deadline.passed' && fact.of === 'host' ? { ...c, effects: [] } : c, fact),
  ),
  silent('empty'),
  silent('meets'),
  silent('subjects'),
  otherwise('takes the word of a person for a tool result', 'human.responded', (c, fact) => {
    const next = changed(c, fact);
    return {
      ...next,
      calls: withCalls(next, heard),
      effects: next.effects.map((effect) => ({ ...effect, ...heard(effect) })),
    } as unknown as Change;
  }),
  taking('counts a person twice who spells the name otherwise', (c, fact) =>
    appliesTo(
      fact.type === 'approval.granted'
        ? {
            ...c,
            calls: withCalls(c, ({ approvers }) => ({
              approvers: approvers.filter((one) => one === fact.approver),
            })),
          }
        : c,
      fact,
    ),
  ),
];
