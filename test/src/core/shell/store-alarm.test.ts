import { describe, expect, it } from 'vitest';
import type { Environment } from '../../../../src/core/shell/environment.ts';
import { StoreAlarm } from '../../../../src/core/shell/store-alarm.ts';
import { settle, simulatedClock } from './simulated-clock.ts';

type Due = Awaited<ReturnType<Environment['store']['due']>>;

/** An alarm over a store that answers when it is told to, and the errors that it emitted. */
const opened = () => {
  const clock = simulatedClock(0);
  const asked: ((due: Due | Error) => void)[] = [];
  const due = () =>
    new Promise<Due>((resolve, reject) => {
      asked.push((answer) => (answer instanceof Error ? reject(answer) : resolve(answer)));
    });
  const errors: unknown[] = [];
  const ports = { clock, store: { due }, emit: (_: string, event: object) => errors.push(event) };
  const alarm = new StoreAlarm(ports as unknown as Environment, true, async () => {}); // it uses no more
  const answer = async (next: number | null | Error): Promise<void> => {
    asked.at(-1)?.(next instanceof Error ? next : { taskIds: [], next });
    await settle();
  };
  const armed = async (at: number): Promise<void> => {
    void alarm.ring();
    await answer(at);
  };
  return { alarm, clock, asked, errors, answer, armed };
};

describe('the alarm of a store', () => {
  it('is set anew after a task settled', async () => {
    const { alarm, clock, answer, armed } = opened();
    await armed(100);
    void alarm.renew();
    await answer(null);
    expect(clock.sleeping()).toBe(0);
  });

  it('is set anew again for a task that settles while the store is read', async () => {
    const { alarm, clock, asked, answer, armed } = opened();
    await armed(100);
    void alarm.renew();
    void alarm.renew();
    await answer(200); // of the second task, which settled since
    expect(asked).toHaveLength(3);
    await answer(null);
    expect(clock.sleeping()).toBe(0);
  });

  it('is set anew for a task that settles while due tasks are woken', async () => {
    const { alarm, clock, asked, answer } = opened();
    void alarm.ring();
    void alarm.renew();
    await answer(100);
    expect(asked).toHaveLength(2);
    await answer(null);
    expect(clock.sleeping()).toBe(0);
  });

  it('does not read the store where no deadline is waited for', async () => {
    const { alarm, asked } = opened();
    await alarm.renew();
    expect(asked).toHaveLength(0);
  });

  it('tries again a second after the store failed, also while it is set anew', async () => {
    const { alarm, clock, asked, errors, answer, armed } = opened();
    await armed(5_000);
    void alarm.renew();
    await answer(new Error('the store is busy'));
    expect(errors).toHaveLength(1);
    await clock.advance(1_000);
    expect(asked).toHaveLength(3);
  });
});
