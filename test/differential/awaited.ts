import { checksBeside, decisionsBeside } from './beside.ts';
import type { Rest } from './follows.ts';
import { unresolvedCalls, verifiersOwed, type Known } from './known.ts';
import { rollbackOwed } from './rollbacks.ts';
import { turnOf } from './deadlines.ts';

const at = (of: string, ids: readonly string[]): readonly string[] => ids.map((id) => `${of} ${id}`);

/** Calls whose tool was asked, and whatever those wait for that are not finished. */
const ofCalls = ({ calls }: Known): readonly string[] => [
  ...at(
    'call',
    calls.filter(({ status }) => status === 'started').map(({ id }) => id),
  ),
  ...at(
    'dependency',
    calls.flatMap(({ status, dependency }) =>
      status === 'awaiting' && dependency !== null ? [dependency] : [],
    ),
  ),
];

const ofReports = (owed: ReturnType<typeof verifiersOwed>): readonly string[] =>
  at(
    'verifier',
    owed.map(({ of, verifier }) => `${of} ${verifier}`),
  );

/** Whatever is asked beside people (decision 0089). */
const ofBesides = (k: Known): readonly string[] => [
  ...ofReports(checksBeside(k)),
  ...at(
    'policy',
    decisionsBeside(k).map(({ id }) => id),
  ),
];

const ofVerifiers = (k: Known, wave: 'checking' | 'verifying'): readonly string[] => {
  const { beforeWrite, beforeDeliver } = k.taskClass;
  const writes = k.calls.filter(({ tier, status }) => tier !== 'read_only' && status === 'ready');
  const owed =
    wave === 'checking'
      ? verifiersOwed(
          k,
          beforeWrite,
          writes.map(({ digest }) => digest),
        )
      : verifiersOwed(k, beforeDeliver, k.draft === null ? [] : [k.draft.digest]);
  return ofReports(owed);
};

const ofRollbacks = (k: Known): readonly string[] => {
  const next = k.effects.find(({ status }) => status === 'undoing')?.digest ?? rollbackOwed(k);
  return next === null ? [] : at('rollback', [next]);
};

/** What the run itself waits for (interpretation 0004: whatever is waited for has a deadline). */
const ofWork = (k: Known, { at: place, next }: Rest): readonly string[] => {
  switch (place) {
    case 'intake':
      return at('accept', [k.request]);
    case 'proposing':
    case 'concluding':
      return at(k.taskClass.host ? 'host' : 'model', [turnOf(k)]);
    case 'calling':
      return [...at('start', next), ...ofCalls(k)];
    case 'checking':
    case 'verifying':
      return ofVerifiers(k, place);
    case 'authorizing': {
      const undecided = k.calls.filter(
        ({ tier, status, verdict }) => tier !== 'read_only' && status === 'ready' && verdict === null,
      );
      return at(
        'policy',
        undecided.map(({ id }) => id),
      );
    }
    case 'undoing':
      return [...ofCalls(k), ...ofRollbacks(k)];
    case 'waiting':
      return ofCalls(k);
    case 'asking':
      return [
        ...at('question', [...k.questions.keys()]),
        ...at('start', next),
        ...ofCalls(k),
        ...ofBesides(k),
      ];
    case 'offering':
      return at('offer', [k.request]);
    case 'offered':
      return at('followup', [k.request]);
    case 'over':
      return [];
  }
};

/** Approvals that nothing rests on yet, and evidence that is not old: both grow old while the run goes on. */
const ofAge = (k: Known): readonly string[] => {
  if (k.outcome !== null) return [];
  const unused = k.calls.filter(
    (call) => call.approvals.length > 0 && !call.underWay && unresolvedCalls(k, call.digest).includes(call),
  );
  const fresh = [...k.calls, ...k.effects].flatMap(({ evidence }) =>
    evidence?.stale === false ? [evidence.id] : [],
  );
  return [
    ...at(
      'approval',
      unused.map(({ digest }) => digest),
    ),
    ...at('evidence', fresh),
  ];
};

/** Every deadline that runs while a run rests: what it is of, and the name of what is late when it passes. */
export const deadlinesOf = (k: Known, rest: Rest): readonly string[] =>
  [...new Set([...ofWork(k, rest), ...ofAge(k)])].toSorted();
