import { describe, expect, test } from 'vitest';
import type { Fact } from '../../machines/index.ts';
import { applyFact } from '../../machines/facts/index.ts';
import { callOf, factsIn } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import { bare, before } from './contexts.ts';
import {
  accepted,
  answered,
  asksForInformation,
  awaits,
  cancelled,
  decided,
  doubted,
  drafted,
  failed,
  granted,
  met,
  needsHelp,
  offered,
  planned,
  proposes,
  raises,
  recovers,
  refused,
  rejects,
  rollback,
  run,
  started,
  startedAgain,
  succeeded,
  unsurelyPlanned,
  written,
} from './scene.ts';

const { note, read, undoable } = callOf;

describe('budgets', () => {
  test('an output is corrected in a row as often as it may be, and then a person is asked', () => {
    const task = run({ limits: { corrections: 2 } }, [accepted, rejects('a'), rejects('b')]);
    expect(task.at).toBe('plan.correcting');
    task.send(rejects('c'));
    expect(task.owes).toEqual(['ask c']);
    expect(task.c.questions).toEqual({ c: { kind: 'help', about: 'plan' } });
  });

  test('a proposal that fits begins the row anew', () => {
    const task = run({ limits: { corrections: 1 } }, [accepted, rejects('a'), planned('plan'), rejects('b')]);
    expect(task.owes).toEqual(['correct draft']);
    task.send(rejects('c'));
    expect(task.c.questions).toEqual({ c: { kind: 'help', about: 'draft' } });
  });

  test('the model proposes calls as often as it may, the plan included', () => {
    const task = run({ limits: { rounds: 2 } }, [accepted, planned('plan'), proposes(read('r'))]);
    task.send(started('r'), succeeded('r'), proposes(read('s')));
    expect(task.reasons).toEqual(['BUDGET_SPENT rounds']);
  });

  test('the run stops for a question or a dependency as often as it may', () => {
    const spent = { limits: { pauses: 0 } };
    expect(run(spent, [asksForInformation('q')]).reasons).toEqual(['BUDGET_SPENT pauses']);
    expect(run(spent, [accepted, needsHelp()]).reasons).toEqual(['BUDGET_SPENT pauses']);
    expect(run(spent, [accepted, unsurelyPlanned('plan')]).reasons).toEqual(['CONFIDENCE_LOW plan']);
    const calling = [accepted, planned('plan', read('r')), started('r')];
    expect(run(spent, [...calling, raises('r', 'q')]).reasons).toEqual(['BUDGET_SPENT pauses']);
    expect(run(spent, [...calling, awaits('r', 'x')]).reasons).toEqual(['BUDGET_SPENT pauses']);
  });

  test('the model has as many turns as it may, whatever it says in them', () => {
    const limits = { corrections: 5, modelCalls: 2 };
    const task = run({ limits }, [accepted, rejects('a'), rejects('b')]);
    expect(task.reasons).toEqual(['BUDGET_SPENT modelCalls']);
    const told = [accepted, asksForInformation('q'), answered('q', 'instruction'), planned('plan')];
    expect(run({ limits }, told).reasons).toEqual(['BUDGET_SPENT modelCalls']);
    expect(run({ limits }, [accepted, planned('plan'), drafted()]).at).toBe('completed.settled');
    expect(run({ limits: { modelCalls: 0 } }, [accepted]).reasons).toEqual(['BUDGET_SPENT modelCalls']);
  });

  test('a question of intake is no turn of the model', () => {
    const told = [
      asksForInformation('q'),
      answered('q', 'instruction'),
      accepted,
      planned('plan'),
      drafted(),
    ];
    expect(run({ limits: { modelCalls: 2 } }, told).at).toBe('completed.settled');
  });

  test('as many calls begin as may; a write that has begun has its outcome first', () => {
    const told = [accepted, planned('plan', read('r'), read('s'), read('t')), started('r'), started('s')];
    const task = run({ limits: { calls: 2 } }, told);
    expect(task.at).toBe('failed');
    expect(task.reasons).toEqual(['BUDGET_SPENT calls']);
    const writes = [
      accepted,
      planned('plan', undoable('u')),
      decided('u'),
      started('u'),
      succeeded('u'),
      drafted(),
    ];
    expect(run({ limits: { calls: 1 } }, writes).at).toBe('completed.settled');
    const more = [
      accepted,
      planned('plan', undoable('u'), undoable('v')),
      decided('u'),
      decided('v'),
      ...written('u').slice(1),
    ];
    expect(run({ limits: { calls: 1 } }, more).reasons).toEqual(['BUDGET_SPENT calls']);
  });

  test('a further request has turns and calls of its own', () => {
    const told = [accepted, planned('plan', read('r')), started('r'), succeeded('r'), drafted(), offered];
    const task = run({ followup: true, limits: { calls: 1, modelCalls: 2 } }, told);
    task.send(() => ({ type: 'changes.requested', request: requests[1] }), ...told.slice(0, 5));
    expect(task.at).toBe('completed.offering');
  });

  test('an effect in doubt is looked up as often as it may, each by itself', () => {
    const told = [accepted, planned('plan', undoable('u')), decided('u'), started('u')];
    const task = run({ limits: { recoveries: 2 } }, [...told, recovers('call', 'action-u')]);
    expect(task.takes(recovers('rollback', 'action-u'))).toBe(false);
    expect(task.takes(recovers('call', 'action-v'))).toBe(false);
    task.send(doubted('u'), recovers('call', 'action-u'));
    expect(task.takes(recovers('call', 'action-u'))).toBe(false);
    task.send(answered('doubt:u', 'approve'), cancelled, rollback('started', 'action-u'));
    expect(task.takes(recovers('call', 'action-u'))).toBe(false);
    task.send(recovers('rollback', 'action-u'), recovers('rollback', 'action-u'));
    expect(task.takes(recovers('rollback', 'action-u'))).toBe(false);
    expect(
      task.takes((c) => ({ ...recovers('rollback', 'action-u')(c), request: requests[1] }) as Fact),
    ).toBe(false);
    expect(task.c.recoveries).toEqual({ 'call action-u': 2, 'rollback action-u': 2 });
  });

  test('an approval that nobody may be asked for fails safe with what is missing', () => {
    const task = run({ limits: { pauses: 0 } }, [
      accepted,
      planned('plan', note('n')),
      decided('n', 'needs_review'),
    ]);
    expect(task.reasons).toEqual(['APPROVAL_REQUIRED n']);
  });

  test('a write that may not stop is in doubt, and not forgotten', () => {
    const told = [accepted, planned('plan', undoable('u')), decided('u'), started('u'), awaits('u', 'x')];
    expect(run({ limits: { pauses: 0 } }, told).reasons).toEqual([
      'BUDGET_SPENT pauses',
      'EFFECT_IN_DOUBT u',
    ]);
  });
});

describe('a policy', () => {
  const told = [accepted, planned('plan', note('n'), note('m'))];

  test('that denies blocks the run, for the call that it denied', () => {
    expect(run({}, [...told, decided('n', 'deny')]).reasons).toEqual(['POLICY_BLOCKED n']);
  });

  test('that wants a person to look asks one, and allows the rest', () => {
    const task = run({}, [...told, decided('n', 'needs_review'), decided('m')]);
    expect(task.owes).toEqual(['ask approval:action-n', 'call m']);
    task.send(answered('approval:action-n', 'approve'));
    expect(task.owes).toEqual(['call n']);
  });
});

describe('an approval', () => {
  const told = [accepted, planned('plan', undoable('u')), decided('u', 'needs_review')];

  test('may come before its question, and closes it when it comes after', () => {
    const after = run({}, [...told, granted('action-u')]);
    expect(after.owes).toEqual(['call u']);
    const early = run({}, [...told.slice(0, 2), granted('action-u'), decided('u', 'needs_review')]);
    expect(early.owes).toEqual(['call u']);
  });

  test('that was spent before the effect is asked for again', () => {
    const task = run({}, [...told, granted('action-u'), ...startedAgain('u'), refused('u')]);
    expect(task.owes).toEqual(['decide u']);
    expect(task.c.calls['u']).toMatchObject({ status: 'proposed', authority: null, cleared: false });
  });
});

describe('a tool', () => {
  const told = [accepted, planned('plan', read('r'), read('s')), started('r'), started('s')];

  test('that waits and then asks waits no more', () => {
    const task = run({}, [...told, awaits('r', 'x'), raises('r', 'q')]);
    expect(task.c).toMatchObject({ dependencies: {}, questions: { q: { kind: 'tool', about: 'r' } } });
    expect(task.at).toBe('needsHumanDecision');
  });

  test('whose outcome comes while it asks is asked about no more', () => {
    const task = run({}, [...told, raises('r', 'q'), succeeded('r')]);
    expect(task.owes).toEqual(['observe s']);
  });

  test('that fails ends the round: nobody waits for the reads beside it', () => {
    const task = run({ limits: { repairs: 0 } }, [
      accepted,
      planned('plan', read('r'), read('s'), read('t')),
      started('r'),
      started('s'),
      failed('r'),
    ]);
    expect(task.statuses).toEqual({ r: 'failed', s: 'dropped', t: 'allowed' });
    expect(task.takes(succeeded('s'))).toBe(false);
    expect(task.reasons).toEqual(['TOOL_FAILED r']);
  });

  test('that waited is called again once its dependency is met', () => {
    const task = run({}, [...told, succeeded('s'), awaits('r', 'x')]);
    expect(task.at).toBe('waiting');
    task.send(met('x'));
    expect(task.owes).toEqual(['call r']);
  });
});

test('every fact begins the trail anew', () => {
  const c = before('deliver', { trail: ['verify', 'deliver'] });
  const world = { name: 'any', taskClass: {}, plans: [[read('r')]], further: [] };
  const facts = factsIn(world, c);
  expect(facts.length).toBeGreaterThan(20);
  expect(facts.filter((fact) => applyFact(c, fact).trail?.length !== 0)).toEqual([]);
});

test('a dependency that nobody waits for frees nobody', () => {
  const change = applyFact(before('deliver'), { type: 'dependency.met', dependency: 'gone' });
  expect(change).toMatchObject({ calls: before('deliver').calls, dependencies: {} });
});

test('a call that is gone cannot be refused', () => {
  const gone = { request: bare().request, attempt: 0, call: 'gone', code: 'APPROVAL_EXPIRED' } as const;
  const change = applyFact(before('write'), { type: 'call.refused', ...gone });
  expect(change.calls).toEqual(before('write').calls);
});

test('a fact about nothing changes nothing', () => {
  expect(applyFact(bare(), { type: 'request.accepted' })).toEqual({ trail: [] });
});
