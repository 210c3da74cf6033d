import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

it('A scenario waits for no room: the first of a process reads arguments that their tool refuses', async () => {
  const env = { ...process.env, TSX_TSCONFIG_PATH: pathOf('../../../tsconfig.json') };
  const given = ['--import', 'tsx', pathOf('refused-arguments.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, given, { env });
  expect(stdout).toBe('{"seat":"a1"}\n');
});
