import { describe, expect, test } from 'vitest';
import { FeedbackType } from '../../schema/index.ts';
import { answerFacts } from '../../machines/facts/answer.ts';
import type { Context, FactOf, Question } from '../../machines/index.ts';
import { callOf } from 'agentcharter/testing';
import { bare, sure } from './contexts.ts';
import {
  accepted,
  answered,
  asksForInformation,
  decided,
  doubted,
  draft,
  needsHelp,
  plan,
  planned,
  raises,
  run,
  started,
  stopped,
  unsurelyDrafted,
  unsurelyPlanned,
  written,
  type Run,
  type TaskClassGiven,
  type FactMaker,
} from './scene.ts';

const { note, read, send, undoable } = callOf;
const concludeAnswer = answerFacts['human.responded'].apply!;

/** Where an answer leads and what is owed there, or why the run fails; `null` where it is refused. */
type Cell = string | null;

interface Row {
  readonly kind: string;
  readonly taskClass?: TaskClassGiven;
  readonly told: readonly FactMaker[];
  readonly question: string;
  /** What an edit or a ranking brings. */
  readonly brings?: Partial<FactOf<'human.responded'>>;
  readonly cells: Readonly<Record<Exclude<FeedbackType, 'comment'>, Cell>>;
}

const toProposing = 'plan.proposing: propose';
const rejected = (about: string): string => `failed: HUMAN_REJECTED ${about}`;
const withNote = [accepted, planned('plan', note('n')), decided('n', 'needs_review')];
const withSend = [accepted, planned('plan', send('w')), decided('w')];
const edited = { call: note('n', 'edited') };

/** CHART 5, row by row. */
const table: readonly Row[] = [
  {
    kind: 'information, before the request is accepted',
    told: [asksForInformation('q')],
    question: 'q',
    cells: {
      approve: null,
      edit: 'intake: accept',
      rank: null,
      instruction: 'intake: accept',
      reject: rejected('request'),
    },
  },
  {
    kind: 'information, for a plan',
    told: [accepted, asksForInformation('q')],
    question: 'q',
    cells: {
      approve: null,
      edit: toProposing,
      rank: null,
      instruction: toProposing,
      reject: rejected('request'),
    },
  },
  {
    kind: 'help with a plan',
    told: [accepted, needsHelp()],
    question: 'help',
    brings: { plan: plan('edited', note('n')) },
    cells: {
      approve: null,
      edit: 'execute.authorizing: decide n',
      rank: null,
      instruction: toProposing,
      reject: toProposing,
    },
  },
  {
    kind: 'help with a draft',
    told: [accepted, planned('plan'), needsHelp()],
    question: 'help',
    brings: { draft: draft('edited') },
    cells: {
      approve: null,
      edit: 'completed.settled: ',
      rank: null,
      instruction: 'execute.concluding: conclude',
      reject: toProposing,
    },
  },
  {
    kind: 'a plan of low confidence',
    told: [accepted, unsurelyPlanned('plan', note('n'))],
    question: 'plan:plan',
    brings: { plan: plan('edited', note('m')) },
    cells: {
      approve: 'execute.authorizing: decide n',
      edit: 'execute.authorizing: decide m',
      rank: 'execute.authorizing: decide m',
      instruction: toProposing,
      reject: toProposing,
    },
  },
  {
    kind: 'a plan, once revisions are spent',
    taskClass: { limits: { revisions: 0 } },
    told: [accepted, unsurelyPlanned('plan', note('n'))],
    question: 'plan:plan',
    brings: { plan: plan('edited', note('m')) },
    cells: {
      approve: 'execute.authorizing: decide n',
      edit: 'execute.authorizing: decide m',
      rank: 'execute.authorizing: decide m',
      instruction: null,
      reject: rejected('output'),
    },
  },
  {
    kind: 'a draft of low confidence',
    told: [accepted, planned('plan'), unsurelyDrafted()],
    question: 'draft:draft',
    brings: { draft: draft('edited') },
    cells: {
      approve: 'completed.settled: ',
      edit: 'completed.settled: ',
      rank: 'completed.settled: ',
      instruction: toProposing,
      reject: toProposing,
    },
  },
  {
    kind: 'approval of a write under review',
    told: withNote,
    question: 'approval:action-n',
    brings: edited,
    cells: {
      approve: 'execute.calling: call n',
      edit: 'execute.authorizing: decide n',
      rank: null,
      instruction: toProposing,
      reject: 'execute.concluding: conclude',
    },
  },
  {
    kind: 'approval of a high-risk write, which takes a signed token',
    told: withSend,
    question: 'approval:action-w',
    brings: edited,
    cells: {
      approve: null,
      edit: 'execute.authorizing: decide w',
      rank: null,
      instruction: toProposing,
      reject: 'execute.concluding: conclude',
    },
  },
  {
    kind: 'approval of a high-risk write, where a person may',
    taskClass: { authorities: ['approval', 'human'] },
    told: withSend,
    question: 'approval:action-w',
    brings: edited,
    cells: {
      approve: 'execute.calling: call w',
      edit: 'execute.authorizing: decide w',
      rank: null,
      instruction: toProposing,
      reject: 'execute.concluding: conclude',
    },
  },
  {
    kind: 'an effect in doubt, which happened',
    told: [accepted, planned('plan', undoable('u')), decided('u'), started('u'), doubted('u')],
    question: 'doubt:u',
    brings: { effect: 'done' },
    cells: {
      approve: 'execute.concluding: conclude',
      edit: 'execute.concluding: conclude',
      rank: null,
      instruction: null,
      reject: toProposing, // the call failed, which is repaired
    },
  },
  {
    kind: 'an effect in doubt, which did not happen',
    told: [accepted, planned('plan', undoable('u')), decided('u'), started('u'), doubted('u')],
    question: 'doubt:u',
    brings: { effect: 'absent' },
    cells: {
      approve: 'execute.concluding: conclude',
      edit: 'execute.calling: call u',
      rank: null,
      instruction: null,
      reject: toProposing,
    },
  },
  {
    kind: 'a tool that asks',
    taskClass: { limits: { repairs: 0 } },
    told: [accepted, planned('plan', read('r')), started('r'), raises('r', 'q')],
    question: 'q',
    cells: {
      approve: 'execute.calling: call r',
      edit: 'execute.calling: call r',
      rank: 'execute.calling: call r',
      instruction: 'execute.calling: call r',
      reject: rejected('r'),
    },
  },
];

const story = (task: Run): string => `${task.at}: ${[...task.owes, ...task.reasons].join(', ')}`;

describe.each(table)('a question about $kind', ({ taskClass = {}, told, question, brings, cells }) => {
  const asking = () => {
    const task = run(taskClass, told);
    expect(task.owes).toEqual([`ask ${question}`]);
    return task;
  };
  const brought = (feedback: FeedbackType) =>
    feedback === 'edit' || feedback === 'rank' ? brings : undefined;

  test.each(FeedbackType.options.filter((type) => type !== 'comment'))('%s', (feedback) => {
    const task = asking();
    const answer = answered(question, feedback, brought(feedback));
    const leads = cells[feedback];
    expect(task.takes(answer)).toBe(leads !== null);
    if (leads === null) return;
    task.send(answer);
    expect(story(task)).toBe(leads);
    expect(task.c.questions).toEqual({});
  });

  test('comment: never answers', () => {
    const task = asking();
    const then = task.c;
    task.send(answered(question, 'comment'));
    expect({ ...task.c, trail: then.trail }).toEqual(then);
    expect(task.at).toBe('needsHumanDecision');
  });
});

test.each(table.filter(({ brings }) => brings !== undefined))(
  'an edit or a ranking brings what it replaces: $kind',
  ({ taskClass = {}, told, question }) => {
    const task = run(taskClass, told);
    expect(task.takes(answered(question, 'edit'))).toBe(false);
    expect(task.takes(answered(question, 'rank'))).toBe(false);
  },
);

describe('an answer', () => {
  const two = [
    accepted,
    planned('plan', undoable('u'), undoable('v')),
    decided('u', 'needs_review'),
    decided('v', 'needs_review'),
  ];

  test('closes its own question and no other', () => {
    const task = run({}, two);
    task.send(answered('approval:action-v', 'approve'));
    expect(task.owes).toEqual(['ask approval:action-u', 'call v']);
    task.send(answered('approval:action-u', 'reject'));
    expect(task.statuses).toEqual({ u: 'refused', v: 'allowed' });
    expect(task.owes).toEqual(['call v']);
  });

  test('that asks for another plan keeps what is done, and counts', () => {
    const task = run({}, [accepted, planned('plan', undoable('u')), ...written('u'), unsurelyDrafted()]);
    task.send(answered('draft:draft', 'instruction'));
    expect(task.c).toMatchObject({ attempt: 1, plan: null, draft: null, counters: { revisions: 1 } });
    expect(task.effects).toEqual(['action-u committed']);
  });

  test('to what was replaced carries its own waiver, for its own digest', () => {
    const task = run({}, [
      accepted,
      unsurelyPlanned('plan'),
      answered('plan:plan', 'edit', { plan: { ...plan('edited'), confidence: 0, canProceed: false } }),
    ]);
    expect(task.c.plan).toMatchObject({ digest: 'edited', waived: true });
    expect(task.owes).toEqual(['conclude']);
  });

  test.each(['constructor', '__proto__', 'toString', 'unknown'])(
    'to no open question is refused: %s',
    (id) => {
      const task = run({}, two);
      expect(task.takes(answered(id, 'reject'))).toBe(false);
    },
  );

  test('is refused once the run fails', () => {
    const task = run({}, [
      accepted,
      planned('plan', read('r'), undoable('u')),
      started('r'),
      raises('r', 'q'),
      stopped(),
    ]);
    expect(task.takes(answered('q', 'approve'))).toBe(false);
  });

  test('has nobody to hear it where the phases run alone', () => {
    const alone = run({}, [accepted], 'execution');
    alone.send(unsurelyPlanned('plan'));
    expect(alone.reasons).toEqual(['CONFIDENCE_LOW plan']);
    expect(alone.takes(answered('plan:plan', 'approve'))).toBe(false);
  });
});

const answer = (
  question: Question,
  feedback: FeedbackType,
  changes: Partial<Context> = {},
  brings: Partial<FactOf<'human.responded'>> = {},
) =>
  concludeAnswer(bare({ questions: { q: question }, ...changes }), {
    type: 'human.responded',
    question: 'q',
    feedback,
    ...brings,
  });
describe('what an answer changes by itself', () => {
  const closes = { questions: {} };

  test.each([
    ['help', 'plan', 'edit'],
    ['help', 'draft', 'edit'],
    ['plan', 'plan', 'approve'],
    ['plan', 'plan', 'edit'],
    ['draft', 'draft', 'approve'],
    ['draft', 'draft', 'edit'],
    ['approval', 'action-w', 'edit'],
    ['doubt', 'w', 'approve'],
  ] as const)(
    'is nothing but its question where there is nothing to change: %s, %s, %s',
    (kind, about, feedback) => {
      expect(answer({ kind, about }, feedback)).toEqual(closes);
    },
  );

  test.each([
    ['help', 'plan', 'approve'],
    ['help', 'plan', 'rank'],
    ['approval', 'action-w', 'rank'],
  ] as const)('changes nothing if the question does not take it: %s, %s, %s', (kind, about, feedback) => {
    expect(answer({ kind, about }, feedback)).toEqual({});
  });

  test('is nothing at all where it is a comment, or nobody asked', () => {
    expect(answer({ kind: 'plan', about: 'plan' }, 'comment', { plan: sure('plan') })).toEqual({});
    expect(answer({ kind: 'plan', about: 'plan' }, 'approve', { questions: {} })).toEqual({});
  });
});
