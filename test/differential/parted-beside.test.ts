import { describe, expect, it } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import {
  accepted,
  answered,
  brings,
  changes,
  cleared,
  decided,
  drafted,
  offered,
  planned,
  proposes,
  refused,
  reported,
  started,
  unsurelyDrafted,
} from '../machines/scene.ts';
import { read } from './model.ts';
import { storyOf, tightened, type Case } from './parted.ts';

const { note, read: reading, send } = callOf;

/** Evidence of what a write is about. */
const ofAction = { type: 'tool_result', check: 'same', ofAction: true } as const;

/** A write that is about what the evidence shows. */
const about = (id: string) => ({ ...note(id), subjects: { same: 'a' } });

/** Where the chart and the specifications once parted beside a question: each sequence as short as it can be. */
const cases: readonly Case[] = [
  {
    title: 'a draft is not verified while a person is asked about it [0089]',
    taskClass: { beforeDeliver: { verifiers: ['check'] } },
    before: [accepted, planned('plan')],
    fact: unsurelyDrafted(),
    shows: { state: 'needsHumanDecision', deadlines: ['question draft:draft'] },
  },
  {
    title: 'a further request in which no calls were proposed beside a question is led as before [0089]',
    taskClass: { host: true, followup: true },
    before: [
      accepted,
      planned('plan', send('w')),
      decided('w'),
      proposes(),
      answered('approval:action-w', 'reject'),
      drafted(),
      offered,
      changes(),
      accepted,
      planned('plan', send('w'), note('n')),
      decided('w'),
      decided('n'),
    ],
    fact: refused('n'),
    shows: { taken: true, deadlines: ['question approval:action-w'] },
  },
  {
    title:
      'a write is cleared again once the calls that joined it beside a question are checked [0040, 0089]',
    taskClass: { host: true, beforeWrite: { verifiers: ['check'] } },
    before: [
      accepted,
      planned('plan', note('n'), send('w')),
      reported('check', 'action-n'),
      reported('check', 'action-w'),
      decided('n'),
      decided('w'),
      cleared('n'),
      proposes(),
    ],
    fact: reported('check', 'action-n'),
    shows: { taken: true, mayStart: [] },
  },
  {
    title: 'no other plan is asked for, beside a question or not, while a write is being made [0080]',
    taskClass: {},
    before: [
      accepted,
      planned('plan', note('n'), send('w')),
      decided('n'),
      decided('w'),
      cleared('n'),
      started('n'),
    ],
    fact: tightened({ threshold: 0.95 }),
    shows: { taken: true, state: 'submitted', deadlines: ['call n'] },
  },
  {
    title: 'a plan is not asked about while a read is being made beside a question [0040, 0089]',
    taskClass: { host: true },
    before: [accepted, planned('plan', send('w')), decided('w'), proposes(reading('s')), started('s')],
    fact: tightened({ threshold: 0.95 }),
    shows: { taken: true, state: 'submitted', deadlines: ['call s'] },
  },
  {
    title: 'an action that waits for review is not made under the name of a twin [0007, 0080, UAICP 5.3]',
    taskClass: { host: true },
    before: [
      accepted,
      planned('plan', send('w')),
      decided('w'),
      proposes(note('t', 'same')),
      decided('t'),
      proposes(note('u', 'same'), note('z')),
    ],
    fact: decided('u', 'needs_review'),
    shows: { taken: true, mayStart: [], deadlines: ['policy z', 'question approval:action-w'] },
  },
  {
    title:
      'a call that the class refuses before anyone endorses it does not let a write without a way back in [0089]',
    taskClass: { host: true, flows: 'refuse' },
    before: [accepted, planned('plan', send('w')), decided('w')],
    fact: proposes({ ...reading('q'), held: ['FLOW_FORBIDDEN'] }, { ...send('x'), rollback: false }),
    shows: { taken: false },
  },
  {
    title: 'a call that the class refuses keeps no other out, for it is not made [0072, 0089]',
    taskClass: { host: true, flows: 'refuse', beforeWrite: { evidence: [ofAction] } },
    before: [
      accepted,
      planned('plan', reading('r'), about('n')),
      started('r'),
      brings('r', { meets: ['same'], subjects: { same: 'a' } }),
      decided('n', 'needs_review'),
    ],
    fact: proposes({ ...note('k'), held: ['FLOW_FORBIDDEN'] }),
    shows: { taken: true },
  },
];

describe('the chart does what the specifications say', () => {
  it.each(cases)('beside a question: $title', (one) => {
    const { taskClass, facts, shown } = storyOf(one);
    expect(shown).toEqual(read(taskClass, requests[0], facts));
    expect(shown.at(-1)).toMatchObject(one.shows ?? {});
  });
});
