import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { applyFact, appliesTo } from '../../machines/facts/index.ts';
import type { Context } from '../../machines/index.ts';
import { bare, sure, writeCall } from './contexts.ts';
import {
  accepted,
  answered,
  awaits,
  decided,
  doubted,
  met,
  plan,
  planned,
  proposes,
  rejects,
  run,
  started,
  succeeded,
  tightened,
  unsurelyPlanned,
  unsurelyProposes,
} from './scene.ts';

const { read, send, undoable } = callOf;

/** Not as sure as the task class asks for. */
const unsure = { confidence: 0.1, canProceed: true };

describe('a plan that a person writes instead', () => {
  test('stands as it was written, whatever its confidence', () => {
    const task = run({}, [accepted, unsurelyPlanned('plan', read('r'))]);
    task.send(answered('plan:plan', 'edit', { plan: { ...plan('edited', read('s')), ...unsure } }));
    expect(task.c.plan).toEqual({ digest: 'edited', ...unsure, waived: true });
    expect(task.owes).toEqual(['call s']);
  });

  test('begins the corrections of the next output anew', () => {
    const task = run({ limits: { corrections: 1 } }, [accepted, rejects('a'), rejects('b')]);
    task.send(answered('b', 'edit', { plan: plan('edited') }), rejects('c'));
    expect(task.owes).toEqual(['correct draft']);
  });

  test('leaves nothing of what was proposed and reported on the plan before', () => {
    const c = bare({
      plan: sure('plan'),
      further: { ...sure('further'), calls: [] },
      draft: sure('draft'),
      reports: { 'draft facts': { verifier: 'facts', of: 'draft', evidence: 0, status: 'pass', code: null } },
      questions: {
        'plan:plan': { kind: 'plan', about: 'plan' },
        'plan:further': { kind: 'plan', about: 'further' },
      },
    });
    const fact = answered('plan:plan', 'edit', { plan: plan('edited') })(c);
    expect(appliesTo(c, fact)).toBe(true);
    const { further, draft, reports, questions } = applyFact(c, fact);
    expect({ further, draft, reports, questions }).toEqual({
      further: null,
      draft: null,
      reports: {},
      questions: {},
    });
  });

  test('is not taken while a write has begun and has no outcome', () => {
    const task = run({ limits: { pauses: 3 } }, [
      accepted,
      planned('plan', undoable('u')),
      decided('u'),
      started('u'),
      awaits('u', 'event'),
      met('event'),
      tightened({ threshold: 0.95 }),
    ]);
    expect(task.owes).toEqual(['ask plan:plan']);
    expect(task.takes(answered('plan:plan', 'edit', { plan: plan('edited') }))).toBe(false);
    expect(task.takes(answered('plan:plan', 'instruction'))).toBe(false);
    expect(task.takes(answered('plan:plan', 'approve'))).toBe(true);
  });
});

describe('further calls that a person writes instead', () => {
  test('go on, whatever their confidence', () => {
    const task = run({ limits: { rounds: 2 } }, [accepted, planned('plan'), unsurelyProposes(read('r'))]);
    task.send(answered('plan:further', 'edit', { plan: { ...plan('edited', read('s')), ...unsure } }));
    expect(task.owes).toEqual(['call s']);
  });

  test('begin the corrections of the next output anew where the model proposes them', () => {
    const task = run({ limits: { corrections: 1, rounds: 2 } }, [accepted, planned('plan'), rejects('a')]);
    task.send(proposes(read('r')), started('r'), succeeded('r'), rejects('b'));
    expect(task.owes).toEqual(['correct draft']);
  });
});

describe('a call that a person writes instead', () => {
  const asked = [accepted, planned('plan', send('w')), decided('w')];
  const question = 'approval:action-w';

  test('has a tool that the task class allows', () => {
    const task = run({ tools: ['tool-w'] }, asked);
    expect(task.takes(answered(question, 'edit', { call: send('x') }))).toBe(false);
    expect(task.takes(answered(question, 'edit', { call: { ...send('x'), tool: 'tool-w' } }))).toBe(true);
  });

  test('is not taken while a write has begun and has no outcome', () => {
    const w = writeCall({ authority: null, approvers: [] });
    const u = writeCall({ digest: 'action-u', tier: 'write_low_risk', status: 'asking', underWay: true });
    const asking = {
      plan: sure('plan'),
      questions: { [question]: { kind: 'approval', about: 'action-w' } },
    } as const;
    const edits = (calls: Context['calls']): boolean => {
      const c = bare({ ...asking, calls });
      return appliesTo(c, answered(question, 'edit', { call: send('x') })(c));
    };
    expect(edits({ w })).toBe(true);
    expect(edits({ u, w })).toBe(false);
  });

  test('takes the place of calls that have not begun, and of no other', () => {
    const c = bare({
      plan: sure('plan'),
      calls: {
        v: writeCall({ status: 'succeeded' }),
        w: writeCall({ at: 2, authority: null, approvers: [] }),
      },
      questions: { [question]: { kind: 'approval', about: 'action-w' } },
    });
    const change = applyFact(c, answered(question, 'edit', { call: send('x', 'action-x') })(c));
    expect(change.calls).toMatchObject({
      v: { digest: 'action-w', status: 'succeeded' },
      w: { digest: 'action-x', status: 'proposed' },
    });
  });

  test('says why it was refused: a person, or no answer in time', () => {
    const rejected = run({}, [...asked, answered(question, 'reject')]);
    expect(rejected.c.calls['w']).toMatchObject({ status: 'refused', code: 'HUMAN_REJECTED' });
    const late = run({ defaults: ['approval'] }, asked);
    late.send(() => ({ type: 'deadline.passed', of: 'question', id: question }));
    expect(late.c.calls['w']).toMatchObject({ status: 'refused', code: 'QUESTION_EXPIRED' });
  });
});

describe('a word about an effect in doubt', () => {
  const inDoubt = [accepted, planned('plan', undoable('u')), decided('u'), started('u'), doubted('u')];
  const evidence = { id: 'word', type: 'tool_result' as const };

  test('is evidence of type custom only where it says that the effect happened', () => {
    const task = run({}, inDoubt);
    expect(task.takes(answered('doubt:u', 'edit', { effect: 'done', evidence }))).toBe(false);
    expect(task.takes(answered('doubt:u', 'edit', { effect: 'absent', evidence }))).toBe(true);
    expect(task.takes(answered('doubt:u', 'reject', { effect: 'done', evidence }))).toBe(true);
  });

  test('that rules it out closes the action for the plans that follow', () => {
    const task = run({ limits: { repairs: 1 } }, [...inDoubt, answered('doubt:u', 'reject')]);
    expect(task.effects).toEqual(['action-u closed']);
    task.send(planned('again', undoable('u')));
    expect(task.reasons).toContain('EFFECT_CLOSED u');
  });
});
