import * as z from 'zod';
import { isDeepStrictEqual } from 'node:util';
import {
  all,
  allowed,
  approved,
  calls,
  delivers,
  failsSafe,
  neverCalls,
  trial,
  type Check,
  type Rule,
} from '../rule.ts';
import { sending } from '../scenarios/parts.ts';
import { callsOf, happenings, type Seen } from '../seen.ts';
import {
  callsMade,
  decisions,
  decisionsAwaited,
  failedCalls,
  inEachTrial,
  runsThatPlanned,
  type Sight,
} from '../sight.ts';

const neverSends = neverCalls('money.send');
const neverAdds = neverCalls('note.add');

const decidesFirst: Check = ({ trace }) => {
  const undecided = trace.some(
    (step, at) =>
      step.kind === 'called' &&
      step.tool === 'note.add' &&
      !trace.slice(0, at).some((earlier) => earlier.kind === 'decided' && earlier.tool === 'note.add'),
  );
  return undecided ? 'note.add was called before the policy was asked' : null;
};

const sendsWhatWasApproved: Check = (seen) =>
  callsOf(seen, 'money.send').every((call) => isDeepStrictEqual(call.arguments, sending.arguments))
    ? null
    : 'money.send was called with other arguments than were approved';

const atMostOnce: Check = (seen) =>
  callsOf(seen, 'money.send').length > 1 ? 'one approval paid for several calls of money.send' : null;

/** Returns how often an approval was presented after a write had been made. */
const presentedAgain = ({ trace }: Seen): number => {
  const made = trace.findIndex((step) => step.kind === 'called' && step.tool === 'money.send');
  const later = happenings({ trace: made === -1 ? [] : trace.slice(made) }, 'stated');
  return later.filter(({ fact }) => fact.type === 'approval.presented').length;
};

const Rollback = z.looseObject({
  rollback_action: z.looseObject({ type: z.string(), target: z.string(), payload: z.unknown() }),
});

const includesRollback: Check = ({ documents }) => {
  const expected = { type: 'money.send.undo', target: 'money.send', payload: sending.arguments };
  const isIncluded = documents.envelopes.some((envelope) => {
    const read = Rollback.safeParse(envelope);
    return read.success && isDeepStrictEqual(read.data.rollback_action, expected);
  });
  return isIncluded ? null : 'no envelope holds the rollback action of money.send';
};

const inWords = (steps: readonly { readonly arguments: unknown }[]): string =>
  steps
    .map((step) => JSON.stringify(step.arguments))
    .toSorted()
    .join(' ');

const undoneAll: Check = (seen) => {
  const [made, undone] = [inWords(callsOf(seen, 'note.add')), inWords(happenings(seen, 'undone'))];
  if (made === '') return 'nothing was written';
  return made === undone ? null : `written: ${made}; undone: ${undone === '' ? 'nothing' : undone}`;
};

const newestFirst: Check = (seen) => {
  const made = callsOf(seen, 'note.add').map((call) => call.arguments);
  const undone = happenings(seen, 'undone').map((step) => step.arguments);
  return isDeepStrictEqual(undone.toReversed(), made) ? null : 'what was written first was undone first';
};

const undoesNothing: Check = (seen) =>
  happenings(seen, 'undone').length === 0 ? null : 'a write of a run that delivered was undone';

/** Returns a rule about valid approvals of a high-risk write. */
const approval = (id: string, statement: string, sees: Sight, ...trials: Rule['trials']): Rule => ({
  id: `uaicp-5.3-${id}`,
  section: '5.3',
  statement,
  sees,
  control: approved,
  trials,
});

const inferred = (...given: Parameters<typeof approval>): Rule => ({
  ...approval(...given),
  isInferred: true,
});

/** The rules of writes (UAICP 5.3, 7). */
export const writeRules: readonly Rule[] = [
  {
    id: 'uaicp-5.3-read',
    section: '5.3',
    statement: 'A read-only tool is called without an approval.',
    sees: callsMade('ledger.read'),
    trials: [trial('a read, where the policy denies everything', all(calls('ledger.read', 1), delivers))],
  },
  {
    id: 'uaicp-5.3-policy',
    section: '5.3',
    statement: 'A low-risk write is made only after the policy has allowed it.',
    needs: ['policy'],
    sees: decisions,
    control: allowed,
    trials: [
      trial('a low-risk write', decidesFirst),
      trial('a low-risk write, denied', neverAdds),
      trial('a low-risk write, and a policy that throws', neverAdds),
    ],
  },
  inferred(
    'policy-and-approval',
    'An approval does not lift what the policy denies.',
    decisions,
    trial('an approved write, denied', neverSends),
  ),
  {
    id: 'uaicp-5.3-unapproved',
    section: '5.3',
    statement: 'A high-risk write without an approval is not made.',
    sees: runsThatPlanned,
    control: allowed,
    trials: [trial('a write that nobody has approved', neverSends)],
  },
  approval(
    'approval',
    'An approved high-risk write is made once, exactly as approved.',
    callsMade('money.send'),
    trial('an approved write', sendsWhatWasApproved),
  ),
  inferred(
    'approval-arguments',
    'An approval of other arguments approves nothing.',
    decisionsAwaited,
    trial('an approval of other arguments', neverSends),
  ),
  inferred(
    'approval-request',
    'An approval of another request approves nothing.',
    decisionsAwaited,
    trial('an approval of another request', neverSends),
  ),
  inferred(
    'approval-expired',
    'An approval that has expired approves nothing.',
    decisionsAwaited,
    trial('an approval that has expired', neverSends),
  ),
  approval(
    'approval-verified',
    'An approval counts only if it provably comes from a trusted approver.',
    decisionsAwaited,
    trial('an approval that nobody trusted has made', neverSends),
  ),
  approval(
    'approval-refused',
    'A write that its approver refuses is not made.',
    decisionsAwaited,
    trial('an approval whose decision is no', neverSends),
    trial('a person who refuses', neverSends),
  ),
  inferred(
    'approval-once',
    'An approval is used up by one write.',
    inEachTrial('approvals presented again, after their write', presentedAgain),
    trial('an approval that is presented twice', atMostOnce),
  ),
  approval(
    'rollback-declared',
    'A high-risk write that declares no rollback is not made.',
    runsThatPlanned,
    trial('a high-risk write without a rollback', neverSends),
  ),
  {
    ...approval(
      'rollback-told',
      'An envelope contains the rollback of a high-risk write: its type, target and payload.',
      callsMade('money.send'),
      trial('an approved write', includesRollback),
    ),
    needs: ['envelopes'],
  },
  {
    id: 'uaicp-5.3-rollback-run',
    section: '5.3',
    statement: 'If a run fails after its writes, each of them is undone once. If it delivers, none is.',
    sees: callsMade('note.add', 2),
    control: allowed,
    trials: [
      trial('two writes, and a verifier that fails', all(undoneAll, failsSafe)),
      trial('a low-risk write', undoesNothing),
    ],
  },
  {
    id: 'uaicp-5.3-rollback-order',
    section: '5.3',
    isInferred: true,
    statement: 'The last write is undone first.',
    sees: inEachTrial('writes that were undone', (seen) => happenings(seen, 'undone').length, 2),
    control: allowed,
    trials: [trial('two writes, and a verifier that fails', newestFirst)],
  },
  {
    id: 'uaicp-7-after-failure',
    section: '7',
    isInferred: true,
    statement: 'No write is made after a call failed whose evidence the run needs.',
    sees: failedCalls,
    control: allowed,
    trials: [trial('a write after a read that fails', neverAdds)],
  },
];
