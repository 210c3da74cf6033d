import { expect, it } from 'vitest';
import { run } from './run.ts';

it('shows an actor and an orchestrator in a browser, and ends with them', async () => {
  const { stdout, stderr, code } = await run('inspect.ts');
  expect(stderr).toMatch(/^Open http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{32}\n$/);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'The task is completed.settled.\n' });
});
