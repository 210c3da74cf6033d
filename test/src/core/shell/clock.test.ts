import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { rfc3339 } from '../../../../src/core/kernel/now.ts';
import { randomIds, systemClock, wakeAfter } from '../../../../src/core/shell/clock.ts';
import { machine } from './restarts.ts';
import { steppingClock } from './stepping-clock.ts';

describe('the system clock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('wakes once at the given time', () => {
    const wake = vi.fn<() => void>();
    systemClock.wakeAt(systemClock.now() + 1_000, wake);
    vi.advanceTimersByTime(999);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10_000);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('wakes at once for a time in the past', () => {
    const wake = vi.fn<() => void>();
    systemClock.wakeAt(-1, wake);
    vi.advanceTimersByTime(0);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('wakes after a year, longer than one platform timer can run', () => {
    const wake = vi.fn<() => void>();
    const year = 365 * 86_400_000;
    systemClock.wakeAt(year, wake);
    vi.advanceTimersByTime(year - 1);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('clears its timer when cancelled, also part way through a long wait', () => {
    const wake = vi.fn<() => void>();
    const cancel = systemClock.wakeAt(365 * 86_400_000, wake);
    vi.advanceTimersByTime(100 * 86_400_000);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(365 * 86_400_000);
    expect(wake).not.toHaveBeenCalled();
  });
});

describe('a wait in milliseconds', () => {
  it('ignores steps of the wall clock and can be cancelled', async () => {
    const clock = steppingClock();
    const woken: string[] = [];
    wakeAfter(clock, 60_000, () => woken.push('first'));
    const cancel = wakeAfter(clock, 90_000, () => woken.push('second'));
    clock.step(36_000_000);
    await clock.advance(59_999);
    expect(woken).toEqual([]);
    await clock.advance(1);
    expect(woken).toEqual(['first']);
    cancel();
    expect(clock.sleeping()).toBe(0);
  });

  it('uses monotonic time, apart from the wall clock', () => {
    vi.useFakeTimers({ now: 0 });
    const before = systemClock.monotonic?.() ?? NaN;
    vi.setSystemTime(36_000_000);
    vi.advanceTimersByTime(500);
    expect((systemClock.monotonic?.() ?? NaN) - before).toBeCloseTo(500);
    vi.useRealTimers();
  });
});

describe('identifiers', () => {
  it('are UUIDs, and trace ids of 32 lower-case hex digits [UAICP 5.4]', () => {
    const many = Array.from({ length: 100 }, () => [randomIds.uuid(), randomIds.traceId()] as const);
    for (const [uuid, traceId] of many) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(traceId).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    }
    expect(new Set(many.flat()).size).toBe(200);
  });

  it('sort as they were made, also within a millisecond, after a clock went back, and over a refilled stock', () => {
    vi.useFakeTimers({ now: 1_000_000 });
    const before = Array.from({ length: 300 }, randomIds.uuid);
    vi.setSystemTime(500_000);
    const after = Array.from({ length: 300 }, randomIds.uuid);
    vi.useRealTimers();
    const made = [...before, ...after];
    expect(made).toEqual(made.toSorted());
    expect(new Set(made.map((uuid) => uuid.slice(-11))).size).toBe(600); // random, each
  });

  it.each([
    [{ uuid: () => 'task-1' }, 'ids.uuid()'],
    [{ traceId: () => '0'.repeat(32) }, 'ids.traceId()'],
  ])('of a host are checked before anything is recorded: %o', async (ids, document) => {
    const { start, reader } = machine();
    const { submit } = start({ options: { ids: { ...randomIds, ...ids } } });
    await expect(submit()).rejects.toMatchObject({ code: 'document_invalid', details: { document } });
    expect(await reader.taskIndex()).toEqual([]);
  });
});

describe('a timestamp', () => {
  it.each([Date.UTC(10_000, 0, 1), -1e14, Number.NaN])(
    'is refused outside the years of RFC 3339: %d',
    (at) => {
      expect(() => rfc3339(at)).toThrow(
        expect.objectContaining({
          code: 'document_invalid',
          details: expect.objectContaining({ document: 'clock.now()' }),
        }),
      );
    },
  );

  it('is written in RFC 3339', () => {
    expect(rfc3339(Date.UTC(2026, 10, 21, 5, 0, 0, 7))).toBe('2026-11-21T05:00:00.007Z');
  });
});
