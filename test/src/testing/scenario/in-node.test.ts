import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Returns what `node --test` prints for a file. */
const tested = (file: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const args = ['--import', 'tsx', '--test', '--test-reporter', 'tap', file];
    const { NODE_TEST_CONTEXT: _nested, ...env } = process.env;
    const child = spawn(process.execPath, args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...env, TSX_TSCONFIG_PATH: 'test/tsconfig.json' },
    });
    let printed = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (printed += text));
    child.on('error', reject);
    child.on('close', () => resolve(printed));
  });

it('shows the thread of a scenario that fails under node --test', async () => {
  const printed = await tested('test/src/testing/scenario/in-node.ts');
  expect(printed).toMatch(/^ok 1 - asks Dana before a refund$/m);
  expect(printed).toMatch(/^not ok 2 - delivers without asking$/m);
  expect(printed).toMatch(/^ok 3 - resumes the agent of a guard after Dana approves$/m);
  expect(printed).toContain('Expected the answer to be delivered.');
  expect(printed).toContain('Instead, a question (approval) about refund is open.');
  expect(printed).toMatch(/^ +8\. a person is asked about refund: Call refund with .*\.$/m);
});
