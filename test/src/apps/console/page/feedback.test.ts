import { describe, expect, it } from 'vitest';
import { emptyDraft, feedbackOf, type Draft } from '../../../../../src/apps/console/page/answer/feedback.ts';
import {
  choicesOf,
  fieldsOf,
  nameOf,
  proposalOf,
} from '../../../../../src/apps/console/page/answer/proposal.ts';
import { unreadFeedback } from '../../../../../src/base/feedback/feedback.ts';
import type { InboxEntry } from '../../../../../src/index.ts';
import { asked, type Kind } from '../../../core/shell/situations.ts';

const written = (entry: InboxEntry, draft: Partial<Draft>) =>
  feedbackOf(entry, { ...emptyDraft(entry), ...draft });

describe('An edit in the console', () => {
  it.each(['plan', 'draft', 'approval', 'doubt'] as const satisfies Kind[])(
    'of a %s question’s proposal is accepted unchanged by the orchestrator',
    async (kind) => {
      const { open, orchestrator } = await asked(kind);
      const answer = written(open, { type: 'edit' });
      if ('missing' in answer) throw new Error(answer.missing);
      await orchestrator.respond(unreadFeedback(answer.feedback), { by: 'dana' });
      expect(await orchestrator.inbox()).not.toContainEqual(open);
    },
  );

  it('that is not JSON is refused with the place of the mistake', async () => {
    const { open } = await asked('plan');
    expect(written(open, { type: 'edit', json: '{"calls":' })).toMatchObject({
      missing: expect.stringMatching(/^This is not JSON: /) as unknown,
    });
  });

  it('of missing information has every requested field', async () => {
    const { open } = await asked('information');
    expect(fieldsOf(open)).toEqual({ location: 'where to look' });
    expect(written(open, { type: 'edit' })).toEqual({ missing: 'Fill in: Location.' });
    expect(written(open, { type: 'edit', fields: { location: 'Lisbon' } })).toMatchObject({
      feedback: { type: 'edit', content: { value: { location: 'Lisbon' } } },
    });
  });
});

describe('A ranking in the console', () => {
  it.each(['plan', 'followup'] as const satisfies Kind[])(
    'of a %s question’s choices is accepted by the orchestrator',
    async (kind) => {
      const { open, orchestrator } = await asked(kind);
      const ranking = choicesOf(open).map(nameOf);
      expect(ranking.length).toBeGreaterThan(0);
      const answer = written(open, { type: 'rank', ranking });
      if ('missing' in answer) throw new Error(answer.missing);
      await orchestrator.respond(unreadFeedback(answer.feedback), { by: 'dana' });
    },
  );

  it('without choices is not sent', async () => {
    const { open } = await asked('followup');
    expect(written(open, { type: 'rank' })).toMatchObject({ missing: expect.any(String) as unknown });
  });

  it('identifies a choice by its id if there is one', () => {
    expect([{ id: 7, name: 'x' }, 'word', { name: 'y' }].map(nameOf)).toEqual([7, 'word', { name: 'y' }]);
  });
});

it('sends a weight with a comment only', async () => {
  const { open } = await asked('plan');
  const draft = { text: ' look ', severity: 'high', priority: '' };
  expect(written(open, { ...draft, type: 'comment' })).toMatchObject({
    feedback: { content: 'look', metadata: { severity: 'high' } },
  });
  expect(written(open, { ...draft, type: 'instruction' })).not.toHaveProperty('feedback.metadata');
});

it('sends a token with an approval only', async () => {
  const { open } = await asked('approval');
  expect(written(open, { type: 'approve', token: ' a.b.c ' })).toMatchObject({ approval: 'a.b.c' });
  expect(written(open, { type: 'reject', token: 'a.b.c' })).not.toHaveProperty('approval');
});

it('sends nothing without a choice', async () => {
  const { open } = await asked('plan');
  expect(written(open, {})).toEqual({ missing: 'Choose an answer.' });
  expect(proposalOf(open)).toMatchObject({ calls: [{ tool: 'read' }] });
});
