import { expect, it } from 'vitest';
import { run } from '../run.ts';

it('guards an AI SDK agent against a claimed payment and a forged answer, and pays after a person’s approval', async () => {
  const { stdout, stderr, code } = await run('adapters/ai-sdk.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "paused
    it was told: requires a result of tool refund before delivery
    kept is not read: its seal is invalid; accepted: \`kept\` of the last stop, unchanged, with the key that sealed it
    approval: Call refund with order "o-7", cents 1200.
    the till pays 1200 cents for o-7
    delivered { text: 'I paid back 1200 cents.' }
    delivered { text: 'I paid back 1200 cents.' }
    "
  `);
});
