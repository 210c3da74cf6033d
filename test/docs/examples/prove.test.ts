import { expect, it } from 'vitest';
import { run } from './run.ts';

it('finds a fault in a chart of your own by a shortest run', async () => {
  const { stdout, stderr, code } = await run('prove.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatchInlineSnapshot(`
    "a paid invoice stays paid: broken
      1. approve
         open -> approved
      2. pay
         approved -> paid
      3. remind
         paid -> open
    "
  `);
});
