import { expect, it, vi } from 'vitest';
import { warnOfError } from '../../../../src/base/boundary/warn-of-error.ts';

/** Returns the text and the detail of the warning of an error. */
const warned = (error: unknown): readonly unknown[] => {
  const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
  warnOfError('the console failed', 'pass `onError`', error);
  const [[text, options] = []] = warning.mock.calls as unknown as [string, { readonly detail: string }][];
  return [text, options?.detail];
};

it('names the error and what to do, and where it was thrown', () => {
  const [text, detail] = warned(new TypeError('table is gone'));
  expect(text).toBe('the console failed: TypeError: table is gone; pass `onError`');
  expect(detail).toMatch(/^ {4}at .*warn-of-error\.test\.ts/);
});

it('shows no frame that a message forges', () => {
  const [, detail] = warned(new Error('bad\n    at forged (/etc/passwd:1:1)'));
  expect(detail).not.toContain('forged');
  expect(detail).toMatch(/^ {4}at .*warn-of-error\.test\.ts/);
});

it('shows where the cause was thrown, and not what it says', () => {
  const cause = new Error('the card 4111');
  const [text, detail] = warned(new Error('policy.decide failed', { cause }));
  expect(text).toContain('policy.decide failed');
  expect(detail).toMatch(/^ {4}at /);
  expect([text, detail].join()).not.toContain('4111');
});

it.each([
  ['control characters', new Error('a\n    at \u001b[2Jb')],
  [
    'a stack that throws',
    Object.defineProperty(new Error('a'), 'stack', {
      get: () => {
        throw new Error('b');
      },
    }),
  ],
  ['no error', 'a\u001b[2J'],
  ['null', null],
])('is one safe line for %s', (_, error) => {
  const [text, detail] = warned(error);
  expect(String(text)).not.toMatch(/\p{Cc}/u);
  expect(String(detail)).not.toMatch(/[^\P{Cc}\n]/u);
});
