import { describe, expect, test } from 'vitest';
import { approved } from '../../machines/approvals.ts';
import type { Authority, Call } from '../../machines/index.ts';
import { callOf } from 'agentcharter/testing';
import { bare, before, writeCall } from './contexts.ts';
import {
  accepted,
  answered,
  awaits,
  cleared,
  decided,
  doubted,
  failed,
  granted,
  met,
  passed,
  planned,
  proposes,
  refused,
  run,
  started,
  startedAgain,
  succeeded,
  type Run,
  type FactMaker,
} from './scene.ts';

const { note, send } = callOf;

const two = { authorities: ['approval', 'human'], approvers: 2 } as const;
const toApprove = [accepted, planned('plan', send('w')), decided('w')];
const question = 'approval:action-w';
const approves = (by?: string): FactMaker =>
  answered(question, 'approve', { ...(by !== undefined && { by }) });
const behind = (task: Run, call = 'w'): readonly (string | null | undefined)[] => [
  task.c.calls[call]?.authority,
  ...(task.c.calls[call]?.approvers ?? []),
];

describe('a high-risk write that takes two [UAICP 5.3]', () => {
  test.each<[string, readonly FactMaker[], Authority]>([
    ['two tokens', [granted('action-w'), granted('action-w', 'approval', 'lee')], 'approval'],
    ['two people', [approves('kim'), approves('lee')], 'human'],
    ['a token and a person', [granted('action-w'), approves('lee')], 'human'],
    ['a person and a token', [approves('lee'), granted('action-w')], 'approval'],
  ])(
    'starts once two stand behind it, and its question is open until the last: %s',
    (_, words, authority) => {
      const task = run(two, toApprove);
      for (const word of words) {
        expect(task.owes).toEqual([`ask ${question}`]);
        expect(task.c.calls['w']?.authority).toBeNull();
        expect(task.takes(started('w'))).toBe(false);
        expect(task.c.counters.pauses).toBe(1);
        task.send(word);
      }
      expect(task.owes).toEqual(['call w']);
      expect(task.c.calls['w']).toMatchObject({ authority, status: 'allowed' });
      expect(new Set(behind(task).slice(1))).toEqual(new Set(['kim', 'lee']));
    },
  );

  test.each<[string, FactMaker]>([
    ['by a token', granted('action-w', 'approval', 'lee')],
    ['by a person', approves('lee')],
  ])('counts one approver once, who said so %s', (_, word) => {
    const task = run(two, [...toApprove, word]);
    expect(task.takes(granted('action-w', 'approval', 'lee'))).toBe(false);
    expect(task.takes(granted('action-w', 'human', 'lee'))).toBe(false);
    expect(task.takes(approves('lee'))).toBe(false);
    expect(task.takes(approves('mia'))).toBe(true);
    expect(behind(task)).toEqual([null, 'lee']);
  });

  test.each<[string, FactMaker]>([
    ['by a token', granted('action-w', 'approval', 'lee')],
    ['by a person', approves('lee')],
  ])('counts one approver once in every spelling of the name, %s', (_, word) => {
    const task = run(two, [...toApprove, word]);
    for (const spelling of ['LEE', 'Lee', ' lee ', 'ｌｅｅ', 'le\u200be', '\u202elee']) {
      expect(task.takes(granted('action-w', 'approval', spelling))).toBe(false);
      expect(task.takes(granted('action-w', 'human', spelling))).toBe(false);
      expect(task.takes(approves(spelling))).toBe(false);
    }
    expect(task.takes(approves('leah'))).toBe(true);
    expect(behind(task)).toEqual([null, 'lee']);
  });

  test('takes nobody without a name', () => {
    expect(run(two, toApprove).takes(approves())).toBe(false);
  });

  test('loses the first where that approval expires before the last', () => {
    const task = run(two, [...toApprove, granted('action-w')]);
    expect(task.wakes).toEqual([`question ${question}`, 'approval action-w']);
    task.send(passed('approval', 'action-w'));
    expect(behind(task)).toEqual([null]);
    expect(task.owes).toEqual([`ask ${question}`]);
    expect(task.takes(passed('approval', 'action-w'))).toBe(false);
  });

  test('takes no third approver', () => {
    const task = run(two, [...toApprove, approves('kim'), approves('lee')]);
    expect(task.takes(granted('action-w', 'approval', 'mia'))).toBe(false);
    expect(task.takes(approves('mia'))).toBe(false);
  });

  test('may be approved before it is asked about, in part or in whole', () => {
    const early = [accepted, planned('plan', send('w')), granted('action-w')];
    const task = run(two, [...early, decided('w')]);
    expect(task.owes).toEqual([`ask ${question}`]);
    task.send(approves('lee'));
    expect(task.owes).toEqual(['call w']);
    const whole = run(two, [...early, granted('action-w', 'approval', 'lee'), decided('w')]);
    expect(whole.owes).toEqual(['call w']);
  });

  test.each<[string, readonly FactMaker[]]>([
    ['the approval expires', [passed('approval', 'action-w')]],
    ['its clearance lapses and the policy decides again', [refused('w'), decided('w')]],
  ])('is asked about again, of everybody, where %s', (_, over) => {
    const task = run(two, [...toApprove, approves('kim'), approves('lee'), ...over]);
    expect(behind(task)).toEqual([null]);
    expect(task.owes).toEqual([`ask ${question}`]);
    task.send(approves('kim'));
    expect(task.owes).toEqual([`ask ${question}`]);
    task.send(granted('action-w', 'approval', 'lee'));
    expect(task.owes).toEqual(['call w']);
  });

  test('keeps its approvers while it is under way', () => {
    const approved = [...toApprove, approves('kim'), approves('lee')];
    const task = run(two, [...approved, ...startedAgain('w'), awaits('w', 'x'), met('x')]);
    expect(task.takes(passed('approval', 'action-w'))).toBe(false);
    expect(task.wakes).toEqual(['start w']);
    expect(task.owes).toEqual(['call w']);
    expect(task.takes(started('w'))).toBe(false);
    task.send(cleared('w'));
    expect(task.takes(started('w'))).toBe(true);
  });

  test('goes back to its gate while it is under way, where its clearance lapses', () => {
    const approved = [...toApprove, approves('kim'), approves('lee')];
    const task = run(two, [...approved, ...startedAgain('w'), awaits('w', 'x'), met('x'), refused('w')]);
    expect(behind(task)).toEqual([null]);
    expect(task.owes).toEqual(['decide w']);
    expect(task.c.calls['w']?.underWay).toBe(true);
  });

  test('has nobody behind what a person changed it into', () => {
    const task = run(two, [...toApprove, approves('kim')]);
    task.send(answered(question, 'edit', { call: send('w', 'edited') }));
    expect(behind(task)).toEqual([null]);
    task.send(decided('w'), granted('edited', 'approval', 'kim'));
    expect(task.owes).toEqual(['ask approval:edited']);
    expect(task.takes(approves('lee'))).toBe(false);
  });

  test('keeps who stands behind it where it is called again', () => {
    const known = [...toApprove, approves('kim'), approves('lee'), ...startedAgain('w')];
    const task = run({ ...two, repairTo: 'execute' }, [...known, failed('w'), decided('w')]);
    expect(task.c.attempt).toBe(1);
    expect(behind(task)).toEqual(['human', 'kim', 'lee']);
    expect(task.owes).toEqual(['call w']);
  });

  test('is not made where nobody is there to ask and too few have approved', () => {
    const heard = [accepted, planned('plan', send('w')), granted('action-w'), decided('w')];
    expect(run(two, heard, 'execution').reasons).toEqual(['APPROVAL_REQUIRED action-w']);
    const enough = [...heard.slice(0, 3), granted('action-w', 'human', 'lee'), decided('w')];
    expect(run(two, enough, 'execution').owes).toEqual(['call w']);
  });

  test('refuses the word of a person where the task class does', () => {
    const task = run({ approvers: 2 }, [...toApprove, granted('action-w')]);
    expect(task.takes(approves('lee'))).toBe(false);
    expect(task.takes(granted('action-w', 'human', 'lee'))).toBe(false);
    expect(task.takes(granted('action-w', 'approval', 'lee'))).toBe(true);
  });
});

test('a low-risk write under review takes one, however many a high-risk write takes', () => {
  const told = [accepted, planned('plan', note('n')), decided('n', 'needs_review')];
  const task = run({ ...two, approvers: 3 }, told);
  task.send(answered('approval:action-n', 'approve', { by: 'kim' }));
  expect(task.owes).toEqual(['call n']);
});

test('one word is enough where one is asked for, but not without a name', () => {
  const task = run({ authorities: ['human'] }, toApprove);
  expect(task.takes(answered('approval:action-w', 'approve', {}))).toBe(false);
  task.send(approves('kim'));
  expect(task.owes).toEqual(['call w']);
  expect(behind(task)).toEqual(['human', 'kim']);
});

test('a question of another kind takes every approver', () => {
  const plan = { digest: 'plan', confidence: 0.5, canProceed: true };
  const task = run(two, [accepted, () => ({ type: 'plan.proposed', ...plan, calls: [send('w')] })]);
  task.send(answered('plan:plan', 'approve', { by: 'kim' }), decided('w'), approves('kim'));
  expect(behind(task)).toEqual([null, 'kim']);
});

describe('twins', () => {
  const told = [
    accepted,
    planned('plan', send('v', 'same'), send('w', 'same')),
    decided('v'),
    granted('same'),
    decided('w'),
  ];

  test('share their approvers, and are asked about once', () => {
    const task = run(two, told);
    expect(behind(task, 'v')).toEqual([null, 'kim']);
    expect(behind(task, 'w')).toEqual([null, 'kim']);
    expect(task.owes).toEqual(['ask approval:same']);
    task.send(answered('approval:same', 'approve', { by: 'lee' }));
    expect(behind(task, 'w')).toEqual(['human', 'kim', 'lee']);
  });

  test.each<[string, readonly FactMaker[]]>([
    ['its tool says that it was done', [succeeded('v')]],
    ['a person knows that it was done', [doubted('v'), answered('doubt:v', 'approve')]],
  ])('one is done under the approvers of the other: %s', (_, outcome) => {
    const task = run(two, [...told, granted('same', 'approval', 'lee'), ...startedAgain('v'), refused('w')]);
    expect(behind(task, 'w')).toEqual([null]);
    task.send(...outcome);
    expect(behind(task, 'w')).toEqual(['approval', 'kim', 'lee']);
  });

  test('are refused together, and approved anew together', () => {
    const task = run(two, [...told, granted('same', 'approval', 'lee'), refused('w')]);
    expect([behind(task, 'v'), behind(task, 'w')]).toEqual([[null], [null]]);
    task.send(granted('same'));
    expect([behind(task, 'v'), behind(task, 'w')]).toEqual([
      [null, 'kim'],
      [null, 'kim'],
    ]);
  });

  test('one that a person refused lends the other nobody', () => {
    const task = run({ ...two, limits: { rounds: 2 } }, [
      ...toApprove,
      approves('kim'),
      answered(question, 'reject'),
      proposes(send('again', 'action-w')),
      decided('again'),
      approves('lee'),
    ]);
    expect(behind(task, 'again')).toEqual([null, 'lee']);
    expect(task.takes(approves('kim'))).toBe(true);
  });

  test('one that a person makes of another call is approved by whom the action was', () => {
    const authorities = ['human'] as const;
    const task = run({ authorities }, [
      accepted,
      planned('plan', send('w'), send('v')),
      decided('w'),
      decided('v'),
      approves('kim'),
      answered('approval:action-v', 'edit', { call: send('v', 'action-w') }),
      decided('v'),
    ]);
    expect(task.owes).toEqual(['call w']);
    expect(behind(task, 'v')).toEqual(['human', 'kim']);
    expect(behind(task, 'w')).toEqual(['human', 'kim']);
  });

  test('of another action have nothing of it', () => {
    const task = run(two, [accepted, planned('plan', send('v'), send('w')), granted('action-v')]);
    expect(behind(task, 'v')).toEqual([null, 'kim']);
    expect(behind(task, 'w')).toEqual([null]);
  });
});

test('what was done under two keeps its authority where it is proposed again', () => {
  const made = [...startedAgain('w'), succeeded('w')];
  const task = run(two, [...toApprove, approves('kim'), approves('lee'), ...made]);
  task.send(proposes(send('again', 'action-w')));
  expect(task.c.calls['again']).toMatchObject({ status: 'succeeded', authority: 'human', approvers: [] });
});

const waiting = (changes: Partial<Call> = {}) =>
  before('write', {
    taskClass: { ...before('write').taskClass, approvers: 2 },
    calls: { w: writeCall({ authority: null, approvers: ['kim'], ...changes }) },
    questions: { [question]: { kind: 'approval', about: 'action-w' } },
  });

describe('an approval by itself', () => {
  test('of nothing changes nothing', () => {
    expect(approved(bare(), 'action-w', 'kim', 'approval')).toEqual({});
  });

  test('by one who has approved already is one approver still', () => {
    for (const spelling of ['kim', 'KIM']) {
      const { calls, questions } = approved(waiting(), 'action-w', spelling, 'approval');
      expect(calls?.['w']).toMatchObject({ authority: null, approvers: ['kim'] });
      expect(questions).toBeUndefined();
    }
  });

  test('by the last closes its own question and no other', () => {
    const other = { kind: 'tool', about: 'r' } as const;
    const c = waiting();
    const { calls, questions } = approved(
      { ...c, questions: { ...c.questions, other } },
      'action-w',
      'lee',
      'system',
    );
    expect(calls?.['w']).toMatchObject({ authority: 'system', approvers: ['kim', 'lee'] });
    expect(questions).toEqual({ other });
  });
});
