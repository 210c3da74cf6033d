import type { Phase } from '../../../../schema/index.ts';
import { isDeepStrictEqual } from 'node:util';
import {
  all,
  approved,
  delivers,
  failsSafe,
  inOrder,
  neverDelivers,
  trial,
  type Check,
  type Rule,
} from '../rule.ts';
import { endOf, happenings, type Seen } from '../seen.ts';
import {
  callsInFlight,
  factsUnderWay,
  hasPlanned,
  inAllScenarios,
  inEachTrial,
  plansMadeAnew,
  runsThatPlanned,
} from '../sight.ts';
import { delivered } from '../world.ts';
import { entered } from './phases.ts';

/** The allowed successors of each phase: the next one, a repair, or `fail_safe`. */
const next: Readonly<Record<Phase, readonly Phase[]>> = {
  intake: ['plan', 'fail_safe'],
  plan: ['execute', 'fail_safe'],
  execute: ['verify', 'plan', 'fail_safe'],
  verify: ['deliver', 'plan', 'execute', 'fail_safe'],
  deliver: [],
  fail_safe: [],
};

const inItsOrder: Check = (seen) => {
  const phases = entered(seen.documents.envelopes);
  if (phases[0] !== 'intake') return `its first envelope is of ${phases[0] ?? 'no phase'}, and not of intake`;
  const wrong = phases.findIndex((phase, at) => at > 0 && !next[phases[at - 1] ?? phase].includes(phase));
  if (wrong !== -1) return `${phases[wrong]} followed ${phases[wrong - 1]}`;
  const [end, lastPhase] = [endOf(seen), phases.at(-1)];
  const hasEnded = end === 'deliver' || end === 'fail_safe';
  return hasEnded && lastPhase !== end
    ? `it ended in ${end}, but its last envelope is of ${lastPhase}`
    : null;
};

const countPhaseSteps = ({ documents }: Seen): number => Math.max(0, entered(documents.envelopes).length - 1);

const factsAfterDelivery = (seen: Seen): number => {
  const { trace } = seen;
  const delivery = trace.findIndex((step) => step.kind === 'rested' && step.phase === 'deliver');
  return delivery === -1 || hasPlanned(seen) === 0
    ? 0
    : happenings({ trace: trace.slice(delivery) }, 'stated').length;
};

const staysDelivered: Check = ({ phases }) => {
  const remaining = phases.slice(phases.indexOf('deliver')).find((phase) => phase !== 'deliver');
  return remaining === undefined ? null : `it went from deliver to ${remaining}`;
};

const isPlanned =
  (times: number): Check =>
  (seen) => {
    const { length } = happenings(seen, 'planned');
    return length <= times ? null : `the model planned ${length} times, and ${times} were allowed`;
  };

const isPlannedAnew: Check = (seen) =>
  happenings(seen, 'planned').length > 1 ? delivers(seen) : 'it was not planned anew';

const logsRepairs: Check = ({ documents }) => {
  const phases = documents.audit.flatMap(({ of }) => (of.kind === 'transition' ? [of.to] : []));
  const verify = phases.indexOf('verify');
  const isLogged = phases.slice(verify).some((phase) => phase === 'plan' || phase === 'execute');
  return verify !== -1 && isLogged ? null : 'the audit trail has no transition back from verify';
};

const waits: Check = ({ phases: [first, then] }) => {
  if (first === 'deliver') return 'it delivered while a call had no answer';
  return then === 'deliver' ? null : `it ended in ${then}, and not in deliver, when the call was answered`;
};

const callsNothingAfterCancel: Check = ({ trace }) => {
  const cancelled = trace.findIndex((step) => step.kind === 'stated' && step.fact.type === 'run.cancelled');
  const late = trace.slice(cancelled).find((step) => step.kind === 'called');
  return late === undefined ? null : `${late.tool} was called after the run was cancelled`;
};

/** The rules of a run's phases and end (UAICP 3, 4.1, 4.2). */
export const runRules: readonly Rule[] = [
  {
    id: 'uaicp-3-phases',
    section: '3',
    statement:
      'A run begins in intake, and its envelopes name the phases in an order that the specification allows.',
    needs: ['envelopes'],
    sees: inAllScenarios('steps from phase to phase', 5, countPhaseSteps),
    control: inOrder,
    trials: [],
    everywhere: inItsOrder,
  },
  {
    id: 'uaicp-4.1-deliver',
    section: '4.1',
    statement: 'A run whose invariants all hold delivers its draft.',
    sees: inEachTrial('drafts that were delivered', (seen) =>
      endOf(seen) === 'deliver' ? happenings(seen, 'drafted').length : 0,
    ),
    trials: [
      trial(
        'everything in order',
        all(delivers, ({ documents }) =>
          isDeepStrictEqual(documents.result?.payload, delivered) ? null : 'it delivered something else',
        ),
      ),
    ],
  },
  {
    id: 'uaicp-4.1-fail-safe',
    section: '4.1',
    statement: 'An invariant that fails leads to fail_safe if no repair is left.',
    sees: runsThatPlanned,
    control: inOrder,
    trials: [trial('a read that fails', failsSafe), trial('no evidence', failsSafe)],
  },
  {
    id: 'uaicp-4.1-terminal',
    section: '4.1',
    statement: 'A run that has delivered stays delivered, whatever happens afterwards.',
    sees: inEachTrial('facts after the delivery', factsAfterDelivery, 2),
    control: inOrder,
    trials: [trial('facts after the end', all(delivers, staysDelivered))],
  },
  {
    id: 'uaicp-4.1-timeout',
    section: '4.1',
    isInferred: true,
    statement: 'A tool that never answers does not keep a run from failing safe.',
    sees: callsInFlight,
    control: inOrder,
    trials: [trial('a read that never answers', failsSafe)],
  },
  {
    id: 'uaicp-4.1-repair-bounded',
    section: '4.1',
    statement: 'Repairs are bounded: when they are used up, the run fails safe.',
    sees: plansMadeAnew,
    control: trial('a verifier that fails first', isPlannedAnew),
    trials: [
      trial('a verifier that always fails, with one repair', all(isPlanned(2), failsSafe)),
      trial('a verifier that always fails, with three repairs', all(isPlanned(4), failsSafe)),
    ],
  },
  {
    id: 'uaicp-4.1-repair-logged',
    section: '4.1',
    statement: 'A repair is logged: the audit trail has the transition back from verify.',
    needs: ['audit'],
    sees: plansMadeAnew,
    trials: [trial('a verifier that fails first', logsRepairs)],
  },
  {
    id: 'uaicp-4.1-repair-supersedes',
    section: '4.1',
    isInferred: true,
    statement: 'Evidence of an abandoned attempt does not count for the next one.',
    sees: plansMadeAnew,
    control: trial('a verifier that fails first', isPlannedAnew),
    trials: [trial('a repair that does not read again', neverDelivers)],
  },
  {
    id: 'uaicp-4.2-resolution',
    section: '4.2',
    statement: 'A run delivers only when every call that it has begun is resolved.',
    sees: callsInFlight,
    trials: [trial('a read that has not answered yet', waits)],
  },
  {
    id: 'uaicp-7-cancel',
    section: '7',
    isInferred: true,
    statement: 'A run that is cancelled fails safe, and calls no more tools.',
    sees: factsUnderWay('runs that were cancelled under way', 'run.cancelled'),
    control: approved,
    trials: [
      trial('a run that is cancelled while a person decides', all(failsSafe, callsNothingAfterCancel)),
      trial('a run that is cancelled while it reads', all(failsSafe, callsNothingAfterCancel)),
    ],
  },
];
