import {
  all,
  approved,
  delivers,
  inOrder,
  neverCalls,
  neverDelivers,
  trial,
  type Check,
  type Rule,
} from '../rule.ts';
import { callsOf, happenings } from '../seen.ts';
import {
  callsMade,
  factsUnderWay,
  foreignAnswers,
  inEachTrial,
  objections,
  runsThatPlanned,
} from '../sight.ts';
import { hour } from '../world.ts';

const foreignInOrder = trial('evidence of another party', delivers);

const asksEvery =
  (...verifiers: readonly string[]): Check =>
  (seen) => {
    const asked = happenings(seen, 'verified');
    const missed = verifiers.find((id) => !asked.some(({ verifier }) => verifier === id));
    if (missed !== undefined) return `${missed} was not asked`;
    return asked.some(({ evidence }) => evidence === 0) ? 'a verifier was shown no evidence' : null;
  };

const readsInTime: Check = (seen) => {
  const reads = callsOf(seen, 'ledger.read').map(({ at }) => Date.parse(at));
  const isCovered = (write: number): boolean => reads.some((read) => read <= write && write - read <= hour);
  return callsOf(seen, 'money.send').every(({ at }) => isCovered(Date.parse(at)))
    ? null
    : 'money.send was called on evidence that was too old';
};

const verifiersPass = trial('two verifiers', delivers);

/** The rules of the deliver gate: evidence and verification (UAICP 5.1, 5.2). */
export const gateRules: readonly Rule[] = [
  {
    id: 'uaicp-5.1-required',
    section: '5.1',
    statement: 'Nothing is delivered without the evidence that the task class requires.',
    sees: runsThatPlanned,
    control: inOrder,
    trials: [trial('no evidence', neverDelivers)],
  },
  {
    id: 'uaicp-5.1-source',
    section: '5.1',
    isInferred: true,
    statement: 'Evidence of one tool does not count as evidence of another.',
    sees: callsMade('rates.read'),
    control: inOrder,
    trials: [trial('evidence of another tool', neverDelivers)],
  },
  {
    id: 'uaicp-5.1-schema',
    section: '5.1',
    statement: 'A document that does not match the schema of an evidence object does not count as evidence.',
    sees: foreignAnswers,
    control: foreignInOrder,
    trials: [trial('evidence that is no evidence object', neverDelivers)],
  },
  {
    id: 'uaicp-5.1-hash',
    section: '5.1',
    isInferred: true,
    statement: 'Evidence whose hash does not match its payload does not count: the hash is recomputed.',
    sees: foreignAnswers,
    control: foreignInOrder,
    trials: [
      trial('a hash of another payload', neverDelivers),
      trial('a hash that is no hash', neverDelivers),
    ],
  },
  {
    id: 'uaicp-5.1-run',
    section: '5.1',
    isInferred: true,
    statement: 'Evidence of another request or trace does not count.',
    sees: foreignAnswers,
    control: foreignInOrder,
    trials: [
      trial('evidence of another request', neverDelivers),
      trial('evidence of another trace', neverDelivers),
    ],
  },
  {
    id: 'uaicp-5.1-future',
    section: '5.1',
    isInferred: true,
    statement: 'Evidence with a collection time in the future does not count.',
    sees: foreignAnswers,
    control: foreignInOrder,
    trials: [trial('evidence from the future', neverDelivers)],
  },
  {
    id: 'uaicp-5.1-age',
    section: '5.1',
    isInferred: true,
    statement: 'Evidence that is older than the task class allows does not count.',
    sees: foreignAnswers,
    control: foreignInOrder,
    trials: [trial('evidence that is too old', neverDelivers)],
  },
  {
    id: 'uaicp-5.1-age-at-write',
    section: '5.1',
    isInferred: true,
    statement:
      'Evidence that a write requires is not too old when the write is made, however long a person took.',
    sees: factsUnderWay('writes that waited while time passed', 'time.passed'),
    control: approved,
    trials: [trial('evidence that grows old while a person decides', readsInTime)],
  },
  {
    id: 'uaicp-5.1-from-a-call',
    section: '5.1',
    isInferred: true,
    statement: 'Evidence that no call of the run returned does not count.',
    sees: factsUnderWay('pieces of evidence from outside, under way', 'evidence.arrived'),
    control: approved,
    trials: [trial('evidence that no call has brought', neverDelivers)],
  },
  {
    id: 'uaicp-5.2-asked',
    section: '5.2',
    statement: 'Every verifier that the task class requires runs, and receives the evidence.',
    sees: inEachTrial('verifiers that were asked', (seen) => happenings(seen, 'verified').length, 2),
    trials: [trial('two verifiers', all(asksEvery('totals', 'signs'), delivers))],
  },
  {
    id: 'uaicp-5.2-pass',
    section: '5.2',
    statement: 'Nothing is delivered unless every required verifier reports a pass.',
    sees: objections,
    control: verifiersPass,
    trials: [
      trial('a verifier that fails', neverDelivers),
      trial('two verifiers, of which the second fails', neverDelivers),
    ],
  },
  {
    id: 'uaicp-5.2-partial',
    section: '5.2',
    statement: 'A partial report is not a pass.',
    sees: objections,
    control: verifiersPass,
    trials: [trial('a partial report', neverDelivers)],
  },
  {
    id: 'uaicp-5.2-checks',
    section: '5.2',
    isInferred: true,
    statement: 'A pass with a failed or skipped check, or without checks, does not count as a pass.',
    sees: objections,
    control: verifiersPass,
    trials: [
      trial('a check that was skipped', neverDelivers),
      trial('a pass beside a check that failed', neverDelivers),
      trial('a pass without any check', neverDelivers),
    ],
  },
  {
    id: 'uaicp-5.2-throws',
    section: '5.2',
    statement: 'A verifier that throws has not passed.',
    sees: objections,
    control: verifiersPass,
    trials: [trial('a verifier that throws', neverDelivers)],
  },
  {
    id: 'uaicp-5.2-silent',
    section: '5.2',
    statement: 'A verifier that does not answer in time has not passed.',
    sees: objections,
    control: verifiersPass,
    trials: [trial('a verifier that never answers', neverDelivers)],
  },
  {
    id: 'uaicp-7-before-write',
    section: '7',
    statement: 'No write is made before the verifiers that must pass before it have passed.',
    sees: objections,
    control: trial('a write before which a verifier passes', delivers),
    trials: [trial('a write before which a verifier fails', neverCalls('note.add'))],
  },
  {
    id: 'uaicp-7-evidence-before-write',
    section: '7',
    isInferred: true,
    statement: 'No write is made before its required evidence exists.',
    sees: runsThatPlanned,
    control: trial('a low-risk write', delivers),
    trials: [trial('a write before which evidence is missing', neverCalls('note.add'))],
  },
];
