import { describe, expect, it } from 'vitest';
import { createSlots } from '../../../../src/core/shell/slots.ts';
import { later } from './scripted.ts';
import { WorkAbort } from '../../../../src/core/shell/work-signal.ts';
import { settle } from './simulated-clock.ts';

const calm = new WorkAbort();

describe('slots', () => {
  it.each([1, 2, 5])('run %i at once and the others in order', async (most) => {
    const slots = createSlots(most);
    const gates = Array.from({ length: 9 }, () => later());
    const begun: number[] = [];
    const all = gates.map((gate, at) =>
      slots(async () => {
        begun.push(at);
        return gate.promise;
      }, calm),
    );
    await settle();
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8].slice(0, most));
    for (const gate of gates) {
      gate.resolve(null);
      await settle();
    }
    await Promise.all(all);
    expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8]);
  });

  it('are released when the work throws', async () => {
    const slots = createSlots(1);
    await expect(slots(() => Promise.reject(new Error('no')), calm)).rejects.toThrow('no');
    expect(await slots(async () => 'yes', calm)).toBe('yes');
  });

  it('are released once when aborted work continues', async () => {
    const slots = createSlots(1);
    const deaf = later();
    const abort = new WorkAbort();
    const gone = slots(() => deaf.promise, abort);
    const next = later();
    const second = slots(() => next.promise, calm);
    const third = slots(async () => 'third', calm);
    await settle();
    abort.abort(new Error('not owed'));
    deaf.resolve('late');
    expect(await gone).toBe('late');
    await settle();
    let isThird = false;
    void third.then(() => (isThird = true));
    await settle();
    expect(isThird).toBe(false);
    next.resolve('second');
    expect(await second).toBe('second');
    expect(await third).toBe('third');
  });

  it('are not taken by work that was aborted while it waited', async () => {
    const slots = createSlots(1);
    const gate = later();
    const first = slots(() => gate.promise, calm);
    const abort = new WorkAbort();
    let isMade = false;
    const second = slots(async () => (isMade = true), abort);
    const reason = new Error('not owed');
    abort.abort(reason);
    gate.resolve(null);
    await first;
    await expect(second).rejects.toBe(reason);
    expect(isMade).toBe(false);
    expect(await slots(async () => 'free', calm)).toBe('free');
  });
});
