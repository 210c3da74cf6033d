import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { builtPackage } from '../../built.ts';
import { quiet } from '../../quiet.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a program of docs/examples as a reader would, against a build of today's sources. */
export const run = async (program: string, args: readonly string[] = []): Promise<Ran> => {
  const { compile } = await builtPackage();
  const file = await compile(`docs/examples/${program}`);
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [...quiet, file, ...args], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, stdout, stderr }));
  });
};
