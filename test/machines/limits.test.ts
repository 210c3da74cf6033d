import { callOf } from 'agentcharter/testing';
import { describe, expect, test } from 'vitest';
import type { TaskClassInput } from '../../machines/index.ts';
import {
  accepted,
  answered,
  asksForInformation,
  awaits,
  changes,
  cleared,
  decided,
  drafted,
  granted,
  met,
  passed,
  planned,
  proposes,
  rollback,
  run,
  started,
  succeeded,
  unsurelyPlanned,
  written,
} from './scene.ts';

const { read, undoable, send } = callOf;

const asking = (limits: TaskClassInput['limits'], atLimit: 'ask' | 'keep' = 'ask') =>
  ({ atLimit, ...(limits && { limits }) }) as const;
const goOn = (limit: string) => answered(`limit:${limit}`, 'approve');

describe('at a limit, a task class that asks', () => {
  test('asks before another turn of the model, three times, and then the run ends', () => {
    const task = run(asking({ modelCalls: 1, rounds: 9 }), [accepted, planned('plan')]);
    for (const _ of ['once', 'twice', 'three times']) {
      expect(task.owes).toEqual(['ask limit:modelCalls']);
      task.send(goOn('modelCalls'));
      expect(task.owes).toEqual(['conclude']);
      task.send(proposes());
    }
    expect(task.reasons).toEqual(['BUDGET_SPENT modelCalls']);
  });

  test('asks before another call, whose clearance is looked at again', () => {
    const calls = [undoable('u'), undoable('v')];
    const told = [accepted, planned('plan', ...calls), decided('u'), decided('v'), ...written('u').slice(1)];
    const task = run(asking({ calls: 1 }), told);
    expect(task.owes).toEqual(['ask limit:calls']);
    task.send(goOn('calls'));
    expect(task.takes(started('v'))).toBe(false);
    task.send(cleared('v'), started('v'), succeeded('v'));
    expect(task.owes).toEqual(['conclude']);
  });

  test('asks once, however often the run pauses meanwhile', () => {
    const calls = ['a', 'b', 'c'].map((id) => read(id));
    const begun = calls.flatMap(({ id }) => started(id));
    const task = run(asking({ pauses: 1 }), [accepted, planned('plan', ...calls), ...begun]);
    task.send(awaits('a', 'first'), awaits('b', 'second'), awaits('c', 'third'));
    expect(task.owes.filter((duty) => duty.startsWith('ask'))).toEqual(['ask limit:pauses']);
    task.send(goOn('pauses'));
    expect(task.owes.filter((duty) => duty.startsWith('ask'))).toEqual([]);
  });

  test('lets further calls wait for the answer, beyond the limit on rounds', () => {
    const task = run(asking({ rounds: 1 }), [accepted, planned('plan'), proposes(read('r'))]);
    expect(task.owes).toEqual(['ask limit:rounds']);
    expect(task.statuses).toEqual({});
    task.send(goOn('rounds'));
    expect(task.owes).toEqual(['call r']);
  });

  test('counts no pause that a person ended, and asks beside one too many of the others', () => {
    const task = run(asking({ pauses: 1 }), [asksForInformation('a'), answered('a', 'instruction')]);
    task.send(
      asksForInformation('b'),
      answered('b', 'instruction'),
      accepted,
      unsurelyPlanned('plan', read('r')),
    );
    task.send(answered('plan:plan', 'approve'), started('r'), awaits('r', 'x'));
    expect(task.owes).toEqual(['await x r']);
    task.send(met('x'), started('r'), awaits('r', 'y'));
    expect(task.owes).toEqual(['ask limit:pauses', 'await y r']);
    task.send(goOn('pauses'), met('y'), started('r'));
    expect(task.owes).toEqual(['observe r']);
  });

  test('counts what gates ask at once, and a signed approval ends, as one pause', () => {
    const calls = [send('w'), send('x')];
    const told = [accepted, planned('plan', ...calls), decided('w'), decided('x')];
    const task = run(asking({ pauses: 1 }), [...told, granted('action-w')]);
    expect(task.c.answered).toBe(0);
    task.send(granted('action-x'));
    expect(task.c.answered).toBe(1);
  });

  test('says that the limit on pauses ends the run, where nobody can be asked any more', () => {
    const spent = asking({ pauses: 0 });
    expect(run(spent, [accepted, unsurelyPlanned('plan')]).reasons).toEqual([
      'BUDGET_SPENT pauses',
      'CONFIDENCE_LOW plan',
    ]);
  });

  test.each(['reject', 'expired'] as const)(
    'undoes nothing while it asks, and everything after %s',
    (end) => {
      const told = [accepted, planned('plan', undoable('u')), ...written('u')];
      const task = run(asking({ modelCalls: 1 }), told);
      expect([task.owes, task.effects]).toEqual([['ask limit:modelCalls'], ['action-u committed']]);
      task.send(
        end === 'reject' ? answered('limit:modelCalls', 'reject') : passed('question', 'limit:modelCalls'),
      );
      expect(task.reasons).toEqual(['BUDGET_SPENT modelCalls']);
      task.send(rollback('started', 'action-u'), rollback('succeeded', 'action-u'));
      expect([task.at, task.effects]).toEqual(['failed', ['action-u undone']]);
    },
  );

  test('keeps what was approved where it says so, and undoes the rest', () => {
    const calls = [send('w'), undoable('u')];
    const told = [accepted, planned('plan', ...calls), decided('w'), decided('u'), granted('action-w')];
    const task = run(asking({ modelCalls: 1 }, 'keep'), [
      ...told,
      cleared('w'),
      started('w'),
      succeeded('w'),
    ]);
    task.send(cleared('u'), started('u'), succeeded('u'), answered('limit:modelCalls', 'reject'));
    expect(task.effects).toEqual(['action-w kept', 'action-u committed']);
    task.send(rollback('started', 'action-u'), rollback('succeeded', 'action-u'));
    expect([task.at, task.reasons]).toEqual(['failed', ['BUDGET_SPENT modelCalls']]);
  });

  test('begins anew with a further request', () => {
    const told = [accepted, planned('plan'), goOn('modelCalls'), drafted()];
    const task = run({ followup: true, ...asking({ modelCalls: 1 }) }, told);
    expect(task.c.extensions).toEqual({ modelCalls: 1 });
    task.send(() => ({ type: 'followup.offered' }), changes());
    expect(task.c.extensions).toEqual({});
  });
});

test('the bare execution chart asks nobody: it fails at the limit', () => {
  const bare = run(asking({ modelCalls: 1 }), [accepted, planned('plan')], 'execution');
  expect(bare.reasons).toEqual(['BUDGET_SPENT modelCalls']);
});
