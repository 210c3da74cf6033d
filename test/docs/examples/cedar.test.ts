import { expect, it } from 'vitest';
import { run } from './run.ts';

it('asks Cedar about writes: one is allowed, one needs a person, one is denied', async () => {
  const { stdout, stderr, code } = await run('cedar.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "20: allow, a small refund, by an agent that the host vouches for -> success
    200: needs_review, above 50.00 a person decides -> success
    2000: deny, no refund above 1000.00 -> uncertain
    "
  `);
});
