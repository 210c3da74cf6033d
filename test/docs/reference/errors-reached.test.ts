import { isCharterError, type ErrorCode } from 'agentcharter';
import { describe, expect, it } from 'vitest';
import { chartErrors } from './reached/charts.ts';
import { documentErrors } from './reached/documents.ts';
import { foreignErrors } from './reached/foreign.ts';
import type { Programs, Reached, Unchanged } from './reached/reached.ts';
import { storeErrors } from './reached/stores.ts';
import { taskErrors } from './reached/tasks.ts';

/** One program for each code; a new code does not compile without its own. */
const programs: Programs<ErrorCode> = {
  ...documentErrors,
  ...taskErrors,
  ...foreignErrors,
  ...storeErrors,
  ...chartErrors,
};

/** Returns a message without what differs between two runs. */
const steady = (message: string): string =>
  message
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/g, '<id>')
    .replaceAll(/\S*\/errors-\w+/g, '<folder>')
    .replaceAll(/(?<=127\.0\.0\.1:)\d+/g, '<port>');

/** Returns the error that a program throws or reports. */
const errorOf = async ({ program }: Reached<ErrorCode>, unchanged: Unchanged): Promise<unknown> => {
  try {
    return await program(unchanged);
  } catch (error) {
    return error;
  }
};

describe('A program that reaches an error', () => {
  it.each(Object.entries<Reached<ErrorCode>>(programs))(
    'reads in its message what happened and what to do: %s',
    async (code, reached) => {
      const checks: (() => Promise<void>)[] = [];
      const error = await errorOf(reached, async (read) => {
        const before = await read();
        checks.push(async () => expect(await read()).toEqual(before));
      });
      if (!isCharterError(error)) throw new Error('the program threw no CharterError', { cause: error });
      const { message, details, cause } = error;
      expect({ code: error.code, says: steady(message) }).toEqual({ code, says: reached.says });
      expect(details).toEqual(reached.details);
      if (reached.cause !== undefined)
        expect(cause).toMatchObject({ message: expect.stringContaining(reached.cause) as string });
      for (const check of checks) await check();
    },
  );
});
