import { describe, expect, test } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { runOf } from '../../machines/owed.ts';
import { asked } from '../../machines/progress.ts';
import { endOf, questionsOwed } from '../../machines/question.ts';
import { stricter, taskClass } from '../../machines/task-class.ts';
import { bare, before, readCall, sure, writeCall } from './contexts.ts';
import {
  accepted,
  answered,
  asksForInformation,
  decided,
  failed,
  needsHelp,
  passed,
  planned,
  run,
  started,
  succeeded,
  tightened,
  unsurelyPlanned,
  unsurelyProposes,
} from './scene.ts';

const { note, read, send, undoable } = callOf;

describe('who may approve an action', () => {
  const unapproved = { authority: null, approvers: [] } as const;
  const question = { kind: 'approval', about: 'action-w' } as const;
  const asking = (authorities: ('approval' | 'human')[], approvers: number) =>
    bare({ calls: { w: writeCall(unapproved) } }, { authorities, approvers });

  test('is no person where only tokens count, for a high-risk write', () => {
    expect(endOf(asking(['approval'], 1), question, 'approve', { by: 'kim' })).toBeUndefined();
  });

  test('is one person, or the last of several, who ends the question', () => {
    expect(endOf(asking(['human'], 1), question, 'approve', { by: 'kim' })).toBe('approved');
    expect(endOf(asking(['human'], 2), question, 'approve', { by: 'kim' })).toBe('open');
  });

  test('is any person for a low-risk write, whatever else the plan holds', () => {
    const task = run({ authorities: ['approval'] }, [accepted, planned('plan', note('n'), send('w'))]);
    task.send(decided('n', 'needs_review'), decided('w'));
    expect(task.takes(answered('approval:action-n', 'approve'))).toBe(true);
    expect(task.takes(answered('approval:action-w', 'approve'))).toBe(false);
  });

  test('is asked once the policy has decided', () => {
    const c = bare({ calls: { w: writeCall({ ...unapproved, status: 'proposed' }) } });
    expect(questionsOwed(c)).toEqual({});
    expect(questionsOwed(bare({ calls: { w: writeCall(unapproved) } }))).toEqual({
      'approval:action-w': { kind: 'approval', about: 'action-w' },
    });
  });
});

describe('questions that the gates ask', () => {
  test('close none that is open', () => {
    const open = { q: { kind: 'tool', about: 'r' } } as const;
    const c = bare({ questions: open, plan: { ...sure('plan'), confidence: 0.1 } });
    expect(Object.keys(asked(c).questions ?? {})).toEqual(['q', 'plan:plan']);
  });

  test('are each a reason where no one is there to ask, and the only ones', () => {
    const task = run({}, [accepted, asksForInformation('q')], 'execution');
    expect(task.reasons).toEqual(['INPUT_REQUIRED request']);
  });

  test('keep no write where no one is there to ask, but for an agent whose host is away', () => {
    const done = [accepted, planned('plan', undoable('u')), decided('u'), started('u'), succeeded('u')];
    const task = run({}, [...done, needsHelp()], 'execution');
    expect(task.owes).toEqual(['undo action-u']);
  });
});

describe('a tool that the task class does not allow any more', () => {
  const withdrawn = tightened({ tools: ['other'] });

  test('is not called by further calls that a person lets in later', () => {
    const task = run({ limits: { rounds: 2, repairs: 0 } }, [
      accepted,
      planned('plan'),
      unsurelyProposes(read('r')),
      withdrawn,
      answered('plan:further', 'approve'),
    ]);
    expect(task.reasons).toEqual(['TOOL_UNAVAILABLE r']);
  });

  test('is not called again when its evidence grew old', () => {
    const task = run({ limits: { refreshes: 1, repairs: 0 } }, [
      accepted,
      planned('plan', read('r'), undoable('u')),
      started('r'),
      succeeded('r'),
      tightened({ tools: ['tool-u'] }),
      decided('u'),
      passed('evidence', 'evidence-r'),
    ]);
    expect(task.reasons).toEqual(['TOOL_UNAVAILABLE r']);
  });

  test('stays withdrawn when a later task class names no tools', () => {
    const limited = taskClass({ id: 'class', tools: ['tool-r'] });
    expect(stricter(limited, taskClass({ id: 'class' })).tools).toEqual(['tool-r']);
    expect(stricter(taskClass({ id: 'class' }), limited).tools).toEqual(['tool-r']);
  });
});

describe('another plan', () => {
  test('that a person asks for has no cause in the attempt before it', () => {
    const task = run({ limits: { repairs: 1, revisions: 1 } }, [
      accepted,
      planned('plan', read('r')),
      started('r'),
      failed('r'),
      unsurelyPlanned('again'),
    ]);
    expect(task.c.unmet).toEqual([{ code: 'TOOL_FAILED', about: 'r' }]);
    task.send(answered('plan:again', 'instruction'));
    expect(task.c.unmet).toEqual([]);
  });

  test('leaves what a person keeps, and what was ruled out or undone', () => {
    const [effect] = before('deliver').effects;
    if (effect === undefined) throw new Error('expected an effect');
    const left = (['committed', 'stuck', 'kept', 'closed', 'undone'] as const).map((status) => ({
      ...effect,
      digest: `action-${status}`,
      status,
    }));
    const digests = runOf(bare({ effects: left })).unplannedWrites.map(({ digest }) => digest);
    expect(digests).toEqual(['action-committed', 'action-stuck']);
  });
});

test('a write that a person refused was not made', () => {
  const c = bare({ calls: { v: writeCall({ status: 'refused' }), w: writeCall({ status: 'succeeded' }) } });
  expect(runOf(c).writesMade.map(({ id }) => id)).toEqual(['w']);
});

test('what is owed of writes names no read, and what is old of reads no write', () => {
  const evidence = { id: 'old', type: 'tool_result', stale: true } as const;
  const c = bare({
    calls: {
      q: readCall({ status: 'allowed', evidence: null }),
      r: readCall({ evidence }),
      v: writeCall({ status: 'succeeded', digest: 'action-v', evidence }),
      w: writeCall({ at: 2 }),
    },
  });
  expect(runOf(c).writesOwed.map(({ id }) => id)).toEqual(['w']);
  expect(runOf(c).staleReads.map(({ id }) => id)).toEqual(['r']);
});

test('an unstated confidence asks, once a stricter task class says so', () => {
  const proceeds = taskClass({ id: 'class', unstated: 'proceed' });
  expect(stricter(proceeds, taskClass({ id: 'class' })).unstated).toBe('ask');
});
