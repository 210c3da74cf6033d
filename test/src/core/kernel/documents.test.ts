import { describe, expect, it } from 'vitest';
import { correspondences, type MessageEnvelope, type UpFormatMessage } from '../../../../schema/index.ts';
import { scene, type Scene } from '../shell/scene.ts';
import { call, draft, identity, plan, readTool, writeTool } from '../shell/scripted.ts';
import { asked } from '../shell/situations.ts';
import { settle } from '../shell/simulated-clock.ts';

const messagesOf = async ({ orchestrator }: Scene, taskId: string): Promise<readonly UpFormatMessage[]> =>
  (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
    name === 'UpFormatMessage' ? [document] : [],
  );
const envelopesOf = async ({ orchestrator }: Scene, taskId: string): Promise<readonly MessageEnvelope[]> =>
  (await orchestrator.documents(taskId)).flatMap(({ name, document }) =>
    name === 'MessageEnvelope' ? [document] : [],
  );

describe('the messages of a task [UpFormat 2.1]', () => {
  it('form one thread, each replying to the previous one', async () => {
    const scenario = await asked('plan');
    await scenario.answer('approve');
    const messages = await messagesOf(scenario, scenario.taskId);
    expect(messages.map(({ state }) => state)).toEqual([
      'submitted',
      'needsHumanDecision',
      'submitted',
      'submitted',
      'completed',
    ]);
    expect(new Set(messages.map(({ threadId }) => threadId)).size).toBe(1);
    messages.slice(1).forEach(({ parentMessageId }, at) => {
      expect(parentMessageId).toBe(messages[at]?.messageId);
    });
    expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(messages.length);
  });

  it.each([
    ['edit', { value: plan() }],
    ['instruction', 'another way'],
    ['reject', undefined],
  ] as const)('mark the output that a person replaced by %s', async (type, content) => {
    const scenario = await asked('plan');
    await scenario.answer(type, content);
    const messages = await messagesOf(scenario, scenario.taskId);
    const question = messages.find(({ state }) => state === 'needsHumanDecision');
    expect(messages.find(({ upFeedback }) => upFeedback?.type === type)).toMatchObject({
      'agentcharter:supersedes': question?.messageId,
    });
  });

  it('give the deadline and the default of a question', async () => {
    const scenario = scene({
      model: [plan([], { canProceed: false, missing: { place: 'Where?' } })],
      taskClass: { deadlines: { question: 60_000 }, defaults: { information: { place: 'here' } } },
    });
    await scenario.submit();
    const [asked] = await scenario.orchestrator.inbox();
    expect(asked?.question.byDefault).toEqual({ place: 'here' });
    expect(asked?.message.payload).toMatchObject({ question: { byDefault: { place: 'here' } } });
    const waits = Date.parse(asked?.question.deadline ?? '') - Date.parse(asked?.message.timestamp ?? '');
    expect(waits).toBe(60_000);
  });

  it('quote the policy’s reason for a failure', async () => {
    const scenario = scene({
      model: [plan([call('write')])],
      tools: [writeTool('write')],
      policy: () => ({ verdict: 'deny', reasons: ['not on a Sunday'] }),
    });
    const { message } = await scenario.ended(await scenario.submit());
    expect(message.explanation).toContain('does not allow the action. It says: not on a Sunday.');
    expect(message.explanation).not.toContain('Cause');
  });

  it('mark nothing as superseded after an approval', async () => {
    const scenario = await asked('plan');
    await scenario.answer('approve');
    for (const message of await messagesOf(scenario, scenario.taskId))
      expect(message).not.toHaveProperty('agentcharter:supersedes');
  });

  it('reply to the message that the request names', async () => {
    const { orchestrator } = scene();
    const parentMessageId = '00000000-0000-4000-8000-00000000ffff';
    const { threadId } = await orchestrator.submit({
      taskClass: 'work',
      payload: {},
      identity,
      parentMessageId,
    });
    expect((await orchestrator.thread(threadId))[0]).toMatchObject({ state: 'submitted', parentMessageId });
  });

  it('carry the model’s reasoning beside its explanation, and never as the state', async () => {
    const scenario = scene({
      model: [plan(), draft({ n: 1 }, { reasoning: ['because'], assumptions: ['it rains'] })],
    });
    const message = (await scenario.ended(await scenario.submit())).message;
    expect(message).toMatchObject({
      explanation: 'This is what came of it.',
      upThought: { canProceed: true, confidence: 0.9, reasoning: ['because'], assumptions: ['it rains'] },
    });
  });

  it('show an action with the arguments that the call will have', async () => {
    const { open } = await asked('approval');
    expect(open.message.payload).toMatchObject({
      action: { tool: 'write', arguments: { amount: 1 }, rollback: { type: 'inverse' } },
      question: { kind: 'approval' },
    });
    expect(open.question.consequences).toHaveProperty('reject');
  });

  it('explain a failure with its reason codes and the missing evidence [UAICP 7]', async () => {
    const scenario = scene({
      taskClass: { beforeDeliver: { evidence: [{ type: 'test_report' }] }, limits: { repairs: 0 } },
    });
    const taskId = await scenario.submit();
    const { message } = await scenario.ended(taskId);
    expect(message).toMatchObject({
      state: 'failed',
      payload: { reasonCodes: ['EVIDENCE_MISSING'], missingEvidence: ['test_report'] },
    });
    expect((await envelopesOf(scenario, taskId)).at(-1)).toMatchObject({
      state: 'fail_safe',
      outcome: 'uncertain',
      metadata: {
        'agentcharter:reasonCodes': ['EVIDENCE_MISSING'],
        'agentcharter:missingEvidence': ['test_report'],
      },
    });
  });
});

describe('the envelopes of a task [UAICP 6]', () => {
  it('log a repair with its number, its limit and its cause [UAICP 4.1]', async () => {
    const scenario = scene({
      model: [plan(), draft(), plan(), draft()],
      tools: [readTool('read')],
      taskClass: { limits: { repairs: 1 }, beforeDeliver: { evidence: [{ type: 'tool_result' }] } },
    });
    const taskId = await scenario.submit();
    expect(await scenario.ended(taskId)).toMatchObject({ outcome: 'uncertain' });
    const cause = [{ code: 'EVIDENCE_MISSING', about: 'tool_result' }];
    const logged = (await envelopesOf(scenario, taskId)).filter(
      ({ metadata }) => metadata?.['agentcharter:repair'] !== undefined,
    );
    expect(logged.length).toBeGreaterThan(0);
    for (const { metadata } of logged)
      expect(metadata).toMatchObject({ 'agentcharter:repair': { number: 1, limit: 1, cause } });
    expect(scenario.turns.find(({ attempt }) => attempt === 1)?.unmet).toMatchObject(cause);
  });

  it('name the request, the trace, the actor and the parent trace', async () => {
    const scenario = scene({ model: [plan([call('read')]), draft()], tools: [readTool('read')] });
    const { taskId } = await scenario.orchestrator.submit({
      taskClass: 'work',
      payload: {},
      identity,
      parentTraceId: 'a'.repeat(32),
    });
    await scenario.ended(taskId);
    const envelopes = await envelopesOf(scenario, taskId);
    const [first] = envelopes;
    for (const envelope of envelopes)
      expect(envelope).toMatchObject({
        uaicp_version: '0.3',
        request_id: first?.request_id,
        trace_id: first?.trace_id,
        parent_trace_id: 'a'.repeat(32),
        identity,
        metadata: { 'agentcharter:taskId': taskId },
      });
  });

  it('carry the rollback of a write before the write happens [UAICP 5.3]', async () => {
    const order: string[] = [];
    const scenario = scene({
      model: [plan([call('write')]), draft()],
      tools: [writeTool('write', { tier: 'write_high_risk', call: () => order.push('write') })],
      taskClass: { authorities: ['human'] },
    });
    scenario.orchestrator.on('document', ({ name, document }) => {
      if (name === 'MessageEnvelope' && document.rollback_action !== undefined)
        order.push(`${document.state}: ${document.rollback_action.type}`);
    });
    await scenario.submit();
    await scenario.answer('approve');
    expect(order).toEqual(['execute: inverse', 'write']);
  });

  it('use a phase and an outcome that both specifications allow for the operational state', async () => {
    const scenario = scene({
      model: [plan([call('ask')], { confidence: 0.1 }), draft()],
      tools: [
        readTool('ask', {
          call: (_, { met, notYet }) => (met === null ? notYet({ dependency: 'x', explanation: '' }) : 1),
        }),
      ],
      taskClass: { followup: () => ({ explanation: '', payload: {}, byDefault: {} }) },
    });
    const seen = new Set<string>();
    let phase = '';
    let outcome = '';
    scenario.orchestrator.on('document', ({ name, document }) => {
      if (name === 'MessageEnvelope') ({ state: phase, outcome } = document);
      if (name !== 'UpFormatMessage' || phase === '' || document.upFeedback !== undefined) return;
      seen.add(document.state);
      const known = correspondences[document.state].map(({ phases, outcome: of }) => ({ phases, of }));
      expect(
        known.some(({ phases, of }) => (phases as readonly string[]).includes(phase) && of === outcome),
      ).toBe(true);
    });
    const taskId = await scenario.submit();
    await scenario.answer('approve');
    await scenario.orchestrator.resolve(taskId, 'x', 1, { by: 'scheduler' });
    await settle();
    await scenario.answer('approve');
    expect([...seen].toSorted()).toEqual([
      'completed',
      'followup',
      'needsHumanDecision',
      'submitted',
      'waiting',
    ]);
  });
});
