import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { callFor } from '../../machines/call.ts';
import { violationsOf, type HeldCode, type ProposedCall } from '../../machines/index.ts';
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
  planned,
  proposes,
  refused,
  run,
  started,
  startedAgain,
  succeeded,
  tightened,
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
  const reads = [accepted, planned('plan', held(read('r')), note('n'))];
  const needed = { beforeWrite: { evidence: [{ type: 'tool_result' as const }], verifiers: ['facts'] } };

  const edited = (call: ProposedCall) => [...reads, answered('approval:action-r', 'edit', { call })];

  test('waits for a person, and no policy is asked about it', () => {
    const task = run({}, [accepted, planned('plan', held(read('r')))]);
    expect(task.owes).toEqual(['ask approval:action-r']);
    expect(task.takes(started('r'))).toBe(false);
    task.send(answered('approval:action-r', 'approve'));
    expect(task.owes).toEqual(['call r']);
    task.send(started('r'), succeeded('r'), drafted());
    expect(task.at).toBe('completed.settled');
  });

  test('waits beside no read that is not held', () => {
    const task = run({}, [accepted, planned('plan', held(read('r')), read('s'))]);
    expect(task.owes).toEqual(['call s']);
    task.send(started('s'), succeeded('s'));
    expect(task.owes).toEqual(['ask approval:action-r']);
  });

  test('brings the evidence for a write, which is checked and decided on after it', () => {
    const task = run(needed, reads);
    expect(task.owes).toEqual(['ask approval:action-r']);
    task.send(answered('approval:action-r', 'approve'), started('r'), succeeded('r'));
    expect(task.owes).toEqual(['verify facts action-n 1']);
  });

  test('is not made where a person rejects it, and leaves its write without evidence', () => {
    const rejected = [...reads, answered('approval:action-r', 'reject')];
    expect(run({}, rejected).owes).toEqual(['decide n']);
    const task = run({ ...needed, limits: { repairs: 0 } }, rejected);
    expect(task.statuses).toMatchObject({ r: 'refused' });
    expect(task.reasons).toEqual(['EVIDENCE_MISSING tool_result']);
  });

  test('fails the run with why it is held where no one may be asked', () => {
    const task = run({ ...needed, limits: { pauses: 0 } }, reads);
    expect(task.reasons[0]).toBe('FLOW_FORBIDDEN r');
  });

  test('leaves nothing to undo', () => {
    const task = run({}, [...reads, answered('approval:action-r', 'approve'), started('r'), succeeded('r')]);
    expect(task.c.effects).toEqual([]);
  });

  test('is endorsed by one person or a signed approval, and by no system', () => {
    const task = run({ authorities: ['approval', 'system'], approvers: 2 }, reads);
    expect(task.takes(byScanner('action-r'))).toBe(false);
    task.send(granted('action-r'));
    expect(task.owes).toEqual(['call r']);
  });

  test('is asked about again once its clearance lapses, or the task class is stricter', () => {
    const endorsed = [...reads, answered('approval:action-r', 'approve')];
    for (const lapse of [refused('r'), tightened({ approvers: 2 })])
      expect(run({ limits: { clearances: 1 } }, [...endorsed, lapse]).owes).toEqual([
        'ask approval:action-r',
      ]);
    const begun = run({ limits: { clearances: 1 } }, [...endorsed, started('r'), refused('r')]);
    expect(begun.c.calls['r']).toMatchObject({ status: 'allowed', authority: null, approvers: [] });
  });

  test('is asked about again after it waited under a class that became stricter', () => {
    const waits = [...reads, answered('approval:action-r', 'approve'), started('r'), awaits('r', 'x')];
    const task = run({}, [...waits, tightened({ approvers: 2 }), met('x')]);
    expect(task.owes).toEqual(['ask approval:action-r']);
  });

  test('is edited to another read, or to one that is not held', () => {
    expect(run({}, edited(held(read('r', 'other')))).owes).toEqual(['ask approval:other']);
    expect(run({}, edited(read('r', 'other'))).owes).toEqual(['call r']);
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
