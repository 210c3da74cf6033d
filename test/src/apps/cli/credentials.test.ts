import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { withoutCredentials, withoutParts } from '../../../../src/base/boundary/credentials.ts';
import { Printer } from '../../../../src/apps/cli/printer.ts';
import { table } from '../../../../src/apps/cli/table.ts';
import { call } from './call.ts';

const secret = 's3cretpw';
const at = '127.0.0.1:1/db';

/** Each spelling of an address with a password, taken for one or not. */
const spellings: readonly string[] = [
  `postgres://app:${secret}@${at}`,
  `postgresql://app:${secret}@${at}`,
  `POSTGRES://app:${secret}@${at}`,
  ` postgres://app:${secret}@${at}`,
  `\tpostgres://app:${secret}@${at}`,
  `post\tgres://app:${secret}@${at}`,
  `postgres:/app:${secret}@${at}`,
  `postgres:app:${secret}@${at}`,
  `postgres:\\\\app:${secret}@${at}`,
  `postgres ://app:${secret}@${at}`,
  `"postgres://app:${secret}@${at}`,
  `postgres://app:${secret}@[::1/db`,
  `postgres://app:${secret}%ZZ@${at}`,
  `postgres://app:a@b/${secret}@${at}`,
  `postgres://app:two ${secret}@${at}`,
  `postgres://app%3A${secret}@${at}`,
  `postgres%3A//app%3A${secret}%40${at}`,
  `postgres：//app：${secret}＠${at}`,
  `postgres://app:${secret}@${at}?schema=A-B`,
  `postgres://app:${secret}@127.0.0.1:99999/db`,
  `postgres://${at}?user=app&password=${secret}`,
  `postgres://${at}?user=app&pass%77ord=${secret}`,
  `postgres://${at}?sslpassword=${secret}&schema=x`,
  `//app:${secret}@${at}`,
  `app:${secret}@${at}`,
  `mysql://app:${secret}@${at}`,
  `host=127.0.0.1 port=1 user=app password=${secret}`,
  `host=127.0.0.1 PASSWORD = '${secret} more' dbname=db`,
  `host=127.0.0.1 password=pass\\ ${secret} dbname=db`,
];

/** Addresses whose password has characters that the person should have encoded: a parser cuts it there. */
const cut = ['@b/', '/', '?', '#'].map((sign) => `postgres://app:12${sign}${secret}@${at}`);

/** The places of commands that read, and of words that are not expected. */
const reading: Readonly<Record<string, (text: string) => readonly string[]>> = {
  'a store': (text) => ['tasks', '--store', text],
  'a store, in one word': (text) => ['tasks', `--store=${text}`],
  'a store to copy': (text) => ['store', 'copy', text, 'none.db'],
  'a store to check': (text) => ['upgrade', '--check', text],
  'a ledger': (text) => ['ledger', 'verify', text],
  'a document': (text) => ['schema', 'check', 'UpFormatMessage', text],
  'a module': (text) => ['run', text],
  'a choice': (text) => ['completion', text],
  'one word more': (text) => ['tasks', text],
  'a command': (text) => [text],
  'a flag': (text) => ['tasks', `--${text}`],
};

/** The places of every command for a store, a file, a module, a folder or a word. */
const places = table.flatMap(({ name, args, flags }) => {
  const words = name.split(' ');
  const fill = Object.keys(args).map(() => 'x');
  return [
    ...Object.keys(args).map((_, index) => [...words, ...fill.with(index, '')]),
    ...Object.entries(flags).flatMap(([flag, { value = '' }]) =>
      ['STORE', 'FILE', 'MODULE', 'DIR'].includes(value) ? [[...words, ...fill, `--${flag}`, '']] : [],
    ),
  ];
});

describe('The command line', () => {
  it.each([...spellings, ...cut])('prints no password of %j', async (text) => {
    for (const [place, line] of Object.entries(reading)) {
      const { code, stdout, stderr } = await call(line(text));
      expect({ place, code, out: stdout + stderr }).toEqual({
        place,
        code: 2,
        out: expect.not.stringContaining(secret),
      });
    }
  });

  it('prints none in any place of any command', async () => {
    expect(places.length).toBeGreaterThan(20);
    for (const place of places) {
      const words = place.map((word) => (word === '' ? `postgres:/app:${secret}@${at}` : word));
      const { code, stdout, stderr } = await call(words, { interruptAfter: 1 });
      expect({ place, code, out: stdout + stderr }).toEqual({
        place,
        code: 2,
        out: expect.not.stringContaining(secret),
      });
    }
  });

  it.each([
    [
      `tasks --store postgres:/app:${secret}@${at}`,
      `postgres:/app:***@${at}: expected a file, or for a store`,
    ],
    [
      `ledger verify POSTGRES://app:${secret}@${at}`,
      `POSTGRES://app:***@${at}: expected a file, or for a store`,
    ],
    [`tasks --store app:${secret}@${at}`, `--store app:***@${at}: there is no such file`],
    [`tasks --store postgres:/app@${at}`, `postgres:/app@${at}: expected a file`],
  ])('says what is wrong with an address, without its password: %s', async (line, message) => {
    expect(await call(line)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
  });

  it.each(cut)('says what to encode in a password that its address cuts: %j', async (text) => {
    expect(await call(['tasks', '--store', text])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/connectionString .*encode .*%40/u),
    });
  });

  it('takes a scheme in capitals for an address', async () => {
    expect(await call(`tasks --store POSTGRES://app:${secret}@${at}`)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('it cannot be reached'),
    });
  });

  it.each([
    'tasks.db',
    'C:\\data\\tasks.db',
    './a@b.db',
    'postgres://app@host/db?schema=x',
    'a=b.db',
    '100%.db',
  ])('prints a name without credentials as it is: %s', (text) => expect(withoutCredentials(text)).toBe(text));
});

it('are taken out of the texts of JSON, which stays JSON', async () => {
  const printed: string[] = [];
  const stream = new Writable({ write: (chunk, _, done) => (printed.push(String(chunk)), done()) });
  const printer = new Printer(stream, false, (text) => withoutParts(text, ['"', '1'], '***'));
  await printer.json({ at: 11, said: 'a "1"', list: ['"'] });
  expect(JSON.parse(printed.join(''))).toEqual({ at: 11, said: 'a *********', list: ['***'] });
});

it('are taken out as they are, whatever stands in their place', () => {
  expect(withoutParts('a secret', ['secret'], '$&')).toBe('a $&');
});
