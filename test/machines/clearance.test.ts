import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { taskClass, TaskClassContract } from '../../machines/index.ts';
import {
  accepted,
  answered,
  awaits,
  cleared,
  decided,
  doubted,
  drafted,
  failed,
  granted,
  met,
  passed,
  planned,
  refused,
  reported,
  run,
  started,
  startedAgain,
  succeeded,
  tightened,
  type FactMaker,
} from './scene.ts';
import { held } from './held-worlds.ts';

const { note, read, send, undoable } = callOf;

const other: FactMaker = () => ({
  type: 'taskClass.changed',
  taskClass: TaskClassContract.parse(taskClass({ id: 'other', threshold: 0.9 })),
});

const allowed = [accepted, planned('plan', note('n')), decided('n')];

describe('an approval that a stricter task class does not take', () => {
  const both = { authorities: ['approval', 'human'], repairTo: 'execute' } as const;
  const begun = [accepted, planned('plan', send('w')), granted('action-w'), decided('w'), started('w')];
  const toHuman = tightened({ authorities: ['human'] });

  test('does not clear the write again after a repair', () => {
    const task = run(both, [...begun, toHuman, failed('w'), decided('w')]);
    expect(task.c.calls['w']).toMatchObject({ authority: null, approvers: [] });
    expect(task.takes(started('w'))).toBe(false);
  });

  test('does not clear the write again after a person said that it did not happen', () => {
    const task = run(both, [
      ...begun,
      doubted('w'),
      toHuman,
      answered('doubt:w', 'edit', { effect: 'absent' }),
    ]);
    expect(task.c.calls['w']).toMatchObject({ status: 'allowed', authority: null, approvers: [] });
  });

  test('is one of two if another approver is wanted after a repair', () => {
    const task = run(both, [...begun, tightened({ approvers: 2 }), failed('w'), decided('w')]);
    expect(task.c.calls['w']).toMatchObject({ authority: null, approvers: ['kim'] });
  });
});

describe('the clearance of a write [UAICP 5.3]', () => {
  test('stands where the policy has just decided', () => {
    expect(run({}, allowed).takes(started('n'))).toBe(true);
  });

  test('lapses while a person is asked', () => {
    const task = run({}, [accepted, planned('plan', send('w')), decided('w'), granted('action-w')]);
    expect(task.takes(started('w'))).toBe(false);
    expect(task.takes(cleared('w'))).toBe(true);
    task.send(...startedAgain('w'));
    expect(task.statuses).toEqual({ w: 'started' });
  });

  test('lapses while the tool waits for something outside', () => {
    const task = run({}, [...allowed, started('n'), awaits('n', 'x'), met('x')]);
    expect(task.takes(started('n'))).toBe(false);
    task.send(...startedAgain('n'));
    expect(task.statuses).toEqual({ n: 'started' });
  });

  test('of one write does not clear another', () => {
    const waiting = [decided('v', 'needs_review'), answered('approval:action-v', 'approve', { by: 'lee' })];
    const task = run({}, [accepted, planned('plan', note('n'), note('v')), decided('n'), ...waiting]);
    task.send(cleared('n'));
    expect(task.takes(started('v'))).toBe(false);
    expect(task.takes(cleared('v'))).toBe(false);
  });

  test('is not looked at for a read, nor for a write whose gate is shut', () => {
    expect(run({}, [accepted, planned('plan', read('r'))]).takes(cleared('r'))).toBe(false);
    expect(run({}, [accepted, planned('plan', note('n'))]).takes(cleared('n'))).toBe(false);
  });

  test('that lapses puts the write back before the policy, as often as the limit says', () => {
    const task = run({ limits: { clearances: 1 } }, [...allowed, refused('n')]);
    expect(task.owes).toEqual(['decide n']);
    task.send(decided('n'), refused('n'));
    expect(task.reasons).toEqual(['BUDGET_SPENT clearances', 'APPROVAL_EXPIRED n']);
  });

  test.each(['TOOL_CHANGED', 'TOOL_UNAVAILABLE'] as const)('ends for good with %s', (code) => {
    const over = run({ limits: { repairs: 0 } }, [...allowed, refused('n', code)]);
    expect(over.reasons).toEqual([`${code} n`]);
    const reads = run({ limits: { repairs: 0 } }, [accepted, planned('plan', read('r')), refused('r', code)]);
    expect(reads.reasons).toEqual([`${code} r`]);
  });

  test('that lapses for another reason is nothing that a read has', () => {
    expect(run({}, [accepted, planned('plan', read('r'))]).takes(refused('r'))).toBe(false);
  });

  test('that lapses while the write is under way leaves its effect in doubt when the run fails', () => {
    const underWay = [...allowed, started('n'), awaits('n', 'x'), met('x')];
    const denied = run({}, [...underWay, refused('n'), decided('n', 'deny')]);
    expect(denied.reasons).toEqual(['POLICY_BLOCKED n', 'EFFECT_IN_DOUBT n']);
    const checked = run({ repairTo: 'execute', beforeWrite: { verifiers: ['check'] } }, [
      accepted,
      planned('plan', note('n')),
      reported('check', 'action-n', 'pass'),
      ...underWay.slice(2),
      tightened({ beforeWrite: { verifiers: ['check', 'again'] } }),
      reported('again', 'action-n', 'fail'),
    ]);
    expect(checked.reasons).toEqual(['VERIFICATION_FAILED again', 'EFFECT_IN_DOUBT n']);
  });

  test('leaves an effect in doubt whose tool changed while it was under way', () => {
    const task = run({}, [
      ...allowed,
      started('n'),
      awaits('n', 'x'),
      met('x'),
      refused('n', 'TOOL_CHANGED'),
    ]);
    expect(task.owes).toEqual(['ask doubt:n']);
  });
});

test('a system endorses no write that is held for a person, whatever else it endorses', () => {
  const authorities = ['approval', 'system'] as const;
  const task = run({ authorities }, [accepted, planned('plan', held(note('n')), send('w'))]);
  expect(task.takes(granted('action-n', 'system'))).toBe(false);
  expect(task.takes(granted('action-n', 'approval'))).toBe(true);
  expect(task.takes(granted('action-w', 'system'))).toBe(true);
});

describe('a call that is cleared and does not begin', () => {
  test('has a deadline of its own', () => {
    const task = run({ limits: { repairs: 0 } }, allowed);
    expect(task.wakes).toEqual(['start n']);
    task.send(passed('start', 'n'));
    expect(task.reasons).toEqual(['CALL_NOT_STARTED n']);
  });

  test('misses it only while it may begin', () => {
    expect(run({}, [...allowed, started('n')]).takes(passed('start', 'n'))).toBe(false);
    expect(run({}, [accepted, planned('plan', note('n'))]).takes(passed('start', 'n'))).toBe(false);
  });
});

describe('a task class that became stricter', () => {
  test('holds from then on, and is not loosened again', () => {
    const task = run({ threshold: 0.5 }, [...allowed, tightened({ threshold: 0.8 })]);
    expect(task.c.taskClass.threshold).toBe(0.8);
    expect(task.takes(tightened({ threshold: 0.2 }))).toBe(false);
    expect(task.takes(tightened({ threshold: 0.8 }))).toBe(false);
  });

  test('puts every write that has not begun back before the policy', () => {
    const stricter = tightened({ beforeWrite: { verifiers: ['check'] } });
    const task = run({}, [...allowed, stricter]);
    expect(task.statuses).toEqual({ n: 'proposed' });
    expect(task.owes).toEqual(['verify check action-n 0']);
  });

  test('asks everybody again where it wants more approvers', () => {
    const asked = [accepted, planned('plan', send('w')), granted('action-w'), decided('w')];
    const task = run({}, [...asked, tightened({ approvers: 2 })]);
    expect(task.c.calls['w']).toMatchObject({ status: 'proposed', authority: null, approvers: [] });
    task.send(decided('w'), granted('action-w'));
    expect(task.owes).toEqual(['ask approval:action-w']);
  });

  test('closes the questions about approvals, which the gate asks again', () => {
    const task = run({}, [accepted, planned('plan', send('w')), decided('w'), tightened({ approvers: 2 })]);
    expect(task.owes).toEqual(['decide w']);
  });

  test('gives up a call of a tool that it does not allow any more', () => {
    const task = run({ limits: { repairs: 0 } }, [...allowed, tightened({ tools: ['other'] })]);
    expect(task.reasons).toEqual(['TOOL_UNAVAILABLE n']);
  });

  test('lets a write that has begun come to its end', () => {
    const stricter = tightened({ beforeWrite: { verifiers: ['check'] } });
    const task = run({}, [...allowed, started('n'), stricter]);
    task.send(succeeded('n'), drafted());
    expect(task.at).toBe('completed.settled');
  });

  test('is refused by another name', () => {
    expect(run({}, allowed).takes(other)).toBe(false);
  });
});

test('a plan names only tools of its task class', () => {
  const task = run({ tools: ['tool-r'] }, [accepted]);
  expect(task.takes(planned('plan', note('n')))).toBe(false);
  expect(task.takes(planned('plan', read('r')))).toBe(true);
});

describe('reads of one round', () => {
  const round = [accepted, planned('plan', read('r'), read('s')), started('r'), started('s')];

  test('end with the first that fails, also those that wait for a person or outside', () => {
    const waiting = run({ limits: { repairs: 0 } }, [...round, awaits('s', 'x'), failed('r')]);
    expect(waiting.at).toBe('failed');
    expect(waiting.reasons).toEqual(['TOOL_FAILED r']);
    expect(waiting.c.dependencies).toEqual({});
  });

  test('are all made again in another attempt', () => {
    const task = run({ repairTo: 'execute' }, [...round, failed('r')]);
    expect(task.statuses).toEqual({ r: 'allowed', s: 'allowed' });
    expect(task.c.attempt).toBe(1);
  });

  test('do not end beside a write that may still land', () => {
    const task = run({}, [accepted, planned('plan', undoable('u')), decided('u'), started('u')]);
    expect(task.owes).toEqual(['observe u']);
  });
});

describe('a stricter task class reaches what goes on already', () => {
  const reads = [accepted, planned('plan', read('r'), read('s')), started('r')];

  test('a raised threshold has the plan assessed again before anything else begins', () => {
    const task = run({}, [...reads, tightened({ threshold: 0.95 })]);
    expect(task.takes(started('s'))).toBe(false);
    task.send(succeeded('r'));
    expect(task.owes).toEqual(['ask plan:plan']);
    task.send(answered('plan:plan', 'approve'));
    expect(task.owes).toEqual(['call s']);
  });

  test('a write that waits is given up where its tool is not allowed any more', () => {
    const task = run({}, [...allowed, started('n'), awaits('n', 'x'), tightened({ tools: ['other'] })]);
    expect(task.owes).toEqual(['await x n']);
    task.send(met('x'));
    expect(task.owes).toEqual(['ask doubt:n']);
  });

  test('a write that waits is approved anew', () => {
    const asked = [accepted, planned('plan', send('w')), granted('action-w'), decided('w')];
    const waits = [...asked, ...startedAgain('w'), awaits('w', 'x')];
    const task = run({}, [...waits, tightened({ approvers: 2 }), met('x')]);
    expect(task.owes).toEqual(['ask approval:action-w']);
  });
});

test('a failing run waits for no call to begin', () => {
  const task = run({}, [accepted, planned('plan', read('r'), undoable('u')), started('r'), succeeded('r')]);
  task.send(decided('u'), started('u'), passed('call', 'u'));
  expect(task.takes(passed('start', 'u'))).toBe(false);
});
