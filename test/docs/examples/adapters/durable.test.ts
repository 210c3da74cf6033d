import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { run } from '../run.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

/** Runs a program until its first line, and kills it there. */
const killedAtFirstLine = async (program: string, file: string): Promise<string> => {
  const child = spawn(process.execPath, ['--import', 'tsx', `docs/examples/${program}`, file], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, TSX_TSCONFIG_PATH: 'test/tsconfig.json' },
  });
  const ended = once(child, 'exit');
  try {
    for await (const line of createInterface(child.stdout)) return line;
    throw new Error(`it ended before its first line: ${JSON.stringify(await ended)}`);
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
};

describe.each(['ai-sdk', 'langchain', 'openai-agents'])('the durable agent of %s', (name) => {
  it('goes on in another process after it was killed, and pays once', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'durable-'));
    try {
      const [program, file] = [`adapters/durable/${name}.ts`, join(directory, 'refunds.db')];
      expect(await killedAtFirstLine(program, file)).toMatch(
        /^A person must approve: (Refund 180 EUR for order o-7|Call refund with .*)\.$/,
      );
      expect(await run(program, [file])).toEqual({
        code: 0,
        stderr: '',
        stdout: "180 EUR paid back for o-7\ncompleted { text: 'I paid back 180 EUR.' }\n",
      });
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
