import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { callFor } from '../../machines/call.ts';
import { violationsOf, type HeldCode } from '../../machines/index.ts';
import { bare, before, readCall, writeCall } from './contexts.ts';
import { held } from './held-worlds.ts';
import {
  accepted,
  answered,
  awaits,
  cleared,
  decided,
  drafted,
  failed,
  granted,
  met,
  plan,
  planned,
  proposes,
  refused,
  run,
  started,
  startedAgain,
  succeeded,
  tightened,
  unsurelyPlanned,
  written,
} from './scene.ts';

const { note, read, send, undoable } = callOf;

const byScanner = (digest: string) => granted(digest, 'system', 'scanner');
const codesOf = (changes: Parameters<typeof writeCall>[0]): readonly string[] =>
  violationsOf('write', before('write', { calls: { r: readCall(), w: writeCall(changes) } })).map(
    ({ code, about }) => `${code} ${about}`,
  );

const asked = [accepted, planned('plan', held(note('n'))), decided('n')];

describe('a held call', () => {
  test('waits for a person, although its policy allows it', () => {
    const task = run({}, asked);
    expect(task.owes).toEqual(['ask approval:action-n']);
    expect(task.takes(started('n'))).toBe(false);
    expect(task.takes(cleared('n'))).toBe(false);
    task.send(answered('approval:action-n', 'approve'), ...startedAgain('n'), succeeded('n'), drafted());
    expect(task.at).toBe('completed.settled');
  });

  test('is endorsed by a signed approval', () => {
    const task = run({}, [...asked, granted('action-n'), ...startedAgain('n')]);
    expect(task.c.calls['n']).toMatchObject({ status: 'started', authority: 'approval' });
  });

  test('is not made where a person rejects it, and the run goes on', () => {
    const task = run({}, [...asked, answered('approval:action-n', 'reject'), drafted()]);
    expect(task.statuses).toEqual({ n: 'refused' });
    expect(task.at).toBe('completed.settled');
  });

  test.each([
    ['FLOW_FORBIDDEN', ['FLOW_FORBIDDEN']],
    ['MANDATE_EXCEEDED', ['MANDATE_EXCEEDED']],
    ['both', ['MANDATE_EXCEEDED', 'FLOW_FORBIDDEN']],
  ] as const)('fails the run with %s where no one may be asked', (_, codes) => {
    const task = run({ limits: { pauses: 0 } }, [
      accepted,
      planned('plan', held(note('n'), ...codes)),
      decided('n'),
    ]);
    expect(task.reasons).toEqual(codes.map((code) => `${code} n`));
  });

  test('asks every approver of a high-risk write', () => {
    const task = run({ approvers: 2 }, [
      accepted,
      planned('plan', held(send('w'))),
      decided('w'),
      granted('action-w', 'approval', 'kim'),
    ]);
    expect(task.owes).toEqual(['ask approval:action-w']);
    task.send(granted('action-w', 'approval', 'lee'));
    expect(task.takes(cleared('w'))).toBe(true);
  });

  test('is asked about again once its clearance lapses', () => {
    const task = run({ limits: { clearances: 1 } }, [
      ...asked,
      answered('approval:action-n', 'approve'),
      cleared('n'),
      refused('n'),
      decided('n'),
    ]);
    expect(task.owes).toEqual(['ask approval:action-n']);
  });

  test('is still held in another attempt', () => {
    const task = run({ repairTo: 'execute' }, [
      ...asked,
      answered('approval:action-n', 'approve'),
      ...startedAgain('n'),
      failed('n'),
    ]);
    expect(task.c.calls['n']).toMatchObject({ status: 'proposed', held: ['FLOW_FORBIDDEN'] });
  });
});

describe('a system', () => {
  const systems = { authorities: ['human', 'system'] } as const;

  test('endorses no held call', () => {
    const task = run(systems, [accepted, planned('plan', held(send('w'))), decided('w')]);
    expect(task.takes(byScanner('action-w'))).toBe(false);
    expect(task.takes(granted('action-w', 'human', 'lee'))).toBe(true);
  });

  test('approves no action of which one of two calls is held', () => {
    const task = run(systems, [accepted, planned('plan', send('v', 'same'), held(send('w', 'same')))]);
    expect(task.takes(byScanner('same'))).toBe(false);
  });

  test('approves another action beside a held call', () => {
    const task = run(systems, [accepted, planned('plan', send('v'), held(send('w')))]);
    expect(task.takes(byScanner('action-v'))).toBe(true);
  });

  test.each([
    [
      'stands behind no held call that an edit makes of another one',
      held(send('w', 'same')),
      { v: { authority: null }, w: { authority: null, approvers: [] } },
      ['ask approval:same'],
    ],
    [
      'keeps its approval where an edit makes a call that is not held',
      send('w', 'same'),
      { v: { authority: 'system' }, w: { authority: 'system' } },
      ['call v'],
    ],
  ])('%s', (_, edited, calls, owes) => {
    const task = run(systems, [
      accepted,
      planned('plan', send('v', 'same'), send('w')),
      byScanner('same'),
      decided('v'),
      decided('w'),
      answered('approval:action-w', 'edit', { call: edited }),
      decided('w'),
    ]);
    expect(task.c.calls).toMatchObject(calls);
    expect(task.owes).toEqual(owes);
  });
});

describe('a held read', () => {
  test('is refused in every proposal', () => {
    const task = run({}, [accepted]);
    expect(task.takes(planned('plan', held(read('r'))))).toBe(false);
    const concluding = run({}, [accepted, planned('plan')]);
    expect(concluding.takes(proposes(held(read('r'))))).toBe(false);
    expect(concluding.takes(proposes(held(note('n'))))).toBe(true);
  });

  test('is refused in every edit', () => {
    const unsure = run({}, [accepted, unsurelyPlanned('plan')]);
    expect(unsure.takes(answered('plan:plan', 'edit', { plan: plan('other', held(read('r'))) }))).toBe(false);
    const task = run({}, asked);
    expect(task.takes(answered('approval:action-n', 'edit', { call: held(read('n')) }))).toBe(false);
    expect(task.takes(answered('approval:action-n', 'edit', { call: held(note('n', 'other')) }))).toBe(true);
  });
});

describe('an action that has an outcome', () => {
  test('is not held when it is proposed again, as it is not made again', () => {
    const task = run({}, [accepted, planned('plan', note('n')), ...written('n')]);
    task.send(proposes(held(note('m', 'action-n'))), drafted());
    expect(task.statuses).toEqual({ n: 'succeeded', m: 'succeeded' });
    expect(task.at).toBe('completed.settled');
  });

  test('of another digest stays held', () => {
    expect(callFor(bare(), held(note('n')), 0)).toMatchObject({
      status: 'proposed',
      held: ['FLOW_FORBIDDEN'],
    });
    expect(callFor(bare(), note('n'), 0)).not.toHaveProperty('held');
  });
});

describe('a task class that refuses held calls', () => {
  const refuses = { flows: 'refuse' } as const;

  test('refuses them alone: the run goes on with the others', () => {
    const task = run(refuses, [
      accepted,
      planned('plan', held(note('n'), 'MANDATE_EXCEEDED'), undoable('u')),
    ]);
    expect(task.c.calls['n']).toMatchObject({ status: 'refused', code: 'MANDATE_EXCEEDED' });
    expect(task.owes).toEqual(['decide u']);
    expect(task.takes(granted('action-n'))).toBe(false);
    task.send(...written('u'), drafted());
    expect(task.at).toBe('completed.settled');
  });

  test('refuses them in a further round, and where an edit brings one', () => {
    const further = run(refuses, [accepted, planned('plan'), proposes(held(note('n')))]);
    expect(further.statuses).toEqual({ n: 'refused' });
    const edited = run(refuses, [accepted, planned('plan', note('n')), decided('n', 'needs_review')]);
    edited.send(answered('approval:action-n', 'edit', { call: held(note('n', 'other')) }));
    expect(edited.statuses).toEqual({ n: 'refused' });
  });

  test('takes them back that were endorsed and have not begun', () => {
    const task = run({}, [...asked, answered('approval:action-n', 'approve'), tightened(refuses)]);
    expect(task.c.calls['n']).toMatchObject({ status: 'refused', code: 'FLOW_FORBIDDEN' });
    expect(task.reasons).toEqual([]);
  });

  test('closes their questions', () => {
    const task = run({}, [...asked, tightened(refuses)]);
    expect(task.owes).toEqual(['conclude']);
  });

  test('leaves one in doubt that is under way when it begins again', () => {
    const waits = [
      ...asked,
      answered('approval:action-n', 'approve'),
      ...startedAgain('n'),
      awaits('n', 'x'),
    ];
    const task = run({}, [...waits, tightened(refuses)]);
    expect(task.statuses).toEqual({ n: 'waiting' });
    task.send(met('x'));
    expect(task.owes).toEqual(['ask doubt:n']);
    expect(task.takes(started('n'))).toBe(false);
  });

  test('lets one come to its end that has begun', () => {
    const task = run({}, [...asked, answered('approval:action-n', 'approve'), ...startedAgain('n')]);
    task.send(tightened(refuses), succeeded('n'), drafted());
    expect(task.at).toBe('completed.settled');
  });

  test('makes a read, and a write that is not held', () => {
    expect(run(refuses, [accepted, planned('plan', read('r'))]).owes).toEqual(['call r']);
    expect(run(refuses, [accepted, planned('plan', note('n'))]).owes).toEqual(['decide n']);
  });

  test('gives up a held call whose tool it does not allow', () => {
    const task = run({ limits: { repairs: 0 } }, asked);
    task.send(tightened({ ...refuses, tools: ['other'] }));
    expect(task.reasons).toEqual(['TOOL_UNAVAILABLE n']);
  });
});

describe('the gate before a held write', () => {
  const codes: readonly HeldCode[] = ['FLOW_FORBIDDEN', 'MANDATE_EXCEEDED'];

  test('names why it is held, and not that an approval is missing', () => {
    expect(codesOf({ held: codes, authority: null })).toEqual(['FLOW_FORBIDDEN w', 'MANDATE_EXCEEDED w']);
    expect(codesOf({ authority: null })).toEqual(['APPROVAL_REQUIRED w']);
  });

  test('opens once it is endorsed', () => {
    expect(codesOf({ held: codes })).toEqual([]);
  });

  test('is shut for a low-risk one, which needs no approval otherwise', () => {
    const low = { tier: 'write_low_risk', authority: null } as const;
    expect(codesOf(low)).toEqual([]);
    expect(codesOf({ ...low, held: ['MANDATE_EXCEEDED'] })).toEqual(['MANDATE_EXCEEDED w']);
  });
});
