import { describe, expect, it } from 'vitest';
import type { Submission } from '../../../../src/core/shell/submission.ts';
import { scene } from './scene.ts';
import { draft, identity } from './scripted.ts';

describe('a request with members that are undefined', () => {
  it('is read without them, as a caller without exact types passes it', async () => {
    const { orchestrator } = scene({ model: [draft()] });
    const given: unknown = {
      taskClass: 'work',
      payload: {},
      mandate: undefined,
      threadId: undefined,
      identity: { ...identity, user_id: undefined },
    };
    const { taskId } = await orchestrator.submit(given as Submission);
    const [{ brought } = {}] = await orchestrator.ledger(taskId);
    expect(brought?.request?.identity).toEqual(identity);
    expect(brought?.request).not.toHaveProperty('mandate');
  });

  it.each([
    ['identity', { identity: undefined }, '"/identity" must be an object, but is missing'],
    ['a value of the payload', { payload: { a: undefined } }, 'it is of type undefined'],
  ])('is refused without %s', async (_, more, words) => {
    const { orchestrator } = scene({ model: [draft()] });
    const given: unknown = { taskClass: 'work', payload: {}, identity, ...more };
    await expect(orchestrator.submit(given as Submission)).rejects.toThrow(words);
    expect(await orchestrator.list()).toEqual([]);
  });
});
