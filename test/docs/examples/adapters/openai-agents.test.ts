import { expect, it } from 'vitest';
import { run } from '../run.ts';

it('guards an OpenAI agent against a claimed payment and an edited state, and pays after a person’s approval', async () => {
  const { stdout, stderr, code } = await run('adapters/openai-agents.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "paused
    it was sent back for EVIDENCE_MISSING
    refund waits: Call refund with order "o-7", cents 1200.
    paused
    kept run is not read: its seal is invalid; accepted: what was sealed under this key, unchanged
    the till pays 1200 cents for o-7
    delivered { text: 'I paid back 1200 cents.' }
    delivered { text: 'I paid back 1200 cents.' }
    "
  `);
});
