import { describe, expect, it } from 'vitest';
import { callOf } from 'agentcharter/testing';
import { requests } from '../../src/testing/charter/world.ts';
import {
  accepted,
  answered,
  awaits,
  decided,
  doubted,
  drafted,
  granted,
  met,
  passed,
  plan,
  planned,
  proposes,
  refused,
  reported,
  started,
  stopped,
  succeeded,
  unsurelyPlanned,
  written,
  type FactMaker,
} from '../machines/scene.ts';
import { read } from './model.ts';
import { storyOf, tightened, type Case } from './parted.ts';

const { note, read: reading, send, undoable } = callOf;

/** A write that waited for an outside event, and then lost its clearance. */
const lapsed: readonly FactMaker[] = [
  accepted,
  planned('plan', send('w')),
  granted('action-w'),
  decided('w'),
  started('w'),
  awaits('w', 'event'),
  met('event'),
  refused('w'),
];

const reads: readonly FactMaker[] = [accepted, planned('plan', reading('r'), reading('s')), started('r')];

/** Where the chart and the specifications once parted: each sequence as short as it can be. */
const cases: readonly Case[] = [
  {
    title: 'a write goes on beside the approval of another, once what cleared it was looked at again [0080]',
    taskClass: {},
    before: [
      accepted,
      planned('plan', reading('r'), note('n'), send('w')),
      started('r'),
      succeeded('r', 'first'),
      decided('n'),
      passed('evidence', 'first'),
      decided('w'),
      started('r'),
    ],
    fact: succeeded('r', 'second'),
  },
  {
    title: 'no write is called where the approval of another can be asked for no more [0003, 0016]',
    taskClass: { limits: { pauses: 0 } },
    before: [accepted, planned('plan', note('n'), send('w')), decided('n')],
    fact: decided('w'),
  },
  {
    title: 'an approval that ended before the policy decided stands no more [0004: approval]',
    taskClass: {},
    before: [accepted, planned('plan', send('w')), granted('action-w')],
    fact: passed('approval', 'action-w'),
  },
  {
    title: 'a rollback that is not owed is not late [0004: a deadline is of what is waited for]',
    taskClass: {},
    before: [accepted, planned('plan', undoable('u')), ...written('u')],
    fact: passed('rollback', 'action-u'),
  },
  {
    title: 'a policy that was not asked is not late [0003, 0004]',
    taskClass: {},
    before: [accepted, planned('plan', reading('r'), undoable('u'))],
    fact: passed('policy', 'u'),
  },
  {
    title: 'a report that did not pass blocks for the whole attempt [CHART 6]',
    taskClass: { beforeWrite: { verifiers: ['check'] }, limits: { repairs: 0 } },
    before: [
      accepted,
      planned('plan', reading('r'), undoable('u')),
      reported('check', 'action-u', 'fail'),
      started('r'),
      succeeded('r'),
    ],
    fact: reported('check', 'action-u'),
  },
  {
    title: 'a call that a person makes a twin of an approved one shares its authority [0007]',
    taskClass: {},
    before: [
      accepted,
      planned('plan', send('v'), send('w')),
      granted('action-w'),
      decided('v'),
      decided('w'),
      answered('approval:action-v', 'edit', { call: send('v', 'action-w') }),
    ],
    fact: decided('v'),
  },
  {
    title: 'a write that a person refused stays refused when its action is proposed again and edited [0006]',
    taskClass: {},
    before: [
      accepted,
      planned('plan', send('v', 'same')),
      decided('v'),
      answered('approval:same', 'reject'),
      proposes(send('w', 'same')),
      decided('w'),
    ],
    fact: answered('approval:same', 'edit', { call: reading('x') }),
  },
  {
    title: 'no one approves what was done, and is proposed again beside a plan that is asked about [CHART 4]',
    taskClass: { beforeDeliver: { evidence: [{ type: 'source_citation' }] }, limits: { repairs: 1 } },
    before: [
      accepted,
      planned('plan', send('w')),
      decided('w'),
      granted('action-w'),
      started('w'),
      succeeded('w'),
      drafted(),
      unsurelyPlanned('again', send('v', 'action-w')),
    ],
    fact: granted('action-w'),
  },
  {
    title:
      'of a read that failed and a write in doubt, the first call gives the first reason [CHART 7, 0016]',
    taskClass: { limits: { pauses: 0 } },
    before: [
      accepted,
      planned('plan', reading('r'), note('v'), note('n')),
      started('r'),
      succeeded('r'),
      decided('v'),
      decided('n'),
      started('v'),
      passed('evidence', 'evidence-r'),
      doubted('v'),
      started('r'),
    ],
    fact: passed('call', 'r'),
  },
  {
    title: 'an approval is not edited into a call of a tool that the task class does not allow [0014: tools]',
    taskClass: { tools: ['tool-w'] },
    before: [accepted, planned('plan', send('w')), decided('w')],
    fact: answered('approval:action-w', 'edit', { call: send('x') }),
    shows: { taken: false, state: 'needsHumanDecision' },
  },
  {
    title: 'a write under way whose clearance lapses stays half done [0005, 0040]',
    taskClass: {},
    before: lapsed,
    fact: stopped(),
    shows: { taken: true, outcome: 'failed', leaves: ['w'] },
  },
  {
    title: 'a write under way whose approval is rejected is in doubt [0005, 0040]',
    taskClass: {},
    before: [...lapsed, decided('w'), answered('approval:action-w', 'reject')],
    fact: answered('doubt:w', 'approve'),
    shows: { taken: true, state: 'submitted' },
  },
  {
    title: 'a call whose tool changed is not asked about any more [0040]',
    taskClass: {},
    before: [accepted, planned('plan', send('w')), decided('w')],
    fact: refused('w', 'TOOL_CHANGED'),
    shows: { taken: true, state: 'submitted', phase: 'plan' },
  },
  {
    title: 'a call whose plan is asked about is not late to start [0004, 0040]',
    taskClass: {},
    before: [accepted, unsurelyPlanned('plan', reading('r'))],
    fact: passed('start', 'r'),
    shows: { taken: false, state: 'needsHumanDecision' },
  },
  {
    title: 'the word of a person about a doubt is not the result of a tool [0005]',
    taskClass: {},
    before: [accepted, planned('plan', note('n')), decided('n'), started('n'), doubted('n')],
    fact: answered('doubt:n', 'approve', { by: 'kim', evidence: { id: 'word', type: 'tool_result' } }),
    shows: { taken: false, state: 'needsHumanDecision' },
  },
  {
    title: 'a task class that lists the members of a clause in another order is no stricter [0040]',
    taskClass: { beforeWrite: { evidence: [{ type: 'tool_result', tool: 'tool-r' }] } },
    before: [accepted],
    fact: tightened({ beforeWrite: { evidence: [{ tool: 'tool-r', type: 'tool_result' }], verifiers: [] } }),
    shows: { taken: false },
  },
  {
    title: 'no read begins while a raised threshold makes its plan unsure [0040]',
    taskClass: {},
    before: [...reads, tightened({ threshold: 0.95 })],
    fact: started('s'),
    shows: { taken: false, mayStart: [] },
  },
  {
    title: 'a plan that a raised threshold makes unsure is asked about once its reads ended [0040]',
    taskClass: {},
    before: [...reads, tightened({ threshold: 0.95 }), succeeded('r')],
    fact: answered('plan:plan', 'approve'),
    shows: { taken: true, mayStart: ['s'] },
  },
  {
    title: 'a plan that a raised threshold makes unsure fails where no one may be asked [0040, 0016]',
    taskClass: { limits: { pauses: 0 } },
    before: [...reads, tightened({ threshold: 0.95 })],
    fact: succeeded('r'),
    shows: { taken: true, outcome: 'failed', reason: 'CONFIDENCE_LOW' },
  },
  {
    title: 'a write that paused under a looser task class is approved anew [0040]',
    taskClass: {},
    before: [
      accepted,
      planned('plan', send('w')),
      granted('action-w'),
      decided('w'),
      started('w'),
      awaits('w', 'event'),
      tightened({ threshold: 0.8 }),
      met('event'),
    ],
    fact: granted('action-w'),
    shows: { taken: true, state: 'submitted', mayStart: [] },
  },
  {
    title: 'no other plan forgets a write that is half done [0005]',
    taskClass: {},
    before: [
      accepted,
      planned('plan', note('n')),
      decided('n'),
      started('n'),
      awaits('n', 'event'),
      met('event'),
      tightened({ threshold: 0.95 }),
    ],
    fact: answered('plan:plan', 'edit', { plan: plan('other', reading('r')) }),
    shows: { taken: false, state: 'needsHumanDecision' },
  },
  {
    title: 'a draft whose plan becomes unsure is asked about once it is verified [0040]',
    taskClass: { beforeDeliver: { verifiers: ['check'] } },
    before: [accepted, planned('plan'), drafted(), tightened({ threshold: 0.95 })],
    fact: reported('check', 'draft'),
    shows: { taken: true, state: 'needsHumanDecision' },
  },
  {
    title: 'a draft goes with the plan that a person replaces [0006, 0040]',
    taskClass: {},
    before: [
      accepted,
      planned('plan'),
      tightened({ threshold: 0.95 }),
      drafted(),
      answered('plan:plan', 'edit', { plan: plan('other', reading('r')) }),
      started('r'),
    ],
    fact: succeeded('r'),
    shows: { taken: true, state: 'submitted', phase: 'execute', outcome: null },
  },
  {
    title: 'a write in doubt that is made once more has as many approvers as are asked for by now [0040]',
    taskClass: {},
    before: [
      accepted,
      planned('plan', send('w')),
      granted('action-w'),
      decided('w'),
      started('w'),
      doubted('w'),
      tightened({ approvers: 2 }),
    ],
    fact: answered('doubt:w', 'edit', { effect: 'absent' }),
    shows: { taken: true, state: 'needsHumanDecision', mayStart: [] },
  },
  {
    title: 'a write that began with enough approvers has enough when it ends [0040]',
    taskClass: {},
    before: [
      accepted,
      planned('plan', send('w')),
      granted('action-w'),
      decided('w'),
      started('w'),
      tightened({ approvers: 2 }),
      succeeded('w'),
    ],
    fact: drafted(),
    shows: { taken: true, outcome: 'delivered' },
  },
  {
    title: 'a person who is asked in the last turn of the model may give the draft [0009, 0059]',
    taskClass: { limits: { modelCalls: 2 } },
    before: [accepted, planned('plan'), () => ({ type: 'help.requested', question: 'help' })],
    fact: answered('help', 'edit', { draft: { digest: 'mine', confidence: 1, canProceed: true } }),
    shows: { taken: true, outcome: 'delivered' },
  },
  {
    title: 'a person is asked where the last turn of the model is rejected [0009, 0059]',
    taskClass: { limits: { modelCalls: 1, corrections: 0 } },
    before: [accepted],
    fact: () => ({ type: 'output.rejected', question: 'help' }),
    shows: { taken: true, state: 'needsHumanDecision', outcome: null },
  },
];

describe('the chart does what the specifications say', () => {
  it.each(cases)('$title', (one) => {
    const { taskClass, facts, shown } = storyOf(one);
    expect(shown).toEqual(read(taskClass, requests[0], facts));
    expect(shown.at(-1)).toMatchObject(one.shows ?? {});
  });
});
