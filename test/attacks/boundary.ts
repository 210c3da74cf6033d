import { expect } from 'vitest';
import { EvidenceObject } from '../../schema/index.ts';
import { parseDocument } from '../../src/base/boundary/parse-document.ts';
import { readJson } from '../../src/base/boundary/read-json.ts';
import { isCharterError } from '../../src/index.ts';
import { fromJsonLines, toJsonLines } from '../../src/core/ledger/index.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, identity, plan, readTool } from '../src/core/shell/scripted.ts';
import { errorOf, failedSafe, replaced, sentBack, stopped, unmoved, type Attack } from './attack.ts';
import { bank, signed } from './bank.ts';
import { forgery } from './tokens.ts';

const polluting = (): unknown => JSON.parse('{"__proto__":{"isAdmin":true}}');

/** Where values come in that are no bytes. */
const doors: Readonly<Record<string, (value: unknown) => Promise<unknown>>> = {
  'a request': async (value) => {
    const one = scene();
    const stop = await stopped(() => one.submit({ value }));
    expect(await one.orchestrator.list()).toEqual([]);
    return stop;
  },
  feedback: async (value) => {
    const one = bank();
    await one.submit();
    const stop = await unmoved(one, () => one.answer('comment', { value }));
    expect(one.paid).toEqual([]);
    return stop;
  },
  'the answer of a dependency': async (value) => {
    const one = scene({
      model: [plan([call('read')]), draft()],
      tools: [
        readTool('read', {
          call: (_, { met, notYet }) => met ?? notYet({ explanation: '', dependency: 'd' }),
        }),
      ],
    });
    const taskId = await one.submit();
    return unmoved(one, () => one.orchestrator.resolve(taskId, 'd', value, { by: 'kim' }));
  },
  'the result of a tool': async (value) => {
    const one = scene({
      model: [plan([call('read')]), draft()],
      tools: [readTool('read', { call: () => value })],
    });
    return replaced(one, await one.submit());
  },
};

/** What is read once from the result of a tool, as JSON reads it. */
const converted = ['toJSON', 'a value of a class', 'a date', 'a getter', 'a proxy'];

/** What is no plain data is refused at every door; in a result it is replaced by what it was, and the host is told. */
const refused = (number: number, attempt: string, make: () => unknown, source: string): readonly Attack[] =>
  Object.entries(doors)
    .filter(([door]) => door !== 'the result of a tool' || !converted.includes(attempt))
    .map(([door, enter]) => ({
      number,
      attempt: `${attempt}, in ${door}`,
      expected: door === 'the result of a tool' ? ('value_not_json' as const) : ('input_unreadable' as const),
      source,
      run: () => enter(make()),
    }));

const inOutput = (number: number, attempt: string, output: () => unknown, source: string): Attack => ({
  number,
  attempt,
  expected: 'output.rejected',
  source,
  run: async () => {
    const one = scene({ model: [output()], taskClass: { limits: { corrections: 0, revisions: 0 } } });
    return sentBack(one, await one.submit());
  },
});

const prototypes: readonly Attack[] = [
  ...refused(22, 'a key __proto__', polluting, 'CWE-1321'),
  inOutput(
    22,
    'an own key __proto__ in a plan',
    () => Object.defineProperty(plan(), '__proto__', { value: { calls: [] }, enumerable: true }),
    'CWE-1321',
  ),
  {
    number: 22,
    attempt: 'a key __proto__ in bytes',
    expected: 'input_unreadable',
    source: 'CWE-1321',
    run: () => stopped(() => readJson('message', '{"a":{"__proto__":{"isAdmin":true}}}')),
  },
  ...['__proto__', 'constructor', 'toString'].map((name): Attack => ({
    number: 22,
    attempt: `an unawaited dependency, called ${name}`,
    expected: 'fact_refused',
    source: 'CWE-1321',
    run: async () => {
      const one = bank();
      const taskId = await one.submit();
      return unmoved(one, () => one.orchestrator.resolve(taskId, name, {}, { by: 'kim' }));
    },
  })),
  {
    number: 22,
    attempt: 'a task class called constructor',
    expected: 'not_found',
    source: 'CWE-1321',
    run: async () => {
      const one = scene();
      const request = { taskClass: 'constructor', payload: {}, identity };
      return unmoved(one, () => one.orchestrator.submit(request));
    },
  },
];

const deep = (levels: number): unknown => {
  let value: unknown = {};
  for (let level = 0; level < levels; level += 1) value = { a: value };
  return value;
};

const inBytes = (
  number: number,
  attempt: string,
  text: () => string | Uint8Array,
  source: string,
): Attack => ({
  number,
  attempt,
  expected: 'input_unreadable',
  source,
  run: () => stopped(() => readJson('message', text())),
});

const sizes: readonly Attack[] = [
  inBytes(23, 'a megabyte and one byte', () => `"${'a'.repeat(1_048_575)}"`, 'CWE-770'),
  inBytes(23, 'sixty-five levels', () => '['.repeat(65) + ']'.repeat(65), 'CWE-674'),
  inBytes(23, 'half a million levels', () => '['.repeat(500_000) + ']'.repeat(500_000), 'CWE-674'),
  inBytes(
    23,
    'ten thousand keys and one',
    () => JSON.stringify(Object.fromEntries(Array.from({ length: 10_001 }, (_, n) => [n, 0]))),
    'CWE-770',
  ),
  inBytes(23, 'an open bracket, half a million times', () => '['.repeat(500_000), 'CWE-674'),
  {
    number: 23,
    attempt: 'a flood of a hundred thousand faults',
    expected: 'document_invalid',
    source: 'CWE-770',
    run: async () => {
      const rows = Array.from({ length: 100_000 }, () => ({ evidence_id: 0 }));
      const error = await errorOf(() => parseDocument('rows', EvidenceObject.array(), rows));
      expect(isCharterError(error, 'document_invalid') && error.details.issues.length).toBe(1_000);
      expect(error.message.length).toBeLessThan(1_000);
      return error.code;
    },
  },
  inOutput(
    23,
    'a plan of a hundred thousand levels',
    () => plan([call('read', { x: deep(100_000) })]),
    'CWE-674',
  ),
  inOutput(
    23,
    'a plan of three megabytes',
    () => plan([], { explanation: 'a'.repeat(3_000_000) }),
    'CWE-770',
  ),
  ...refused(23, 'ten thousand levels', () => deep(10_000), 'CWE-674'),
  ...refused(23, 'a hundred levels', () => deep(100), 'CWE-674'),
  ...refused(23, 'seventeen megabytes', () => ({ text: 'a'.repeat(17_000_000) }), 'CWE-770'),
  forgery(
    23,
    'a token of nine kilobytes',
    'APPROVAL_MALFORMED',
    (one) => signed(one, { note: 'a'.repeat(9_000) }),
    'CWE-770',
  ),
];

const figures: readonly Attack[] = [
  ...refused(24, 'a number that is none', () => ({ n: Number.NaN }), 'RFC 7493, 2.2'),
  ...refused(24, 'an infinite number', () => ({ n: Number.NEGATIVE_INFINITY }), 'RFC 7493, 2.2'),
  ...refused(24, 'an integer that is not exact', () => ({ n: 2 ** 60 }), 'RFC 7493, 2.2'),
];

const twice: readonly Attack[] = [
  inBytes(25, 'a key that appears twice', () => '{"amount":1,"amount":999}', 'RFC 7493, 2.3'),
  inBytes(
    25,
    'a key that appears twice, once escaped',
    () => '{"amount":1,"\\u0061mount":999}',
    'RFC 7493, 2.3',
  ),
  {
    number: 25,
    attempt: 'a record of a ledger that says one thing twice',
    expected: 'input_unreadable',
    source: 'RFC 7493, 2.3',
    run: async () => {
      const one = scene();
      const text = toJsonLines(await one.orchestrator.ledger(await one.submit()));
      expect(fromJsonLines(text).length).toBeGreaterThan(3);
      return stopped(() => fromJsonLines(text.replace('"outcome":', '"outcome":"success","outcome":')));
    },
  },
];

/** A getter, a proxy, `toJSON`: shows one value to whoever checks, and another to whoever uses. */
const changing = (): readonly (readonly [string, () => unknown])[] => [
  [
    'a getter',
    () => {
      let asked = 0;
      return Object.defineProperty({}, 'amount', { get: () => (asked++ === 0 ? 1 : 999), enumerable: true });
    },
  ],
  ['a proxy', () => new Proxy({ amount: 1 }, { get: () => 999 })],
  [
    'a value of a class',
    () =>
      new (class Amount {
        readonly amount = 1;
      })(),
  ],
  ['toJSON', () => ({ amount: 1, toJSON: () => ({ amount: 999 }) })],
  ['a date', () => ({ at: new Date(0) })],
  [
    'a cycle',
    () => {
      const value: Record<string, unknown> = {};
      value['self'] = value;
      return value;
    },
  ],
];

const twoFaced: readonly Attack[] = [
  ...changing().flatMap(([name, make]) => refused(27, name, make, 'CWE-367')),
  ...changing().map(([name, make]) =>
    inOutput(27, `${name}, in a plan`, () => plan([{ tool: 'read', arguments: make() as never }]), 'CWE-367'),
  ),
  {
    number: 27,
    attempt: 'a request that is changed after it was submitted',
    expected: 'EVIDENCE_MISSING',
    source: 'CWE-367',
    run: async () => {
      const seen: unknown[] = [];
      const one = scene({
        model: (turn: { request: unknown; asks: string }) => {
          seen.push(turn.request);
          return turn.asks === 'plan' ? plan() : draft();
        },
        taskClass: { beforeDeliver: { evidence: [{ type: 'tool_result' }] }, limits: { repairs: 0 } },
      });
      const payload = { amount: 1 };
      const submitted = one.submit(payload);
      payload.amount = 999;
      const stop = await failedSafe(one, await submitted);
      expect(seen).toContainEqual({ amount: 1 });
      expect(JSON.stringify(seen)).not.toContain('999');
      return stop;
    },
  },
];

export const boundary = [prototypes, sizes, figures, twice, twoFaced].flat();
