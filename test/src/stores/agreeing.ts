import * as fc from 'fast-check';
import { expect } from 'vitest';
import { digest } from '../../../src/base/canonical/digest.ts';
import type { Store } from '../../../src/base/ports/store.ts';
import { memoryDatabase } from '../../../src/stores/memory/database.ts';
import { runs } from '../base/canonical/generated.ts';
import { deadlineOf, emissionOf, evidence, other, saying, stepOf } from './steps.ts';

const [tasks, keys, tokens, messages] = [
  ['a', 'b', 'c'],
  ['k', 'l', 'm'],
  ['t', 'u'],
  ['x', 'y'],
];
const documents = [evidence, other, ...messages.map((message) => saying(message).document)];

const some = <Thing>(things: readonly Thing[], maxLength = 2) =>
  fc.array(fc.constantFrom(...things), { maxLength });

const move = fc.record({
  connection: fc.nat({ max: 1 }),
  taskId: fc.constantFrom(...tasks),
  /** The distance of the sequence number from the next one. */
  off: fc.oneof({ weight: 12, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.constantFrom(-1, 1) }),
  erased: fc.option(fc.constantFrom(...documents), { freq: 2 }),
  key: fc.option(fc.constantFrom(...keys), { freq: 2 }),
  snapshot: fc.option(fc.string(), { freq: 6 }),
  emissions: some([emissionOf(evidence), emissionOf(other), ...messages.map((message) => saying(message))]),
  brought: fc.constantFrom({}, { evidence }, { payload: other, met: evidence }, { explanation: 'why' }),
  deadlines: some([deadlineOf('p', 1), deadlineOf('q', 2), deadlineOf('r', 2)], 3),
  intents: some([{ kind: 'call', key: 'k', tool: 'send' } as const]),
  consumedApprovals: some(tokens.flatMap((jti) => ['one', 'two'].map((action) => ({ jti, action })))),
  indexEntry: fc.record({
    threadId: fc.constantFrom('s', 't'),
    parent: fc.option(fc.constantFrom(...tasks)),
    isSettled: fc.boolean(),
    isOwed: fc.boolean(),
    asking: fc.nat({ max: 2 }),
    awaits: fc.nat({ max: 1 }),
    rank: fc.constantFrom('', 'r', 's'),
    chart: fc.constantFrom('', '1', '2'),
  }),
});

type Move = typeof move extends fc.Arbitrary<infer Shape> ? Shape : never;

const answerOf = async (stores: readonly Store[], { connection, off, erased, ...given }: Move) => {
  const store = stores[connection]!;
  const seq = Math.max(0, ((await store.load(given.taskId))?.records.length ?? 0) + off);
  const step = stepOf(seq, given);
  const answer = erased === null ? store.commit(step) : store.erase(step, digest(erased));
  return answer.catch((error: unknown) => (error instanceof TypeError ? 'refused' : String(error)));
};

const given = [undefined, true, false];
const filters = [
  ...tasks.flatMap((name) => [{ taskId: name }, { parent: name }, { within: name }]),
  ...['', '1'].flatMap((otherChart) => [{ otherChart }, { otherChart, isSettled: false }]),
  ...[true, false].map((isIdle) => ({ isIdle })),
  ...['s', 't'].map((threadId) => ({ threadId })),
  ...given.flatMap((isSettled) =>
    given.flatMap((isOwed) =>
      given.map((isAsking) => ({
        ...(isSettled !== undefined && { isSettled }),
        ...(isOwed !== undefined && { isOwed }),
        ...(isAsking !== undefined && { isAsking }),
      })),
    ),
  ),
];

/** Returns the page after each task that exists. */
const pagesOf = async (store: Store): Promise<unknown> => {
  const orders = ['began', 'newest', 'urgent'] as const;
  const stored = (await store.taskIndex()).flatMap((after) => ['', 'r'].map((rank) => ({ ...after, rank })));
  const pages = [{}, { isAsking: true }, { within: 'a' }].flatMap((which) =>
    orders.flatMap((order) => stored.map((after) => ({ ...which, order, after, limit: 2 }))),
  );
  return Promise.all(pages.map((page) => store.taskIndex(page)));
};

const allOf = async (store: Store): Promise<unknown> => ({
  tasks: await Promise.all(tasks.map((taskId) => store.load(taskId))),
  taskIndex: await Promise.all(filters.map((which) => store.taskIndex(which))),
  pages: await pagesOf(store),
  counts: await store.counts(),
  found: await Promise.all([
    ...keys.map((key) => store.find({ key })),
    ...messages.map((message) => store.find({ message })),
  ]),
  due: await Promise.all([0, 1, 2, 3].map((until) => store.due(until))),
});

/** Checks that two stores of the same database give the same answers and data as two in memory. */
export const agree = async (
  open: (run: number) => readonly Store[],
  remove: (run: number) => void,
  most: number,
) => {
  const answers = new Set<string>();
  let run = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(move, { minLength: 1, maxLength: 30, size: 'max' }), async (moves) => {
      const database = memoryDatabase();
      const inMemory = [database.connect(), database.connect()];
      const others = open((run += 1));
      try {
        for (const next of moves) {
          const answer = await answerOf(inMemory, next);
          expect(await answerOf(others, next)).toBe(answer);
          answers.add(answer);
        }
        expect(await allOf(others[0]!)).toEqual(await allOf(inMemory[0]!));
        expect(await allOf(others[1]!)).toEqual(await allOf(inMemory[1]!));
      } finally {
        await Promise.all(others.map((store) => store.close()));
        remove(run);
      }
    }),
    runs(most),
  );
  expect([...answers].toSorted()).toEqual(['conflict', 'duplicate', 'ok', 'refused', 'spent']);
};
