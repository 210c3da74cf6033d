import { describe, expect, test } from 'vitest';
import { handings, others } from './callbacks.ts';
import { scenario } from './scenario.ts';

const honest = scenario(() => {});

describe('a run without mutation', () => {
  test('delivers, rolls back the failed task, and reaches every value passed to the host', async () => {
    const reached = new Set<string>();
    const { stored, errors } = await scenario((where) => void reached.add(where));
    expect([...reached].toSorted()).toEqual(handings.toSorted());
    const ends = stored.map((task) => task?.records.findLast(({ kind }) => kind === 'fact')?.to);
    expect(ends).toEqual(['completed.settled', 'completed.settled', 'failed']);
    expect(errors.length).toBeGreaterThan(0); // from the failing listener
    expect(stored).toEqual((await honest).stored);
  });
});

test('the list names every option with callbacks', () => {
  const ports = Object.values(others).filter((port) => port !== null);
  expect(ports.filter((port) => !handings.some((one) => one.startsWith(`${port}.`)))).toEqual([]);
});
