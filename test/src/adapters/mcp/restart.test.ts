import { describe, expect, it } from 'vitest';
import { questionsFrom, type RecordedAnswer } from '../../../../src/adapters/mcp/asking.ts';
import { mcpTools } from '../../../../src/adapters/mcp/index.ts';
import { needOf, roundIn, type Round } from '../../../../src/adapters/mcp/round.ts';
import type { Tool } from '../../../../src/index.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { call } from '../../core/shell/scripted.ts';
import { guest, inn, oldGuest, oldInn } from './inn.ts';
import { fixtureOf } from './fixture.ts';

/** The tools of each process, from a server of its own; `done` records the effects outside of both. */
const eras = {
  'in its results (MCP 2026-07-28)': async (done: unknown[]) =>
    mcpTools(await guest(inn(done)), { server: 'inn', isTrusted: true }),
  'by requests of its own (MCP 2025-11-25)': async (done: unknown[]) => {
    const { client, elicitations } = await oldGuest(oldInn(done));
    const contracts = { book: { asksFirst: true } };
    return mcpTools(client, { server: 'inn', isTrusted: true, elicitations, contracts });
  },
};

describe.each(Object.entries(eras))('A restart while a server asks %s', (era, toolsOf) => {
  const isOld = era.startsWith('by');
  const where = isOld ? { name: 'Lisbon' } : { city: 'Lisbon', nights: 2 };
  const booked = isOld ? ['Lisbon', 'Kim'] : { ...where, name: 'Kim' };

  /** Asked twice, answered once, then ended; and the process after it. */
  const restarted = async () => {
    const done: unknown[] = [];
    const database = memoryDatabase();
    const open = (tools: readonly Tool[]) =>
      fixtureOf(tools, { calls: [call('inn.book')], options: { store: database.connect() } });
    const first = open(await toolsOf(done));
    const taskId = await first.submit();
    await first.answer(await first.question(), 'edit', { value: where });
    const who = await first.question();
    await first.orchestrator.close();
    const second = open(await toolsOf(done));
    await second.orchestrator.recover();
    const next = () => Promise.race([second.orchestrator.settled(taskId), second.question()]);
    return { ...second, next, who, done };
  };

  it('lets the next process answer without asking again, and acts once', async () => {
    const { answer, next, who, done } = await restarted();
    expect(done).toEqual([]);
    await answer(who, 'instruction', 'Kim');
    expect(await next()).toMatchObject({ outcome: 'success' });
    expect(done).toEqual([booked]);
  });
});

describe('The stored round of a question', () => {
  const requests = { who: { method: 'elicitation/create', params: { message: 'Who?' } } };
  const accepted: RecordedAnswer = { action: 'accept', content: { name: 'Kim', nights: 2 }, to: 'sha256:0' };
  const rounds: readonly (readonly [string, Round])[] = [
    ['a server’s state', { asked: { ...questionsFrom(requests), requestState: 'sealed' }, before: null }],
    ['no state', { asked: questionsFrom(requests), before: null }],
    ['earlier answers', { asked: questionsFrom(requests), before: [accepted] }],
    ['no answers yet', { asked: questionsFrom(requests), before: [] }],
  ];

  it.each(rounds)('survives serialization: %s', (_, round) => {
    const { payload = null } = needOf(round, 'inn');
    expect(roundIn(JSON.parse(JSON.stringify(payload)))).toEqual(round);
  });

  it.each([
    ['nothing', null],
    ['a question of another source', { requests: {} }],
    ['a redacted round', { requests: {}, 'agentcharter:mcp': '[redacted]' }],
    ['an invalid state', { requests: {}, 'agentcharter:mcp': { requestState: 7, before: null } }],
  ])('is not read from %s', (_, asked) => {
    expect(roundIn(asked)).toBeNull();
  });
});
