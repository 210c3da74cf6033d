import type { Authority, Context, Fact } from '../../../machines/index.ts';
import { factsIn } from './facts.ts';
import { requests, type World } from './world.ts';

const authorities = ['approval', 'human', 'system'] as const satisfies readonly Authority[];

/** The word of somebody who approved this already. */
const repeated = ({ request, calls }: Context): readonly Fact[] =>
  Object.values(calls).flatMap(({ status, digest, approvers }) =>
    (status === 'proposed' || status === 'allowed' ? approvers : []).flatMap((approver): readonly Fact[] => [
      ...authorities.map(
        (authority) => ({ type: 'approval.granted', request, digest, authority, approver }) as const,
      ),
      { type: 'human.responded', question: `approval:${digest}`, feedback: 'approve', by: approver },
    ]),
  );

const spoofed = [
  'xstate.done.state.task',
  'xstate.done.state.task.submitted',
  'xstate.done.state.task.submitted.execute',
  'xstate.done.state.execution',
  'xstate.done.state.deliver',
  'xstate.done.actor.verifier',
  'xstate.after.1.task',
  'xstate.init',
  'constructor',
  '__proto__',
  '*',
  '',
];

/** What a run must not take: facts about what it is not about, an approver twice, and events that are no facts. */
export const hostileFactsIn = (world: World, c: Context): readonly Fact[] => [
  ...factsIn({ ...world, never: [] }, c).flatMap((fact): readonly Fact[] => [
    ...('attempt' in fact
      ? [
          { ...fact, attempt: fact.attempt + 1 },
          { ...fact, attempt: Number.NaN },
        ]
      : []),
    ...('request' in fact && fact.type !== 'changes.requested'
      ? requests.filter((request) => request !== c.request).map((request) => ({ ...fact, request }))
      : []),
    ...('digest' in fact && 'request' in fact ? [{ ...fact, digest: 'forged' }] : []),
    ...('call' in fact && typeof fact.call === 'string'
      ? ['constructor', 'unknown'].map((call) => ({ ...fact, call }) as Fact)
      : []),
    ...(fact.type === 'verifier.reported'
      ? [
          { ...fact, of: 'forged' },
          { ...fact, verifier: 'forged' },
          { ...fact, evidence: fact.evidence + 1 },
        ]
      : []),
    ...(fact.type === 'human.responded' ? [{ ...fact, question: 'toString' }] : []),
    ...(fact.type === 'deadline.passed' ? [{ ...fact, id: 'hasOwnProperty' }] : []),
  ]),
  ...repeated(c),
  ...spoofed.map((type) => ({ type }) as unknown as Fact),
];
