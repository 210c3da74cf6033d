import { expect, it } from 'vitest';
import { run } from './run.ts';

it('tests a charter by scenarios and proves its task class', async () => {
  const { stdout, stderr, code } = await run('testing.ts');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Instead, a question (approval) about refund is open.');
  expect(stdout).toContain('does not keep this: 2 different people approve every high-risk write');
});
