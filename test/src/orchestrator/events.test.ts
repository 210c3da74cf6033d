import { describe, expect, it } from 'vitest';
import { createEvents } from '../../../src/orchestrator/events.ts';
import { settle } from './simulated-clock.ts';

describe('the event emitter', () => {
  it('calls each listener once, in the order of registration', () => {
    const { emit, on } = createEvents();
    const received: string[] = [];
    const listener = () => received.push('first');
    on('settled', listener);
    on('settled', () => received.push('second'));
    on('settled', listener);
    emit('settled', { taskId: '1' });
    expect(received).toEqual(['first', 'second']);
  });

  it('does not call a removed listener, even when it is removed during an event', () => {
    const { emit, on } = createEvents();
    const received: string[] = [];
    on('settled', () => leave());
    const leave = on('settled', () => received.push('gone'));
    emit('settled', { taskId: '1' });
    expect(received).toEqual([]);
    leave();
  });

  it('calls the other listeners when one throws or rejects, and reports that error once', async () => {
    const { emit, on } = createEvents();
    const received: unknown[] = [];
    on('settled', () => {
      throw new Error('thrown');
    });
    on('settled', () => Promise.reject(new Error('rejected')));
    on('settled', () => received.push('last'));
    on('error', ({ error }) => received.push(error));
    on('error', () => {
      throw new Error('never reported');
    });
    emit('settled', { taskId: '1' });
    await settle();
    expect(received).toEqual(['last', new Error('thrown'), new Error('rejected')]);
  });
});
