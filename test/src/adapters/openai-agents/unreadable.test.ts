import { expect, it } from 'vitest';
import { rejectUnreadable } from '../../../../src/adapters/openai-agents/unreadable.ts';

type Given = Parameters<typeof rejectUnreadable>;

it.each([
  ['of this version, with the reason', JSON.stringify('pay was not called: why'), 'pay was not called: why'],
  ['of an earlier version, as they were', '{"q": "bo', expect.stringContaining('no valid JSON')],
  ['that are no object', '[1]', 'The call was not made: its arguments are no JSON object.'],
])('Rejects saved arguments %s', (_, text, message) => {
  const told: unknown[] = [];
  const state = { reject: (_item: unknown, why: unknown) => told.push(why) } as unknown as Given[0];
  const items = [{ arguments: text }, { arguments: '{}' }, { arguments: '' }] as unknown as Given[1];
  expect(rejectUnreadable(state, items)).toBe(true);
  expect(told).toEqual([{ message }]);
});
