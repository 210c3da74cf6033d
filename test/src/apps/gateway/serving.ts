import { spawn } from 'node:child_process';
import { expect, onTestFinished } from 'vitest';
import { charter, program } from './stand.ts';

/** A file with two clients of HTTP. */
export const withClients = `${charter}
clients:
  - { name: desk, token: "\${DESK_TOKEN}" }
  - { name: reader, token: "\${READER_TOKEN}", tools: [shop.find_order] }
`;

export const tokens = { DESK_TOKEN: 'a-token-of-the-desk', READER_TOKEN: 'a-token-of-the-reader' };

/** Serves a folder over HTTP until the test ends. */
export const serving = async (folder: string, env: Readonly<Record<string, string>>) => {
  const child = spawn(process.execPath, [await program(), 'gateway', 'charter.yaml', '--http', '0'], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, said] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
  onTestFinished(() => void child.kill('SIGKILL'));
  await expect.poll(() => said).toContain('/mcp');
  const url = /connect to (\S+)/.exec(said)?.[1] ?? '';
  const stop = async () => {
    child.kill('SIGTERM');
    return { code: await ended, out };
  };
  return { url, said: () => said, stop };
};
