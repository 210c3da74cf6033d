import { spawn } from 'node:child_process';
import { delimiter } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the client. */
export const client = fileURLToPath(new URL('../../../../../src/adapters/http/python', import.meta.url));

export interface RanPython {
  readonly code: number | null;
  /** The lines that it printed. */
  readonly lines: readonly string[];
  readonly stderr: string;
}

/** The environment of a program that imports the client and writes nothing beside it. */
export const pythonEnv = (...folders: readonly string[]): NodeJS.ProcessEnv => ({
  ...process.env,
  PYTHONPATH: [client, ...folders].join(delimiter),
  PYTHONDONTWRITEBYTECODE: '1',
  PYTHONUNBUFFERED: '1',
  no_proxy: '*',
});

/** Runs a program. Every warning is an error, such as that of a connection left open. */
export const runPython = (
  program: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = pythonEnv(),
): Promise<RanPython> =>
  new Promise((resolve, reject) => {
    const child = spawn('python3', ['-W', 'error', '-c', program, ...args], {
      env,
      timeout: 30_000, // a wait that does not end
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, lines: stdout.split('\n').slice(0, -1), stderr }));
  });
