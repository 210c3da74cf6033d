import { describe, expect, test } from 'vitest';
import { occasionsOf, outcomeOf, type Context, type Occasion } from '../../machines/index.ts';
import { OperationalState, Phase, ReasonCode } from '../../schema/index.ts';
import { callOf } from 'agentcharter/testing';
import { bare } from './contexts.ts';
import {
  accepted,
  answered,
  asksForInformation,
  cancelled,
  drafted,
  failed,
  offered,
  planned,
  run,
  started,
  unsurelyPlanned,
  written,
  type TaskClassGiven,
  type FactMaker,
} from './scene.ts';

const { note, read } = callOf;

/** An occasion in a word: a message's state in parentheses, an envelope's phase with its outcome. */
const told = (occasion: Occasion): string =>
  occasion.kind === 'message' ? `(${occasion.state})` : `${occasion.phase}/${occasion.outcome}`;

const said = (taskClass: TaskClassGiven, facts: readonly FactMaker[]): string =>
  occasionsOf(run(taskClass, facts).c).map(told).join(' ');

describe('what a step gives cause to say', () => {
  test.each([
    ['a run begins', {}, [], '(submitted) intake/pending'],
    ['a request is accepted', {}, [accepted], 'plan/pending'],
    ['a question stops the run', {}, [asksForInformation('q')], '(needsHumanDecision)'],
    [
      'a person answers',
      {},
      [accepted, unsurelyPlanned('p', read('r')), answered('plan:p', 'approve')],
      '(submitted) plan/pending execute/pending',
    ],
    [
      'a draft is delivered',
      {},
      [accepted, planned('p'), drafted()],
      'verify/pending deliver/success (completed)',
    ],
    ['a followup is offered', { followup: true }, [accepted, planned('p'), drafted(), offered], '(followup)'],
    [
      'a followup is chosen',
      { followup: true },
      [accepted, planned('p'), drafted(), offered, answered('followup', 'approve')],
      '(completed)',
    ],
    ['a run is cancelled', {}, [cancelled], 'fail_safe/failure (cancelled)'],
    ['a fact changes no state', {}, [accepted, planned('p', read('r'), read('s')), started('r')], ''],
    [
      'evidence is missing',
      { limits: { repairs: 0 }, beforeDeliver: { evidence: [{ type: 'tool_result' }] } },
      [accepted, planned('p'), drafted()],
      'verify/pending fail_safe/uncertain (failed)',
    ],
  ] as const)('%s', (_, taskClass, facts, words) => {
    expect(said(taskClass, facts)).toBe(words);
  });

  test('is why it fails safe: each code once, and the evidence that is missing [UAICP 7]', () => {
    const evidence = [{ type: 'tool_result' }, { type: 'test_report', tool: 'tool-r' }] as const;
    const task = run({ limits: { repairs: 0 }, beforeDeliver: { evidence } }, [
      accepted,
      planned('p'),
      drafted(),
    ]);
    expect(occasionsOf(task.c).find((occasion) => told(occasion).startsWith('fail_safe'))).toEqual({
      kind: 'envelope',
      phase: 'fail_safe',
      outcome: 'uncertain',
      reasonCodes: ['EVIDENCE_MISSING'],
      missingEvidence: ['tool_result', 'test_report:tool-r'],
    });
  });

  test('gives reasons of no other phase', () => {
    const task = run({}, [accepted, planned('p'), cancelled]);
    const envelopes = occasionsOf(task.c).filter((occasion) => occasion.kind === 'envelope');
    expect(envelopes.map(({ phase, reasonCodes }) => [phase, reasonCodes])).toEqual([
      ['fail_safe', ['CANCELLED']],
    ]);
  });

  test('tells every phase from every operational state', () => {
    const trail = [...Phase.options, ...OperationalState.options];
    expect(occasionsOf(bare({ trail })).map(({ kind }) => kind)).toEqual([
      ...Phase.options.map(() => 'envelope'),
      ...OperationalState.options.map(() => 'message'),
    ]);
  });
});

const ended = (outcome: Context['outcome'], ...codes: readonly ReasonCode[]): Context =>
  bare({ outcome, reasons: codes.map((code) => ({ code, about: 'it' })) });

describe('the outcome of an envelope [UAICP 7]', () => {
  test('is pending while the run is, and success once it is delivered', () => {
    expect(outcomeOf(ended(null))).toBe('pending');
    expect(outcomeOf(ended('delivered'))).toBe('success');
  });

  const failures = [
    'TOOL_TIMEOUT',
    'TOOL_FAILED',
    'CHILD_FAILED',
    'BEYOND_CAPABILITY',
    'MODEL_UNAVAILABLE',
    'MODEL_ERROR',
    'HOST_UNAVAILABLE',
    'CALL_NOT_STARTED',
    'TOOL_UNAVAILABLE',
    'HUMAN_REJECTED',
    'CANCELLED',
  ] as const;

  test.each(ReasonCode.options)('is failure only where no invariant is in question: %s', (code) => {
    const isFailure = failures.some((failure) => failure === code);
    expect(outcomeOf(ended('failed', code))).toBe(isFailure ? 'failure' : 'uncertain');
    expect(outcomeOf(ended('cancelled', code))).toBe(isFailure ? 'failure' : 'uncertain');
  });

  test('is uncertain as soon as one reason is', () => {
    expect(outcomeOf(ended('failed', 'TOOL_FAILED', 'ROLLBACK_REQUIRED'))).toBe('uncertain');
    expect(outcomeOf(ended('failed', 'TOOL_FAILED', 'TOOL_TIMEOUT'))).toBe('failure');
  });

  test('says so where a cancelled run leaves a write that cannot be undone', () => {
    const task = run({}, [accepted, planned('p', note('n')), ...written('n'), cancelled]);
    expect(task.reasons).toEqual(['CANCELLED task', 'ROLLBACK_REQUIRED action-n']);
    expect(outcomeOf(task.c)).toBe('uncertain');
  });

  test('says failure of a tool that is broken', () => {
    const task = run({ limits: { repairs: 0 } }, [
      accepted,
      planned('p', read('r')),
      started('r'),
      failed('r'),
    ]);
    expect(outcomeOf(task.c)).toBe('failure');
  });
});
