import type { Authority, Context, Fact } from '../../../machines/index.ts';
import { strangeFactsIn } from './facts.ts';
import type { World } from './world.ts';

const authorities = ['approval', 'human', 'system'] as const satisfies readonly Authority[];

/** Returns a second approval by each previous approver. */
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

/**
 * Returns facts that a run must refuse: on unrelated ids, a duplicate approver, and events that are no facts.
 */
export const hostileFactsIn = (world: World, c: Context): readonly Fact[] => [
  ...strangeFactsIn({ ...world, never: [], careless: false }, c),
  ...repeated(c),
  ...spoofed.map((type) => ({ type }) as unknown as Fact),
];
