import { describe, expect, test } from 'vitest';
import { FeedbackType } from '../../schema/index.ts';
import { entry } from '../../machines/change.ts';
import { appliesTo } from '../../machines/facts/index.ts';
import {
  factTypes,
  feedbackTaken,
  type CallStatus,
  type Context,
  type Fact,
  type Question,
} from '../../machines/index.ts';
import { callOf, factsIn, type World } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import { bare, before, readCall, sure, writeCall } from './contexts.ts';
import {
  awaits,
  decided,
  doubted,
  failed,
  granted,
  met,
  plan,
  raises,
  refused,
  reported,
  rollback,
  started,
  succeeded,
  type FactMaker,
} from './scene.ts';

const { read } = callOf;

const statuses: readonly CallStatus[] = [
  'proposed',
  'allowed',
  'refused',
  'started',
  'asking',
  'waiting',
  'succeeded',
  'failed',
  'doubted',
];

const takes = (c: Context, told: FactMaker): boolean => appliesTo(c, told(c));

/** The statuses of a call in which a fact about it is taken. */
const takenWhile = (told: FactMaker, of: (status: CallStatus) => Context): readonly CallStatus[] =>
  statuses.filter((status) => takes(of(status), told));

const reading = (status: CallStatus) => bare({ plan: sure('plan'), calls: { r: readCall({ status }) } });
const writing = (status: CallStatus) =>
  before('write', { calls: { r: readCall(), w: writeCall({ status }) } });

const unapproved = (status: CallStatus) =>
  before('write', { calls: { r: readCall(), w: writeCall({ status, authority: null, approvers: [] }) } });

describe('a fact about a call is taken by its status', () => {
  test.each<[string, FactMaker, readonly CallStatus[]]>([
    ['policy.decided', decided('w'), ['proposed']],
    ['call.started', started('w'), ['allowed']],
    ['call.succeeded', succeeded('w'), ['started', 'asking', 'waiting', 'doubted']],
    ['call.failed', failed('w'), ['started', 'asking', 'waiting', 'doubted']],
    ['call.doubted', doubted('w'), ['started', 'waiting']],
    ['call.refused', refused('w'), ['allowed', 'started']],
    ['dependency.awaited', awaits('w', 'x'), ['started']],
    ['question.raised', raises('w', 'q'), ['started', 'waiting']],
  ])('%s', (_, told, taken) => {
    expect(takenWhile(told, writing)).toEqual(taken);
  });

  test.each<[string, FactMaker, readonly CallStatus[]]>([
    ['call.started', started('r'), ['allowed']],
    ['approval.granted', granted('action-r'), []],
    ['call.refused', refused('r'), []],
  ])('%s, of a read', (_, told, taken) => {
    expect(takenWhile(told, reading)).toEqual(taken);
  });

  test.each([
    ['of another request', { request: requests[1] }],
    ['of an earlier attempt', { attempt: -1 }],
    ['of a later attempt', { attempt: 1 }],
    ['of no number of an attempt', { attempt: Number.NaN }],
    ['of another call', { call: 'constructor' }],
  ])('and not %s', (_, changes) => {
    const told: readonly FactMaker[] = [
      started('w'),
      succeeded('w'),
      failed('w'),
      doubted('w'),
      refused('w'),
      decided('w'),
    ];
    for (const one of told)
      for (const status of statuses)
        expect(takes(writing(status), (c) => ({ ...one(c), ...changes }) as Fact)).toBe(false);
  });

  test('and a clearance by its digest', () => {
    const forged = { digest: 'forged' };
    expect(takes(writing('proposed'), (c) => ({ ...decided('w')(c), ...forged }))).toBe(false);
    expect(takes(writing('allowed'), (c) => ({ ...started('w')(c), ...forged }))).toBe(false);
    expect(takes(writing('allowed'), granted('forged'))).toBe(false);
  });
});

describe('a write starts', () => {
  test('in plan order', () => {
    const calls = { r: readCall(), w: writeCall(), v: writeCall({ at: 0, status: 'proposed' }) };
    expect(takes(before('write', { calls }), started('w'))).toBe(false);
  });

  test('where its gate is open', () => {
    expect(takes(before('write'), started('w'))).toBe(true);
    expect(takes(before('write', { reports: {} }), started('w'))).toBe(false);
  });
});

test('a read does not start once another call has failed', () => {
  const calls = { r: readCall({ status: 'allowed' }), s: readCall({ status: 'failed' }) };
  expect(takes(bare({ calls }), started('r'))).toBe(false);
});

test('an approval counts only from an authority that the task class allows', () => {
  expect(takes(unapproved('allowed'), granted('action-w', 'approval'))).toBe(true);
  expect(takes(unapproved('allowed'), granted('action-w', 'human'))).toBe(false);
  expect(takes(unapproved('allowed'), granted('action-w', 'system'))).toBe(false);
});

test('an approval counts once, for a write that may still be made', () => {
  expect(takenWhile(granted('action-w'), unapproved)).toEqual(['proposed', 'allowed']);
  expect(takenWhile(granted('action-w'), writing)).toEqual([]);
});

describe('a report is taken', () => {
  const c = before('deliver', { reports: {} });

  test('of what was asked, on the evidence that stands', () => {
    expect(takes(c, reported('facts', 'draft'))).toBe(true);
    expect(takes(before('write', { reports: {} }), reported('check', 'action-w'))).toBe(true);
  });

  test.each([
    ['another verifier', { verifier: 'other' }],
    ['another subject', { of: 'action-w' }],
    ['other evidence', { evidence: 0 }],
    ['another attempt', { attempt: 1 }],
    ['another request', { request: requests[1] }],
  ])('and not of %s', (_, changes) => {
    expect(takes(c, (here) => ({ ...reported('facts', 'draft')(here), ...changes }) as Fact)).toBe(false);
  });

  test('once', () => {
    expect(takes(before('deliver'), reported('facts', 'draft', 'fail'))).toBe(false);
  });
});

describe('a rollback is told', () => {
  const effect = {
    digest: 'action-w',
    tool: 'tool-w',
    rollback: true,
    authority: null,
    status: 'committed',
    evidence: null,
  } as const;
  const committed = bare({ reasons: [{ code: 'CANCELLED', about: 'task' }], effects: [effect] });
  const undoing = bare({
    reasons: [{ code: 'CANCELLED', about: 'task' }],
    effects: [{ ...effect, status: 'undoing' }],
  });

  test('as begun, and then as ended', () => {
    expect(takes(committed, rollback('started', 'action-w'))).toBe(true);
    expect(takes(committed, rollback('succeeded', 'action-w'))).toBe(false);
    expect(takes(undoing, rollback('started', 'action-w'))).toBe(false);
    expect(takes(undoing, rollback('succeeded', 'action-w'))).toBe(true);
    expect(takes(undoing, rollback('failed', 'action-w'))).toBe(true);
  });

  test.each(['started', 'succeeded', 'failed'] as const)('of this request and this write: %s', (how) => {
    for (const c of [committed, undoing, bare()]) {
      expect(takes(c, rollback(how, 'forged'))).toBe(false);
      expect(appliesTo(c, { ...rollback(how, 'action-w')(c), request: requests[1] } as Fact)).toBe(false);
    }
  });
});

const taken = (question: Question, c: Context = bare()) => feedbackTaken(c, question);

describe('the feedback that a question takes', () => {
  test.each([
    ['information', 'request', ['edit', 'instruction', 'reject', 'comment']],
    ['help', 'plan', ['edit', 'instruction', 'reject', 'comment']],
    ['plan', 'plan', ['approve', 'edit', 'rank', 'instruction', 'reject', 'comment']],
    ['draft', 'draft', ['approve', 'edit', 'rank', 'instruction', 'reject', 'comment']],
    ['approval', 'action-n', ['approve', 'edit', 'instruction', 'reject', 'comment']],
    ['doubt', 'w', ['approve', 'edit', 'reject', 'comment']],
    ['tool', 'r', ['approve', 'edit', 'rank', 'instruction', 'reject', 'comment']],
  ] as const)('about %s', (kind, about, feedback) => {
    expect(taken({ kind, about })).toEqual(feedback);
  });

  test('has no instruction once revisions are spent, where it would revise', () => {
    const spent = bare({ counters: { ...bare().counters, revisions: 3 } });
    for (const kind of ['help', 'plan', 'draft', 'approval'] as const)
      expect(taken({ kind, about: 'it' }, spent)).not.toContain('instruction');
    for (const kind of ['information', 'tool'] as const)
      expect(taken({ kind, about: 'it' }, spent)).toContain('instruction');
  });

  test('has no approval of a high-risk write, unless a person’s word is enough', () => {
    const question = { kind: 'approval', about: 'action-w' } as const;
    const given = (authorities: Context['taskClass']['authorities']) =>
      taken(question, before('write', { taskClass: { ...bare().taskClass, authorities } }));
    expect(given(['approval', 'system'])).not.toContain('approve');
    expect(given(['human'])).toContain('approve');
  });

  test('always has a comment, which answers nothing, and a rejection', () => {
    for (const kind of ['information', 'help', 'plan', 'draft', 'approval', 'doubt', 'tool'] as const) {
      expect(taken({ kind, about: 'it' })).toEqual(expect.arrayContaining(['reject', 'comment']));
      expect(FeedbackType.options).toEqual(expect.arrayContaining([...taken({ kind, about: 'it' })]));
    }
  });
});

describe('a run that has an outcome', () => {
  const world = {
    name: 'any',
    taskClass: {},
    plans: [[read('r')]],
    further: [],
    careless: true,
  } satisfies World;
  const open = before('deliver', {
    questions: { q: { kind: 'tool', about: 'r' } },
    dependencies: { x: ['r'] },
    reasons: [{ code: 'CANCELLED', about: 'task' }],
  });
  const facts = factsIn(world, open);

  test.each(['delivered', 'failed', 'cancelled'] as const)('takes nothing but changes: %s', (outcome) => {
    expect(new Set(facts.map(({ type }) => type)).size).toBeGreaterThan(factTypes.length - 4);
    const heard = facts.filter((fact) => appliesTo({ ...open, outcome }, fact));
    expect(new Set(heard.map(({ type }) => type))).toEqual(new Set(['changes.requested']));
  });

  test('and only one that is delivered can be changed', () => {
    expect(appliesTo(open, { type: 'changes.requested', request: requests[1] })).toBe(false);
  });
});

describe('names', () => {
  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    '%s finds nothing that was not put there',
    (name) => {
      expect(entry({}, name)).toBeUndefined();
      expect(entry(Object.fromEntries([[name, 1]]), name)).toBe(1);
      expect(takes(bare(), met(name))).toBe(false);
      expect(takes(bare(), (c) => ({ ...succeeded(name)(c) }))).toBe(false);
    },
  );

  test('are apart in a plan and in an edit of one', () => {
    const twice = plan('p', read('r', 'a'), read('r', 'b'));
    expect(appliesTo(bare(), { type: 'plan.proposed', ...twice })).toBe(false);
    const c = bare({ questions: { q: { kind: 'plan', about: 'p' } } });
    expect(appliesTo(c, { type: 'human.responded', question: 'q', feedback: 'rank', plan: twice })).toBe(
      false,
    );
  });
});

test.each([
  'task.cancelled',
  'request.accepted',
  'draft.proposed',
  'capability.exceeded',
  'followup.offered',
] as const)('%s concerns a run wherever its state takes it', (type) => {
  expect(appliesTo(bare(), { type, ...sure('draft') })).toBe(true);
});
