import { describe, expect, it } from 'vitest';
import { emptyDraft, feedbackOf, type Draft } from '../../../../src/console/page/answer/feedback.ts';
import { choicesOf, fieldsOf, nameOf, proposalOf } from '../../../../src/console/page/answer/proposal.ts';
import type { InboxEntry } from '../../../../src/index.ts';
import { asked, type Kind } from '../../orchestrator/situations.ts';

const written = (entry: InboxEntry, draft: Partial<Draft>) =>
  feedbackOf(entry, { ...emptyDraft(entry), ...draft });

describe('an edit', () => {
  it.each(['plan', 'draft', 'approval', 'doubt'] as const satisfies Kind[])(
    'of what a question of %s proposes, sent as it stands, is taken by the orchestrator',
    async (kind) => {
      const { open, orchestrator } = await asked(kind);
      const answer = written(open, { type: 'edit' });
      if ('missing' in answer) throw new Error(answer.missing);
      await orchestrator.respond(answer.feedback, { by: 'dana' });
      expect(await orchestrator.inbox()).not.toContainEqual(open);
    },
  );

  it('that is not JSON is not sent, and says where it is wrong', async () => {
    const { open } = await asked('plan');
    expect(written(open, { type: 'edit', json: '{"calls":' })).toMatchObject({
      missing: expect.stringMatching(/^This is not JSON: /) as unknown,
    });
  });

  it('of missing information gives the fields that are asked for, all of them', async () => {
    const { open } = await asked('information');
    expect(fieldsOf(open)).toEqual({ location: 'where to look' });
    expect(written(open, { type: 'edit' })).toEqual({ missing: 'Say what location is.' });
    expect(written(open, { type: 'edit', fields: { location: 'Lisbon' } })).toMatchObject({
      feedback: { type: 'edit', content: { value: { location: 'Lisbon' } } },
    });
  });
});

describe('a ranking', () => {
  it.each(['plan', 'followup'] as const satisfies Kind[])(
    'of what a question of %s offers is taken by the orchestrator',
    async (kind) => {
      const { open, orchestrator } = await asked(kind);
      const ranking = choicesOf(open).map(nameOf);
      expect(ranking.length).toBeGreaterThan(0);
      const answer = written(open, { type: 'rank', ranking });
      if ('missing' in answer) throw new Error(answer.missing);
      await orchestrator.respond(answer.feedback, { by: 'dana' });
    },
  );

  it('of nothing is not sent', async () => {
    const { open } = await asked('followup');
    expect(written(open, { type: 'rank' })).toMatchObject({ missing: expect.any(String) as unknown });
  });

  it('names a choice by its id where it has one', () => {
    expect([{ id: 7, name: 'x' }, 'word', { name: 'y' }].map(nameOf)).toEqual([7, 'word', { name: 'y' }]);
  });
});

it('weighs a comment, and nothing else', async () => {
  const { open } = await asked('plan');
  const draft = { text: ' look ', severity: 'high', priority: '' };
  expect(written(open, { ...draft, type: 'comment' })).toMatchObject({
    feedback: { content: 'look', metadata: { severity: 'high' } },
  });
  expect(written(open, { ...draft, type: 'instruction' })).not.toHaveProperty('feedback.metadata');
});

it('sends a token beside an approval, and beside nothing else', async () => {
  const { open } = await asked('approval');
  expect(written(open, { type: 'approve', token: ' a.b.c ' })).toMatchObject({ approval: 'a.b.c' });
  expect(written(open, { type: 'reject', token: 'a.b.c' })).not.toHaveProperty('approval');
});

it('sends nothing before something is chosen', async () => {
  const { open } = await asked('plan');
  expect(written(open, {})).toEqual({ missing: 'Choose what to do.' });
  expect(proposalOf(open)).toMatchObject({ calls: [{ tool: 'read' }] });
});
