import * as z from 'zod';
import { DateTime, Outcome, type Phase } from '../../../../schema/index.ts';
import { issueWords } from '../../../base/boundary/issue-words.ts';
import { clause } from '../../../base/boundary/issues-of.ts';
import { inOrder, trial, type Check, type Rule } from '../rule.ts';
import { approver } from '../scenarios/parts.ts';
import { happenings, type Seen } from '../seen.ts';
import { factsUnderWay, inAllScenarios } from '../sight.ts';
import type { AuditRecord } from '../subject.ts';
import { entered, withoutRepeats } from './phases.ts';

const AuditFields = z.looseObject({
  request_id: z.string().min(1),
  trace_id: z.string().min(1),
  timestamp: DateTime,
  actor: z.looseObject({ kind: z.enum(['system', 'agent', 'human']), id: z.string().min(1) }),
  outcome: Outcome,
});

const hasEveryField: Check = ({ documents }) => {
  for (const record of documents.audit) {
    const [issue] = AuditFields.safeParse(record, issueWords.data).error?.issues ?? [];
    if (issue === undefined) continue;
    const of =
      record.of.kind === 'call' ? `the call of ${record.of.tool}` : `the transition to ${record.of.to}`;
    return clause(`the record of ${of} at /${issue.path.join('/')}`, issue.message);
  }
  return null;
};

/** Returns whether a list contains another one as a subsequence. */
const holdsInOrder = (list: readonly Phase[], expected: readonly Phase[]): boolean => {
  let found = 0;
  for (const phase of list) if (phase === expected[found]) found += 1;
  return found === expected.length;
};

const recordsTransitions: Check = ({ documents, phases }) => {
  const reported = documents.envelopes.length > 0 ? entered(documents.envelopes) : withoutRepeats(phases);
  const expected = reported.filter((phase) => phase !== 'intake'); // the initial phase is no transition
  const recorded = documents.audit.flatMap(({ of }) => (of.kind === 'transition' ? [of.to] : []));
  return holdsInOrder(recorded, expected)
    ? null
    : `it went through ${expected.join(', ')}; recorded: ${recorded.join(', ') || 'nothing'}`;
};

const count = (list: readonly string[], tool: string): number => list.filter((one) => one === tool).length;

const recordsCalls: Check = (seen) => {
  const called = happenings(seen, 'called').map(({ tool }) => tool);
  const recorded = seen.documents.audit.flatMap(({ of }) => (of.kind === 'call' ? [of.tool] : []));
  const missed = called.find((tool) => count(recorded, tool) < count(called, tool));
  return missed === undefined ? null : `a call of ${missed} has no record`;
};

const actorText = (actor: AuditRecord['actor']): string =>
  actor === undefined ? 'nobody' : `${actor.kind} ${actor.id}`;

const namesThePerson: Check = ({ documents }) => {
  const end = documents.audit.findLast(({ of }) => of.kind === 'transition' && of.to === 'fail_safe');
  return end?.actor?.kind === 'human' && end.actor.id === approver
    ? null
    : `${approver} cancelled it, and the record of it names ${actorText(end?.actor)}`;
};

const recordsOf =
  (kind: AuditRecord['of']['kind']) =>
  ({ documents }: Seen): number =>
    documents.audit.filter(({ of }) => of.kind === kind).length;

/** The audit trail (UAICP 5.4). */
export const auditRules: readonly Rule[] = [
  {
    id: 'uaicp-5.4-transitions',
    section: '5.4',
    statement: 'Every transition has a record.',
    needs: ['audit'],
    sees: inAllScenarios('records of transitions', 2, recordsOf('transition')),
    control: inOrder,
    trials: [],
    everywhere: recordsTransitions,
  },
  {
    id: 'uaicp-5.4-calls',
    section: '5.4',
    statement: 'Every call of a tool has a record.',
    needs: ['audit'],
    sees: inAllScenarios('records of calls', 4, recordsOf('call')),
    control: inOrder,
    trials: [],
    everywhere: recordsCalls,
  },
  {
    id: 'uaicp-5.4-fields',
    section: '5.4',
    statement: 'Every record names its request, its trace, its time, who acted, and the outcome.',
    needs: ['audit'],
    sees: inAllScenarios('records', 6, ({ documents }) => documents.audit.length),
    control: inOrder,
    trials: [],
    everywhere: hasEveryField,
  },
  {
    id: 'uaicp-5.4-actor',
    section: '5.4',
    statement: 'An action of a person is recorded under their name, and as an action of a person.',
    needs: ['audit'],
    sees: factsUnderWay('runs that were cancelled under way', 'run.cancelled'),
    trials: [trial('a run that is cancelled while a person decides', namesThePerson)],
  },
];
