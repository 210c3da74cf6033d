import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { randomIds, rfc3339, systemClock } from '../../../src/orchestrator/clock.ts';

describe('the machine’s clock', () => {
  beforeEach(() => void vi.useFakeTimers({ now: 0 }));
  afterEach(() => void vi.useRealTimers());

  it('wakes once, at its hour', () => {
    const wake = vi.fn<() => void>();
    systemClock.wakeAt(systemClock.now() + 1_000, wake);
    vi.advanceTimersByTime(999);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(10_000);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('wakes at once for an hour that has passed', () => {
    const wake = vi.fn<() => void>();
    systemClock.wakeAt(-1, wake);
    vi.advanceTimersByTime(0);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('keeps an hour further off than a timer of the platform can be: a year', () => {
    const wake = vi.fn<() => void>();
    const year = 365 * 86_400_000;
    systemClock.wakeAt(year, wake);
    vi.advanceTimersByTime(year - 1);
    expect(wake).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(wake).toHaveBeenCalledTimes(1);
  });

  it('is let go of, also on the way', () => {
    const wake = vi.fn<() => void>();
    const cancel = systemClock.wakeAt(365 * 86_400_000, wake);
    vi.advanceTimersByTime(100 * 86_400_000);
    cancel();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(365 * 86_400_000);
    expect(wake).not.toHaveBeenCalled();
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
});

describe('an instant', () => {
  it('is written as RFC 3339 asks', () => {
    expect(rfc3339(Date.UTC(2026, 10, 21, 5, 0, 0, 7))).toBe('2026-11-21T05:00:00.007Z');
  });
});
