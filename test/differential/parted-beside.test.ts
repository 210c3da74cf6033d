import { describe, expect, it } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import {
  accepted,
  answered,
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
    title: 'a call that the class refuses does not hide what would end the attempt [0089]',
    taskClass: { host: true, flows: 'refuse' },
    before: [accepted, planned('plan', send('w')), decided('w')],
    fact: proposes({ ...reading('q'), held: ['FLOW_FORBIDDEN'] }, { ...send('x'), rollback: false }),
    shows: { taken: false },
  },
];

describe('the chart does what the specifications say', () => {
  it.each(cases)('beside a question: $title', (one) => {
    const { taskClass, facts, shown } = storyOf(one);
    expect(shown).toEqual(read(taskClass, requests[0], facts));
    expect(shown.at(-1)).toMatchObject(one.shows ?? {});
  });
});
