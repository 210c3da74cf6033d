import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createOrchestrator } from '../../../../src/index.ts';
import { run } from '../../../../src/apps/cli/run.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { call, wordsOf } from './call.ts';
import { folder, options, removeFolders } from './folder.ts';

afterAll(removeFolders);

/** A person at a terminal: what a line that they type makes the command print, and what it told them. */
interface Typing {
  readonly type: (text: string) => Promise<string>;
  readonly told: () => string;
}

/** Serves until what is done with the address that it printed is over. */
const serving = async (
  line: string,
  cwd: string,
  work: (url: string, terminal: Typing) => Promise<void>,
  isTTY = false,
): Promise<number> => {
  const leave = new AbortController();
  const stream = () => Object.assign(new PassThrough(), { isTTY });
  const [stdin, stdout, stderr] = [stream(), stream(), stream()];
  let told = '';
  stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  const type = async (text: string): Promise<string> => {
    const next = once(stdout, 'data');
    stdin.write(text);
    return String((await next)[0]).trim();
  };
  const ended = run(wordsOf(line), {
    stdin,
    stdout,
    stderr,
    env: {},
    cwd,
    interrupted: () => leave.signal,
  });
  const [chunk] = (await Promise.race([once(stdout, 'data'), ended.then(() => ['nothing'])])) as [unknown];
  try {
    await work(String(chunk).trim(), { type, told: () => told });
  } finally {
    leave.abort();
  }
  return ended;
};

const opened = async (url: string): Promise<string> => {
  const answer = await fetch(url, { redirect: 'manual' });
  return answer.headers.get('set-cookie')?.split(';')[0] ?? '';
};

const message = '01936d5e-0000-7000-8000-000000000007';

const approve = async (url: string): Promise<number> => {
  const headers = {
    cookie: await opened(url),
    origin: new URL(url).origin,
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ feedback: { type: 'approve', target: message }, key: randomUUID() });
  return (await fetch(new URL('/api/respond', url), { method: 'POST', headers, body })).status;
};

/** Presses Enter twice: each of the three links works once. */
const pressesEnter = async (url: string, { type, told }: Typing): Promise<void> => {
  const links = [url, await type('\n'), await type('\n')];
  expect(new Set(links).size).toBe(3);
  for (const link of links) expect(await opened(link)).not.toBe('');
  for (const link of links) expect((await fetch(link)).status).toBe(403);
  expect(told()).toContain('The link works once. Press Enter for a new one.');
};

describe('console', () => {
  it('serves a store to a browser with the link, and stops on an interrupt', async () => {
    const cwd = await folder();
    const code = await serving('console --store tasks.db', cwd, async (url) => {
      expect(new URL(url).hostname).toBe('127.0.0.1');
      const cookie = await opened(url);
      const tasks = await fetch(new URL('/api/tasks', url), { headers: { cookie } });
      expect(await tasks.text()).toContain('01936d5e-0000-7000-8000-000000000002');
      expect((await fetch(new URL('/api/tasks', url))).status).toBe(403);
    });
    expect(code).toBe(0);
  });

  it('prints a new link each time the person at the terminal presses Enter', async () => {
    const cwd = await folder();
    const line = 'console --store tasks.db';
    expect(await serving(line, cwd, pressesEnter, true)).toBe(0);
    const piped = await serving(line, cwd, async (url, { told }) => {
      expect(await opened(url)).not.toBe('');
      expect(told()).toContain('The link works once. Run the command again for a new one.');
    });
    expect(piped).toBe(0);
  });

  it('is read-only without --as, and answers in that name with it', async () => {
    const cwd = await folder();
    const notice = 'It is read-only. To answer questions, add --config MODULE --as IDENTITY.';
    await serving('console --store tasks.db', cwd, async (url, { told }) => {
      expect(await approve(url)).toBe(403);
      expect(told()).toContain(notice);
    });
    await serving('console --store tasks.db --config charter.js --as dana', cwd, async (url, { told }) => {
      expect(await approve(url)).toBe(200);
      expect(told()).not.toContain('read-only');
    });
    const records = await call(`ledger show 01936d5e-0000-7000-8000-000000000002 --store tasks.db`, { cwd });
    expect(records.stdout).toContain('human dana: human.responded');
    expect((await call('console --store tasks.db --as dana', { cwd })).code).toBe(2);
  });
});

describe('inspect', () => {
  it('shows the live changes of another process', async () => {
    const cwd = await folder();
    await serving('inspect --store tasks.db --offline', cwd, async (url) => {
      const stream = await fetch(new URL('/events', url), {
        headers: { cookie: await opened(url) },
      });
      expect(stream.status).toBe(200);
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
      const until = async (text: string): Promise<void> => {
        for (let seen = ''; !seen.includes(text);) {
          const part = await reader?.read();
          if (part?.done !== false) throw new Error(`the stream ended before ${text}: ${seen}`);
          seen += part.value;
        }
      };
      await until('needsHumanDecision');
      await using owner = createOrchestrator({ ...options(), store: sqliteStore(join(cwd, 'tasks.db')) });
      await owner.recover();
      await owner.respond({ type: 'approve', target: message }, { by: 'dana' });
      await until('completed');
      await reader?.cancel();
    });
  });

  it('shows the settled tasks of a store', async () => {
    const cwd = await folder();
    await using owner = createOrchestrator({ ...options(), store: sqliteStore(join(cwd, 'tasks.db')) });
    await owner.recover();
    await owner.respond({ type: 'approve', target: message }, { by: 'dana' });
    await owner.settled('01936d5e-0000-7000-8000-000000000002');
    expect(await owner.list({ isSettled: false })).toEqual([]);
    await serving('inspect --store tasks.db --offline', cwd, async (url) => {
      const stream = await fetch(new URL('/events', url), { headers: { cookie: await opened(url) } });
      const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
      let seen = '';
      while (!seen.includes('event: unshown')) seen += (await reader?.read())?.value ?? '';
      const actor = /"name":"letter 01936d5e-0000-7000-8000-000000000002".*"value":{"completed":"settled"}/;
      expect(actor.test(seen)).toBe(true);
      await reader?.cancel();
    });
  });

  it('refuses an invalid port', async () => {
    expect((await call('inspect --store tasks.db --port many', { cwd: await folder() })).code).toBe(2);
  });
});
