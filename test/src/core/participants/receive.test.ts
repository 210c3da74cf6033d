import { describe, expect, it } from 'vitest';
import type { OperationalState } from '../../../../schema/index.ts';
import { scene } from '../shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../shell/scripted.ts';
import { settle } from '../shell/simulated-clock.ts';

const waiting = async (agent = 'scout', tool = readTool) => {
  const scenario = scene({
    model: [plan([call('delegate')]), draft()],
    tools: [
      tool('delegate', {
        call: (_, { met, answer, notYet }) =>
          met === null && answer === null
            ? notYet({ dependency: 'search', agent, explanation: 'Scout searches.' })
            : { met, answer },
      }),
    ],
    taskClass: { limits: { repairs: 0 } },
  });
  const taskId = await scenario.submit();
  const [task] = await scenario.orchestrator.list();
  const sendMessage = async (state: OperationalState, more: object = {}) => {
    await scenario.orchestrator.receive(
      {
        messageId: '00000000-0000-4000-8000-00000000abcd',
        threadId: task?.threadId,
        timestamp: '2026-11-21T05:00:00Z',
        state,
        payload: { found: 3 },
        explanation: 'Scout says.',
        agentId: 'scout',
        ...more,
      },
      { agent_id: 'scout', owner_id: 'acme' },
    );
    await settle();
  };
  return { ...scenario, taskId, sendMessage };
};

describe('a message of another agent [UpFormat 2.1, CHART 8]', () => {
  it('completed: its payload reaches the waiting call, and is not evidence by itself', async () => {
    const { sendMessage, ended, taskId, invocations, orchestrator } = await waiting();
    await sendMessage('completed');
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(invocations.at(-1)?.met).toEqual({ found: 3 });
    const evidence = (await orchestrator.documents(taskId)).filter(({ name }) => name === 'EvidenceObject');
    expect(evidence).toHaveLength(1);
    expect(evidence[0]?.document).toMatchObject({ source: 'delegate' });
  });

  it('needsHumanDecision: its question enters the same inbox, and the answer goes to the call', async () => {
    const { sendMessage, question, answer, ended, taskId, invocations } = await waiting();
    await sendMessage('needsHumanDecision');
    expect(await question()).toMatchObject({
      question: { kind: 'tool' },
      message: { explanation: 'Scout says.' },
    });
    await answer('edit', { value: 'Lisbon' });
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect(invocations.at(-1)?.answer).toMatchObject({ content: { value: 'Lisbon' } });
  });

  it.each(['failed', 'cancelled'] as const)('%s: the call fails', async (state) => {
    const { sendMessage, ended, taskId } = await waiting();
    await sendMessage(state);
    expect(await ended(taskId)).toMatchObject({ outcome: 'failure', reasons: [{ code: 'CHILD_FAILED' }] });
  });

  it.each(['failed', 'cancelled'] as const)('%s: a read fails and is not in doubt', async (state) => {
    const { sendMessage, ended, facts, taskId } = await waiting();
    await sendMessage(state);
    await ended(taskId);
    expect(await facts(taskId)).toContain('call.failed');
    expect(await facts(taskId)).not.toContain('call.doubted');
  });

  it.each(['failed', 'cancelled'] as const)(
    '%s: a write is in doubt; a person is asked, and the write is not repeated',
    async (state) => {
      const { sendMessage, question, facts, taskId, invocations } = await waiting('scout', writeTool);
      await sendMessage(state);
      expect(await question()).toMatchObject({ question: { kind: 'doubt' } });
      expect(await facts(taskId)).toContain('call.doubted');
      expect(await facts(taskId)).not.toContain('call.failed');
      expect(invocations).toHaveLength(1);
    },
  );

  it.each(['submitted', 'waiting'] as const)('%s: enters the thread, and changes no state', async (state) => {
    const { sendMessage, stateOf, taskId, orchestrator } = await waiting();
    const records = await orchestrator.ledger(taskId);
    await sendMessage(state);
    await sendMessage(state);
    expect(stateOf(taskId)).toBe('waiting');
    const [added, ...others] = (await orchestrator.ledger(taskId)).slice(records.length);
    expect(added).toMatchObject({ kind: 'message', actor: { kind: 'agent', id: 'scout' }, fact: null });
    expect(others).toEqual([]);
  });

  it.each([
    ['an agent that no call waits for', {}, { agent_id: 'stranger' }],
    ['an agent in the name of another', { agentId: 'scout' }, { agent_id: 'stranger' }],
    ['the awaited agent in the name of another', { agentId: 'recommender' }, {}],
    ['an agent of the same name and another owner', { agentId: 'scout' }, { owner_id: 'globex' }],
    ['an agent named like an Object.prototype member', {}, { agent_id: 'constructor' }],
    ['another thread', { threadId: '00000000-0000-4000-8000-00000000ffff' }, {}],
    ['the awaited agent under the id of a message of ours', { messageId: 'ours' }, {}],
  ])('from %s is rejected and recorded, and nothing changes', async (where, more, sender) => {
    const { orchestrator, stateOf, taskId } = await waiting();
    const [task] = await orchestrator.list();
    const [ours] = await orchestrator.thread(task?.threadId ?? '');
    const before = await orchestrator.ledger(taskId);
    const message = {
      messageId: '00000000-0000-4000-8000-00000000abcd',
      threadId: task?.threadId,
      timestamp: '2026-11-21T05:00:00Z',
      state: 'completed',
      payload: {},
      explanation: '',
      ...more,
      ...('messageId' in more && { messageId: ours?.messageId }),
    };
    const from = { agent_id: 'scout', owner_id: 'acme', ...sender };
    await expect(orchestrator.receive(message, from)).rejects.toMatchObject({ code: 'message_refused' });
    expect(stateOf(taskId)).toBe('waiting');
    const added = (await orchestrator.ledger(taskId)).slice(before.length);
    const refused = {
      kind: 'refusal',
      code: 'IDENTITY_INVALID',
      actor: { kind: 'agent', id: from.agent_id },
    };
    expect(added).toMatchObject(where === 'another thread' ? [] : [refused]);
  });

  it('is rejected with its path when it is malformed', async () => {
    const { sendMessage } = await waiting();
    await expect(sendMessage('done' as OperationalState)).rejects.toMatchObject({
      code: 'document_invalid',
      details: { document: 'UpFormatMessage', issues: [{ path: '/state' }] },
    });
  });

  it('counts once however often it arrives', async () => {
    const { sendMessage, ended, taskId, facts } = await waiting();
    await Promise.all([sendMessage('completed'), sendMessage('completed')]);
    await sendMessage('completed');
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
    expect((await facts(taskId)).filter((fact) => fact === 'dependency.met')).toHaveLength(1);
  });

  it('is rejected when another message resolved the call first', async () => {
    const { sendMessage, ended, taskId } = await waiting();
    const other = { messageId: '00000000-0000-4000-8000-00000000abce' };
    const results = await Promise.allSettled([sendMessage('completed'), sendMessage('completed', other)]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('is rejected when its id was used for another message', async () => {
    const { sendMessage } = await waiting();
    await sendMessage('completed');
    await expect(sendMessage('completed', { explanation: 'Else.' })).rejects.toMatchObject({
      code: 'message_refused',
      details: { reason: expect.stringContaining('sent before with other content') },
    });
  });
});
