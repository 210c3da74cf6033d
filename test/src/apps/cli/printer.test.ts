import { PassThrough } from 'node:stream';
import { assert, jsonValue, property, string } from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { createOrchestrator } from '../../../../src/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { bad, Printer } from '../../../../src/apps/cli/printer.ts';
import { oneLine, visibleJson } from '../../../../src/base/text/foreign-text.ts';
import { call } from './call.ts';
import { folder, identity, options, removeFolders } from './folder.ts';

afterAll(removeFolders);

const steering = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u;
const anyText = string({ unit: 'binary' });

/** What would set a title, clear the screen, turn the line round, begin a sequence in one character. */
const hostile = '\u001b]0;owned\u0007\u001b[2J\u202eevil\u009b31m\u2028\u007f\r';

describe('Printed text from outside', () => {
  it('escapes everything that could control a terminal, and keeps the rest', () => {
    assert(property(anyText, (text) => !steering.test(oneLine(text))));
    expect(oneLine('Größe 東京 👍 \\n')).toBe('Größe 東京 👍 \\n');
    expect(oneLine('a\u001b[2Jb\nc')).toBe('a\\u001b[2Jb\\u000ac');
  });

  it('escapes JSON without changing its value', () => {
    assert(
      property(jsonValue(), anyText, (value, text) => {
        const all = { value, text };
        expect(visibleJson(all)).not.toMatch(steering);
        expect(JSON.parse(visibleJson(all))).toEqual(JSON.parse(JSON.stringify(all)));
      }),
    );
  });

  it('is escaped wherever a store or a ledger is printed', async () => {
    const cwd = await folder();
    const store = `${cwd}/hostile.db`;
    const output = { canProceed: true, confidence: 0.2, explanation: hostile, calls: [] };
    {
      await using orchestrator = createOrchestrator({
        ...options(),
        model: { answer: async () => output },
        store: sqliteStore(store),
      });
      const asked = new Promise((resolve) => orchestrator.on('question', resolve));
      const request = {
        taskClass: 'letter',
        payload: { [hostile]: hostile },
        explanation: hostile,
        identity,
      };
      await orchestrator.submit(request);
      await asked;
    }
    const { tasks } = JSON.parse((await call('tasks --json --store hostile.db', { cwd })).stdout) as {
      tasks: { taskId: string }[];
    };
    const taskId = tasks[0]?.taskId ?? '';
    let seen = 0;
    for (const line of [
      'tasks',
      'inbox',
      `thread ${taskId}`,
      `ledger show ${taskId}`,
      `ledger export ${taskId}`,
    ]) {
      for (const json of line.startsWith('ledger export') ? [''] : ['', ' --json']) {
        const { code, stdout, stderr } = await call(`${line} --store hostile.db${json}`, { cwd });
        expect(code).toBe(0);
        expect((stdout + stderr).replaceAll('\n', '')).not.toMatch(steering);
        seen += stdout.includes('\\u001b]0;owned') ? 1 : 0;
      }
    }
    expect(seen).toBe(6); // `tasks`, and `ledger show` in lines, show none of it
  });

  it('is escaped in an error message', async () => {
    for (const words of [
      [hostile],
      ['tasks', `--${hostile}`],
      ['tasks', '--store', hostile],
      ['check', hostile],
    ]) {
      const { code, stderr } = await call(words);
      expect(code).toBe(2);
      expect(stderr.replaceAll('\n', '')).not.toMatch(steering);
    }
  });
});

const printed = async (isTTY: boolean, isColoured: boolean): Promise<string> => {
  const stream = Object.assign(new PassThrough(), { isTTY });
  const printer = new Printer(stream, isColoured);
  await printer.line('a ', bad('b\u001b'));
  stream.end();
  return (await stream.toArray()).join('');
};

describe('A printer', () => {
  it('colours only on a terminal, after escaping', async () => {
    expect(await printed(true, true)).toBe('a \u001b[31mb\\u001b\u001b[0m\n');
    expect(await printed(false, true)).toBe('a b\\u001b\n');
    expect(await printed(true, false)).toBe('a b\\u001b\n');
  });

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('omits colours when the terminal says %o', async (env) => {
    const { stderr } = await call('nothing', { isTerminal: true, env });
    expect(stderr).not.toContain('\u001b');
    expect((await call('nothing', { isTerminal: true })).stderr).toContain('\u001b[31m');
  });

  it('waits for a slow reader, and not for a closed one', async () => {
    const slow = new PassThrough({ highWaterMark: 1 });
    const printer = new Printer(slow, false);
    const written = printer.line('much');
    expect(await Promise.race([written, Promise.resolve('waits')])).toBe('waits');
    slow.destroy();
    await written;
    await printer.line('more');
    expect(printer.isClosed).toBe(true);
    expect(printer.failure).toBe(null);
  });

  it('reports a full disk, and ignores a closed pipe', () => {
    for (const [code, message] of [
      ['EPIPE', undefined],
      ['ENOSPC', 'no space'],
    ] as const) {
      const stream = new PassThrough();
      const printer = new Printer(stream, false);
      stream.destroy(Object.assign(new Error('no space'), { code }));
      stream.once('close', () => expect(printer.failure?.message).toBe(message));
    }
  });
});
