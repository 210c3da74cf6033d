import { describe, expect, it, onTestFinished } from 'vitest';
import { createGuard } from '../../src/guard/index.ts';
import {
  createOrchestrator,
  defineTaskClass,
  defineTool,
  defineVerifier,
  isCharterError,
} from '../../src/index.ts';
import * as ledger from '../../src/core/ledger/index.ts';
import * as lineage from '../../src/optional/lineage/index.ts';
import { memoryStore } from '../../src/stores/memory.ts';
import { postgresStore } from '../../src/stores/postgres.ts';
import { sqliteStore } from '../../src/stores/sqlite.ts';
import { identity, scriptedModel } from './core/shell/scripted.ts';
import { newFile } from './stores/folder.ts';

/** Values that a caller without a compiler passes. */
const values: Readonly<Record<string, unknown>> = {
  undefined: undefined,
  null: null,
  '{}': {},
  'an object without a prototype': Object.create(null),
  '[]': [],
  '[{}]': [{}],
  '1': 1,
  NaN: Number.NaN,
  "''": '',
  true: true,
  'a symbol': Symbol('s'),
  'a function': () => {},
};

type Method = (...given: readonly unknown[]) => unknown;

const id = '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e10';

/** Waits no longer than a moment: a call that its types allow may wait for a person. */
const briefly = (work: unknown): Promise<unknown> =>
  Promise.race([work, new Promise((resolve) => setTimeout(resolve, 50))]);

/** Calls a method with each value in all places, and in each place behind texts; returns the errors that are not typed. */
const untypedErrors = async (method: Method, places = 3): Promise<readonly string[]> => {
  const errors: string[] = [];
  for (const [name, value] of Object.entries(values))
    for (let at = -1; at < places; at += 1)
      try {
        const given =
          at === -1 ? Array<unknown>(places).fill(value) : [...Array<unknown>(at).fill(id), value];
        await briefly(method(...given));
      } catch (error) {
        if (!isCharterError(error)) errors.push(`${name} at ${at}: ${String(error)}`);
      }
  return errors;
};

const methodsOf = (of: object): Readonly<Record<string, Method>> =>
  Object.fromEntries(
    Object.entries(of).filter(([name, one]) => typeof one === 'function' && name !== 'close'),
  );

const { model } = scriptedModel([]);
const taskClasses = [defineTaskClass({ id: 'work', tools: [] })];

describe.each([
  ['memory', () => memoryStore()],
  ['SQLite', () => sqliteStore(newFile())],
] as const)('wrong types, on a store in %s', (_, open) => {
  const started = async () => {
    const guard = createGuard({ taskClasses, tools: [], store: open() });
    onTestFinished(() => guard.close());
    const run = await guard.begin({ taskClass: 'work', payload: {}, identity });
    return { guard, run };
  };

  it('meet typed errors in each method of an orchestrator', async () => {
    const orchestrator = createOrchestrator({ taskClasses, tools: [], model, store: open() });
    onTestFinished(() => orchestrator.close());
    const methods = methodsOf(orchestrator);
    expect(Object.keys(methods).length).toBeGreaterThan(18);
    for (const [name, method] of Object.entries(methods))
      expect({ name, errors: await untypedErrors(method) }).toEqual({ name, errors: [] });
  });

  it('meet typed errors in each method of a guard and of a run', async () => {
    const { guard, run } = await started();
    for (const name of ['begin', 'resume'] as const)
      expect({ name, errors: await untypedErrors(guard[name] as Method) }).toEqual({ name, errors: [] });
    for (const name of [
      'propose',
      'call',
      'declare',
      'isProposed',
      'show',
      'saveState',
      'savedState',
      'attend',
      'progress',
      'questions',
      'conclude',
    ] as const) {
      const errors = await untypedErrors((...given) => (run[name] as Method).call(run, ...given));
      expect({ name, errors }).toEqual({ name, errors: [] });
    }
  });
});

describe('wrong types', () => {
  it.each(
    Object.entries({
      ...methodsOf(ledger),
      'fromJsonLines of lineage': lineage.fromJsonLines,
      'toJsonLines of lineage': lineage.toJsonLines,
      createOrchestrator,
      createGuard,
      defineTaskClass,
      defineTool,
      defineVerifier,
      sqliteStore,
      postgresStore,
    }),
  )('meet typed errors in %s', async (_, method) => {
    expect(await untypedErrors(method as Method)).toEqual([]);
  });

  const connectionString = 'postgres://a@b/c';
  it.each<[string, Method]>([
    ...['schema', 'connectionString', 'pool', 'lease', 'poll', 'other'].map((name): [string, Method] => [
      `postgresStore, ${name}`,
      (value) => postgresStore({ connectionString, [name]: value }),
    ]),
    ...['poll', 'timeout', 'other'].map((name): [string, Method] => [
      `sqliteStore, ${name}`,
      (value) => sqliteStore('none.db', { [name]: value }),
    ]),
    ...['head', 'records', 'key', 'timestamp'].map((name): [string, Method] => [
      `signCheckpoint, ${name}`,
      (value) => ledger.signCheckpoint({ records: [], key: {}, timestamp: '', [name]: value }),
    ]),
    ...['checkpoint', 'keys', 'emissions'].map((name): [string, Method] => [
      `verifyLedger, ${name}`,
      (value) => ledger.verifyLedger([], { [name]: value }),
    ]),
    ['replay, emissions', (value) => ledger.replay([], { emissions: value } as never)],
  ])('meet typed errors in an option: %s', async (_, method) => {
    expect(await untypedErrors(method, 1)).toEqual([]);
  });

  it('are named, with what is accepted', async () => {
    const orchestrator = createOrchestrator({ taskClasses, tools: [], model });
    onTestFinished(() => orchestrator.close());
    await expect(orchestrator.task({} as never)).rejects.toMatchObject({
      code: 'document_invalid',
      message: expect.stringMatching(
        /^task\(\) is not valid: .*taskId.* expected a text, not a value of type object$/,
      ),
    });
    const request = { taskClass: 'work', payload: {}, identity } as const;
    await expect(orchestrator.submit(request, 'order-7' as never)).rejects.toMatchObject({
      code: 'document_invalid',
      message: expect.stringMatching(
        /^submit\(\) is not valid: .*expected options such as \{ key: 'order-7' \}, not a value of type string$/,
      ),
    });
  });
});
