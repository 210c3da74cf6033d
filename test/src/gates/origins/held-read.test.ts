import { describe, expect, it } from 'vitest';
import type { Tool } from '../../../../src/index.ts';
import { call, draft, further, plan, readTool, writeTool } from '../../core/shell/scripted.ts';
import { scene, type Given } from '../../core/shell/scene.ts';

const search = call('search', { text: 'from the mail' });

/** A search whose words tell somebody something, and a write that rests on what it finds. */
const tools = (): readonly Tool[] => [
  readTool('mail.read', { call: () => ({ text: 'from the mail' }) }),
  readTool('search', { flows: { '/text': { integrity: 'trusted' } } }),
  writeTool('note'),
];

const searching = (more: Given = {}, calls = [search, call('note')]) =>
  scene({
    tools: tools(),
    model: [plan([call('mail.read')]), further(...calls), draft()],
    taskClass: {
      authorities: ['human'],
      beforeWrite: { evidence: [{ type: 'tool_result', tool: 'search' }] },
      limits: { repairs: 0 },
    },
    ...more,
  });

describe('A held read', () => {
  it('is asked about before the write that rests on it, and no policy decides on it', async () => {
    const decided: string[] = [];
    const one = searching({
      policy: ({ action }) => {
        decided.push(action);
        return { verdict: 'allow', reasons: [] };
      },
    });
    const taskId = await one.submit({ wish: 'read, search, note' });
    const { question, message } = await one.question();
    expect(question.kind).toBe('approval');
    expect(message.payload['action']).toMatchObject({
      tool: 'search',
      origins: { holds: [{ code: 'FLOW_FORBIDDEN', at: '/text' }] },
    });
    expect(one.invocations.map(({ tool }) => tool)).toEqual(['mail.read']);
    await one.answer('approve');
    expect((await one.ended(taskId)).state).toBe('completed.settled');
    expect(one.invocations.map(({ tool }) => tool)).toEqual(['mail.read', 'search', 'note']);
    expect(new Set(decided)).toEqual(new Set(['note']));
  });

  it('is not made where a person rejects it, and is nothing to undo', async () => {
    const one = searching({}, [search]);
    const taskId = await one.submit({ wish: 'read, search' });
    await one.question();
    await one.answer('reject');
    expect((await one.ended(taskId)).state).toBe('completed.settled');
    expect(one.invocations.map(({ tool }) => tool)).toEqual(['mail.read']);
  });

  it('is asked about again where its approver may not approve any more when it begins', async () => {
    let asked = 0;
    const mayRespond = (): boolean => (asked += 1) !== 2; // first when the answer comes, then when the read begins
    const one = searching({ options: { mayRespond } });
    const taskId = await one.submit({ wish: 'read, search, note' });
    const { message } = await one.question();
    await one.answer('approve');
    expect((await one.question()).message.messageId).not.toBe(message.messageId);
    expect(one.invocations.map(({ tool }) => tool)).toEqual(['mail.read']);
    expect((await one.orchestrator.ledger(taskId)).flatMap(({ fact }) => fact ?? [])).toContainEqual(
      expect.objectContaining({ type: 'call.refused', code: 'APPROVER_WITHDRAWN' }),
    );
    await one.answer('approve');
    expect((await one.ended(taskId)).state).toBe('completed.settled');
  });
});
