import { describe, expect, it, vi } from 'vitest';
import { CharterError } from '../../../../src/base/errors.ts';
import { createEvents } from '../../../../src/core/shell/events.ts';
import { settle } from './simulated-clock.ts';

describe('the event emitter', () => {
  it('calls each listener once, in the order of registration', () => {
    const { emit, on } = createEvents();
    const received: string[] = [];
    const listener = () => received.push('first');
    on('changed', listener);
    on('changed', () => received.push('second'));
    on('changed', listener);
    emit('changed', { taskId: '1' });
    expect(received).toEqual(['first', 'second']);
  });

  it('does not call a removed listener, even when it is removed during an event', () => {
    const { emit, on } = createEvents();
    const received: string[] = [];
    on('changed', () => leave());
    const leave = on('changed', () => received.push('gone'));
    emit('changed', { taskId: '1' });
    expect(received).toEqual([]);
    leave();
  });

  it('calls the other listeners when one throws or rejects, and reports that error once', async () => {
    const { emit, on } = createEvents();
    const received: unknown[] = [];
    on('changed', () => {
      throw new Error('thrown');
    });
    on('changed', () => Promise.reject(new Error('rejected')));
    on('changed', () => received.push('last'));
    on('error', ({ error }) => received.push(error));
    on('error', () => {
      throw new Error('never reported');
    });
    emit('changed', { taskId: '1' });
    await settle();
    expect(received).toEqual(['last', new Error('thrown'), new Error('rejected')]);
  });

  it('reports a log that fails once a line, and logs nothing of it', async () => {
    const { emit, on } = createEvents();
    const [lines, errors]: [string[], unknown[]] = [[], []];
    on('log', ({ code }) => {
      lines.push(code);
      if (lines.length > 5) return; // else nothing else would run any more
      throw new Error('write after end');
    });
    on('error', ({ error }) => errors.push(error));
    emit('log', { level: 'info', code: 'draining', taskId: '', message: '' });
    emit('error', { taskId: '1', error: 'a tool failed' });
    await settle();
    expect(lines).toEqual(['draining', 'thrown']);
    expect(errors).toEqual(['a tool failed', new Error('write after end'), new Error('write after end')]);
  });

  it('warns once of an error that no one listens for', () => {
    const warning = vi.spyOn(process, 'emitWarning').mockReturnValue();
    const { emit, on } = createEvents();
    const error = new CharterError('callback_failed', 'policy.decide failed: Error: boom', {
      taskId: '1',
      callback: 'policy.decide',
      code: null,
    });
    const leave = on('error', () => {});
    emit('error', { taskId: '1', error });
    leave();
    emit('changed', { taskId: '1' });
    emit('error', { taskId: '1', error });
    emit('error', { taskId: '2', error });
    const message =
      "task 1: policy.decide failed: Error: boom; listen with orchestrator.on('error', ...), because no other is shown";
    expect(warning.mock.calls).toEqual([[message, expect.objectContaining({ code: 'AGENTCHARTER_ERROR' })]]);
    warning.mockRestore();
  });
});
