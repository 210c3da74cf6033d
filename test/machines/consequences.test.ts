import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import {
  accepted,
  awaits,
  decided,
  failed,
  passed,
  planned,
  raises,
  refused,
  run,
  started,
  tightened,
} from './scene.ts';

const { note, read, send } = callOf;

describe('what follows from a fact at once', () => {
  test('every call of every withdrawn tool is given up', () => {
    const task = run({ limits: { repairs: 0 } }, [
      accepted,
      planned('plan', note('n'), note('m'), read('r')),
    ]);
    task.send(tightened({ tools: ['tool-r'] }));
    expect(task.c.calls).toMatchObject({
      n: { status: 'failed', code: 'TOOL_UNAVAILABLE' },
      m: { status: 'failed', code: 'TOOL_UNAVAILABLE' },
    });
  });

  test('every other read of a round is dropped when one fails, with what each waits for', () => {
    const task = run({ limits: { pauses: 3, repairs: 0 } }, [
      accepted,
      planned('plan', read('r'), read('s'), read('t')),
      started('r'),
      started('s'),
      started('t'),
      awaits('s', 'event-s'),
      awaits('t', 'event-t'),
    ]);
    expect(Object.keys(task.c.dependencies)).toEqual(['event-s', 'event-t']);
    task.send(failed('r'));
    expect(task.statuses).toEqual({ r: 'failed', s: 'dropped', t: 'dropped' });
    expect(task.c.dependencies).toEqual({});
  });

  test('the question of an action closes with its last call, and that of another stays', () => {
    const task = run({}, [accepted, planned('plan', send('v'), send('w')), decided('v'), decided('w')]);
    expect(Object.keys(task.c.questions)).toEqual(['approval:action-v', 'approval:action-w']);
    task.send(refused('w', 'TOOL_UNAVAILABLE'));
    expect(Object.keys(task.c.questions)).toEqual(['approval:action-v']);
  });

  test('every call that waits for a dependency is in doubt, or fails, when it does not come', () => {
    const task = run({ limits: { pauses: 3, repairs: 0 } }, [
      accepted,
      planned('plan', read('r'), read('s')),
      started('r'),
      started('s'),
      awaits('r', 'shared'),
      awaits('s', 'shared'),
    ]);
    expect(task.c.dependencies).toEqual({ shared: ['r', 's'] });
    task.send(passed('dependency', 'shared'));
    expect(task.statuses).toEqual({ r: 'failed', s: 'failed' });
  });

  test('a call that asks does not take away what another waits for', () => {
    const task = run({ limits: { pauses: 3 } }, [
      accepted,
      planned('plan', read('r'), read('s')),
      started('r'),
      started('s'),
      awaits('r', 'event'),
      raises('s', 'q'),
    ]);
    expect(task.c.dependencies).toEqual({ event: ['r'] });
  });
});
