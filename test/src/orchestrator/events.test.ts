import { describe, expect, it } from 'vitest';
import { createEvents } from '../../../src/orchestrator/events.ts';
import { settle } from './simulated-clock.ts';

describe('events', () => {
  it('are told in the order in which listeners came, each once', () => {
    const { emit, on } = createEvents();
    const heard: string[] = [];
    const listener = () => heard.push('first');
    on('settled', listener);
    on('settled', () => heard.push('second'));
    on('settled', listener);
    emit('settled', { taskId: '1' });
    expect(heard).toEqual(['first', 'second']);
  });

  it('reach nobody who left, also when he leaves while they are told', () => {
    const { emit, on } = createEvents();
    const heard: string[] = [];
    on('settled', () => leave());
    const leave = on('settled', () => heard.push('gone'));
    emit('settled', { taskId: '1' });
    expect(heard).toEqual([]);
    leave();
  });

  it('go on past a listener that throws or rejects, who is told of; a listener of errors that throws is not', async () => {
    const { emit, on } = createEvents();
    const heard: unknown[] = [];
    on('settled', () => {
      throw new Error('thrown');
    });
    on('settled', () => Promise.reject(new Error('rejected')));
    on('settled', () => heard.push('last'));
    on('error', ({ error }) => heard.push(error));
    on('error', () => {
      throw new Error('never told');
    });
    emit('settled', { taskId: '1' });
    await settle();
    expect(heard).toEqual(['last', new Error('thrown'), new Error('rejected')]);
  });
});
