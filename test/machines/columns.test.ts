import { expect, test } from 'vitest';
import type { FactWords } from '../../machines/facts/family.ts';
import { ruleOf } from '../../machines/facts/index.ts';
import { factTypes, outcomeOf, taskClass, type Context, type Fact } from '../../machines/index.ts';
import { begin } from '../../machines/context.ts';
import { gateQuestion, gateSubject } from '../../machines/question.ts';
import { requests } from '../../src/testing/charter/world.ts';
import * as told from './scene.ts';

const words: FactWords = {
  call: (id) => `call ${id}`,
  calls: ({ calls }) => `${calls.length} calls`,
  doubt: ({ confidence }) => ` at ${confidence}`,
  action: (digest) => `action ${digest}`,
  question: (id) => `question ${id}`,
  proposer: 'the model',
  person: 'a person',
};

/** A fact, how it is said, its outcome, and `hoped` or `repeatable` if it is; by default it has the outcome of the run. */
type Row = readonly [told: told.FactMaker, said: string, ...columns: readonly string[]];

const run = 'pending'; // a fact without an outcome of its own has that of the run
const rows: readonly Row[] = [
  [told.accepted, 'the request is accepted', run, 'hoped'],
  [
    () => ({ type: 'request.refused', code: 'VERSION_UNSUPPORTED' }),
    'the request is refused (VERSION_UNSUPPORTED)',
  ],
  [told.asksForInformation('q'), 'the request lacks information'],
  [told.changes(), 'a person asks for changes', run, 'repeatable'],
  [told.cancelled, 'the task is cancelled', run, 'repeatable'],
  [() => ({ type: 'task.cancelled', urgent: true }), 'the task is cancelled at once', run, 'repeatable'],
  [told.stopped(), 'the run fails (GUARD_ERROR)', run, 'repeatable'],
  [told.evidenceChanged('e'), 'recorded evidence was changed (EVIDENCE_HASH_MISMATCH)', run, 'repeatable'],
  [told.outputChanged(), 'the recorded draft was changed', run, 'repeatable'],
  [told.planned('p'), 'the model plans 0 calls at 0.9', run, 'hoped'],
  [() => ({ type: 'plan.proposed', ...told.plan('p'), canProceed: false }), 'the model plans 0 calls at 0.9'],
  [told.proposes(), 'the model also plans 0 calls at 0.9'],
  [told.drafted(), 'the model drafts the answer at 0.9', run, 'hoped'],
  [told.rejects(), 'the output of the model is invalid'],
  [told.needsHelp(), 'the model asks for help'],
  [() => ({ type: 'capability.exceeded' }), 'the model gives up'],
  [told.offered, 'a refinement is offered'],
  [told.decided('c'), 'the policy allows call c', run, 'hoped'],
  [told.decided('c', 'deny'), 'the policy denies call c'],
  [told.granted('d'), 'kim approves action d', run, 'hoped', 'repeatable'],
  [told.cleared('c'), 'the clearance of call c still holds', run, 'hoped', 'repeatable'],
  [told.refused('c'), 'call c loses its clearance (APPROVAL_EXPIRED)', 'failure'],
  [told.tightened({}), 'the task class becomes stricter'],
  [told.started('c'), 'call c begins', run, 'hoped'],
  [told.succeeded('c'), 'call c succeeds', 'success', 'hoped'],
  [told.failed('c'), 'call c fails (TOOL_FAILED)', 'failure'],
  [told.doubted('c'), 'whether call c happened is unknown (TOOL_FAILED)', 'uncertain'],
  [told.awaits('c', 'd'), 'call c waits for something outside'],
  [told.met('d'), 'what a call waited for arrives', run, 'hoped'],
  [told.raises('c', 'q'), 'call c asks a person'],
  [told.reported('v', 'd'), 'the verifier v passes action d', 'success', 'hoped'],
  [told.reported('v', 'd', 'fail'), 'the verifier v fails action d', 'failure'],
  [told.recovers('call', 'd'), 'the call of action d is looked up or made again', 'pending'],
  [told.rollback('started', 'd'), 'the rollback of action d begins'],
  [told.rollback('succeeded', 'd'), 'the rollback of action d succeeds', 'success'],
  [told.rollback('failed', 'd'), 'the rollback of action d fails', 'failure'],
  [told.answered('q', 'approve'), 'kim approves question q', run, 'hoped', 'repeatable'],
  [told.answered('q', 'comment'), 'a person comments on question q', run, 'repeatable'],
  [told.answered('q', 'reject'), 'a person rejects question q'],
  [told.passed('question', 'q'), 'time passes: no one answered in time'],
];

const context: Context = begin({ taskClass: taskClass({ id: 'work' }), request: requests[0] });

/** What the columns of its rule say of a fact. */
const columnsOf = (fact: Fact) => {
  const { says, outcome, isHoped, isRepeatable } = ruleOf(fact.type);
  return [
    says(fact, words),
    outcome?.(fact) ?? outcomeOf(context),
    ...(isHoped?.(fact) === true ? ['hoped'] : []),
    ...(isRepeatable?.(fact) === true ? ['repeatable'] : []),
  ];
};

test.each(rows.map(([fact, said, ...columns]) => [said, fact, columns] as const))(
  '%s',
  (said, fact, columns) => {
    expect(columnsOf(fact(context))).toEqual([said, ...(columns.length === 0 ? [run] : columns)]);
  },
);

test('every fact is in the table', () => {
  const types = new Set(rows.map(([fact]) => fact(context).type));
  expect([...types].toSorted()).toEqual(factTypes.toSorted());
});

test('the question of a gate names its kind and its subject', () => {
  expect(gateSubject('doubt', gateQuestion('doubt', 'c'))).toBe('c');
  expect(gateSubject('approval', gateQuestion('doubt', 'c'))).toBeUndefined();
});
