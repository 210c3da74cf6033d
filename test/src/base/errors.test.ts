import { describe, expect, it } from 'vitest';
import { causeOf } from '../../../src/base/errors.ts';
import { CharterError, isCharterError } from '../../../src/index.ts';

const error = new CharterError('closed', 'submit: the orchestrator is closed', { operation: 'submit' });

describe('CharterError', () => {
  it('has a code, details and a readable message', () => {
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'CharterError',
      code: 'closed',
      details: { operation: 'submit' },
      message: 'submit: the orchestrator is closed',
    });
  });

  it('freezes its details deeply, so that an array that the engine shares with it stays as it is', () => {
    const known = ['payment'];
    const { details } = new CharterError('not_found', '', { kind: 'task class', id: 'pay', known });
    expect([details, details.known].map(Object.isFrozen)).toEqual([true, true]);
  });

  it('keeps its cause', () => {
    const cause = new Error('disk full');
    expect(new CharterError('closed', '', { operation: 'submit' }, { cause }).cause).toBe(cause);
  });

  it('is recognized by its brand across copies of the library, and by its code', () => {
    expect(isCharterError(error)).toBe(true);
    expect(isCharterError(error, 'closed')).toBe(true);
    expect(isCharterError(error, 'not_found')).toBe(false);
    const ofAnotherCopy = { [Symbol.for('agentcharter.CharterError')]: true, code: 'closed' };
    expect(isCharterError(ofAnotherCopy, 'closed')).toBe(true);
  });

  it.each([null, undefined, 'closed', {}, { code: 'closed' }, new Error('closed')])(
    'differs from %s',
    (value) => {
      expect(isCharterError(value)).toBe(false);
    },
  );
});

describe('The cause of an error', () => {
  it.each([
    [new TypeError('no such order'), 'TypeError: no such order'],
    ['no such order', 'no such order'],
    [{ message: 'no such order' }, 'no such order'],
    [{ error: { code: 'E1', message: 'no such order' } }, 'no such order'],
    [{ error: 'E1' }, 'it threw a value that is not an Error'],
  ])('of %j is told in words', (thrown, words) => {
    expect(causeOf(thrown)).toBe(words);
  });
});
