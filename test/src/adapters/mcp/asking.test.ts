import { describe, expect, it } from 'vitest';
import { createElicitations, mcpTools } from '../../../../src/adapters/mcp/index.ts';
import { answersTo, questionsFrom, nameOf } from '../../../../src/adapters/mcp/asking.ts';
import { call } from '../../core/shell/scripted.ts';
import { guest, inn } from './inn.ts';
import { fixtureOf } from './fixture.ts';

const setUp = async (tool: string) => {
  const done: unknown[] = [];
  const tools = await mcpTools(await guest(inn(done)), { server: 'inn', isTrusted: true });
  return { done, ...fixtureOf(tools, { calls: [call(`inn.${tool}`)] }) };
};

const reasonOf = (answer: object) => ('_meta' in answer ? JSON.stringify(answer._meta) : '');

const field = (name: string) => ({
  method: 'elicitation/create',
  params: { message: '', requestedSchema: { properties: { [name]: {} } } },
});

describe('A server that asks in its results (MCP 2026-07-28)', () => {
  it('receives a person’s answer to each question, and then acts once', async () => {
    const { done, orchestrator, submit, question, answer } = await setUp('book');
    const taskId = await submit();
    const where = await question();
    expect(where.message).toMatchObject({
      explanation: 'inn asks: Where?',
      payload: { server: 'inn', requests: { where: { message: 'Where?' } } },
    });
    await answer(where, 'edit', { value: { city: 'Lisbon', nights: 2 } });
    const who = await question();
    expect(who.message.explanation).toBe('inn asks: Who?');
    expect(done).toEqual([]);
    await answer(who, 'instruction', 'Kim');
    expect(await orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(done).toEqual([{ city: 'Lisbon', nights: 2, name: 'Kim' }]);
  });

  it('asks again when an answer does not fit', async () => {
    const { submit, question, answer } = await setUp('book');
    await submit();
    await answer(await question(), 'edit', { value: { city: 7 } });
    expect((await question()).message.explanation).toBe('inn asks: Where?');
  });

  it('does nothing when a person refuses', async () => {
    const { done, orchestrator, submit, question, answer } = await setUp('book');
    const taskId = await submit();
    await answer(await question(), 'reject');
    expect(await orchestrator.settled(taskId)).not.toMatchObject({ outcome: 'success' });
    expect(done).toEqual([]);
  });

  it('fails when it asks for something that no person gives', async () => {
    const { orchestrator, submit } = await setUp('guess');
    const taskId = await submit();
    await orchestrator.settled(taskId);
    const failed = (await orchestrator.ledger(taskId)).find(({ fact }) => fact?.type === 'call.failed');
    expect(failed?.brought.explanation).toBe(
      'its server asks for sampling/createMessage, which no one can answer here',
    );
  });
});

describe('A server’s own request (MCP 2025-11-25)', () => {
  const params = { message: 'Sure?' };

  it('is declined without a running call, during several calls, and during a call that may not wait', async () => {
    const { answer, during } = createElicitations();
    expect(reasonOf(await answer({ params }))).toContain('no call is in progress');
    const free = { answers: [], mayPause: true };
    const nested = await during(free, () => during(free, () => answer({ params })));
    expect(reasonOf(nested.result?.result ?? {})).toContain('several calls are in progress');
    const bound = await during({ answers: [], mayPause: false }, () => answer({ params }));
    expect(bound).toMatchObject({ request: null, result: { action: 'decline' } });
  });

  it('is cancelled until a person answers, even if this fails its call', async () => {
    const { answer, during } = createElicitations();
    const pausable = { answers: [], mayPause: true };
    const asked = { request: { method: 'elicitation/create', params } };
    expect(await during(pausable, () => answer({ params }))).toMatchObject({
      ...asked,
      result: { action: 'cancel' },
    });
    const failing = async () => {
      await answer({ params });
      throw new Error('cancelled');
    };
    expect(await during(pausable, failing)).toMatchObject({ ...asked, result: null });
    const accepted = { action: 'accept' as const, content: { sure: true } };
    const answers = [{ ...accepted, to: nameOf(params) }];
    expect(await during({ answers, mayPause: true }, () => answer({ params }))).toEqual({
      request: null,
      result: accepted,
      replayed: answers,
    });
    await expect(during(pausable, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
  });
});

describe('A person’s answer to a server', () => {
  const target = '018f7d3a-7c1e-7b52-9f0e-3d2b8a6c4e10';

  it.each([
    [
      'fills in the form with an edit',
      { type: 'edit', content: { value: { a: 1 } } },
      { action: 'accept', content: { a: 1 } },
    ],
    [
      'fills in the only field with an instruction',
      { type: 'instruction', content: 'yes' },
      { action: 'accept', content: { a: 'yes' } },
    ],
    ['submits the form unchanged with an approval', { type: 'approve' }, { action: 'accept', content: {} }],
    ['declines with a rejection', { type: 'reject' }, { action: 'decline', content: {} }],
    [
      'omits values that the form cannot hold',
      { type: 'edit', content: { value: { a: {} } } },
      { action: 'accept', content: {} },
    ],
  ] as const)('%s', (_, said, expected) => {
    expect(answersTo(questionsFrom({ q: field('a') }), { ...said, target })).toEqual({ q: expected });
  });

  it('to several questions is stored under the name of each', () => {
    const asked = questionsFrom({ one: field('a'), other: field('b') });
    const value = { one: { a: 1 }, other: { b: 2 } };
    expect(answersTo(asked, { type: 'edit', target, content: { value } })).toEqual({
      one: { action: 'accept', content: { a: 1 } },
      other: { action: 'accept', content: { b: 2 } },
    });
  });
});
