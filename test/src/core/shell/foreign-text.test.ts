import { describe, expect, it } from 'vitest';
import { needOf as needOfAgent } from '../../../../src/adapters/a2a/client/question.ts';
import { messageOf } from '../../../../src/adapters/a2a/server/a2a-task.ts';
import { needOf as needOfServer } from '../../../../src/adapters/mcp/round.ts';
import type { NeedsHuman } from '../../../../src/base/ports/tool.ts';
import { hostileText, shownTo, unseen } from '../../adapters/shown.ts';
import { scene, type Given } from './scene.ts';
import { call, draft, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

/** Checks that only the first line looks like ours and that every character is visible. */
const expectTrusted = (text: string): void => {
  const [first = '', ...rest] = text.split('\n');
  for (const line of [first, ...rest]) expect(line).not.toMatch(unseen);
  for (const line of rest) expect(line).toMatch(/^> /);
  expect(text).toContain('alice\\u202e');
};

const inputRequests = { a: { method: 'elicitation/create', params: { message: hostileText } } };
const asked = { messageId: 'm', message: null, text: hostileText, needsToken: false };

describe('A question with hostile text from', () => {
  it.each<[string, NeedsHuman]>([
    [
      'a server of MCP',
      needOfServer({ asked: { resultType: 'input_required', inputRequests }, before: null }, 'foe'),
    ],
    ['an agent of A2A', needOfAgent('foe', 'task', asked)],
    ['a tool', { explanation: `foe asks: ${hostileText}` }],
  ])('%s begins with the author’s name and contains no line that looks like ours', async (_, need) => {
    const tool = readTool('ask', {
      call: (_given, { answer, needsHuman }) => (answer === null ? needsHuman(need) : { answered: true }),
    });
    const made = scene({ model: [plan([call('ask')]), draft()], tools: [tool] });
    const taskId = await made.submit();
    const entry = await made.question();
    expect(entry.message.explanation.startsWith('foe asks: alice\\u202e')).toBe(true);
    expectTrusted(entry.message.explanation);
    for (const text of await shownTo(entry)) expect(text).not.toMatch(unseen);
    const message = messageOf({ id: 'a', contextId: 'b' }, [entry.message]);
    const texts =
      message?.parts.flatMap(({ content }) => (content?.$case === 'text' ? content.value : [])) ?? [];
    expect(texts).toHaveLength(1);
    for (const text of texts) expectTrusted(text);
    await made.answer('approve');
    expect(await made.ended(taskId)).toMatchObject({ outcome: 'success' });
  });

  it('a model about its plan and its draft, while the record keeps the original text', async () => {
    const made = scene({
      model: [
        plan([], { confidence: 0.1, explanation: hostileText }),
        draft({ said: hostileText }, { confidence: 0.1, explanation: hostileText }),
      ],
    });
    const taskId = await made.submit();
    expectTrusted((await made.question()).message.explanation);
    await made.answer('approve');
    expectTrusted((await made.question()).message.explanation);
    await made.answer('approve');
    expect(await made.ended(taskId)).toMatchObject({ message: { payload: { said: hostileText } } });
    const outputs = (await made.orchestrator.ledger(taskId)).flatMap(({ brought }) => brought.output ?? []);
    expect(outputs.map(({ explanation }) => explanation)).toEqual([hostileText, hostileText]);
  });
});

const breaks = () => {
  throw new Error(hostileText);
};

describe('The ledger shows hostile text on one line', () => {
  const work = { model: [plan([call('look')]), draft()], taskClass: { limits: { repairs: 0 } } };
  it.each<[string, Given]>([
    ['the error of a tool', { ...work, tools: [readTool('look', { call: breaks })] }],
    ['the error of a model', { ...work, model: breaks }],
    [
      'the reason of a policy',
      { ...work, tools: [writeTool('look')], policy: () => ({ verdict: 'deny', reasons: [hostileText] }) },
    ],
    [
      'a tool that reports notDone',
      { ...work, tools: [readTool('look', { call: (_, { notDone }) => notDone(hostileText) })] },
    ],
  ])('from %s, and so does the failure message', async (_, given) => {
    const made = scene(given);
    const taskId = await made.submit();
    const { message } = await made.ended(taskId);
    const records = await made.orchestrator.ledger(taskId);
    const texts = records.flatMap(({ brought: { explanation, reasons = [] } }) => [
      explanation ?? '',
      ...reasons,
    ]);
    const [shown, ...more] = texts.filter((text) => text.includes('alice'));
    expect(more.length).toBeLessThan(2);
    expect(shown).toContain('alice\\u202e');
    for (const text of [...texts, message.explanation]) expect(text.replaceAll('\n> ', '')).not.toMatch(/\n/);
    for (const text of [...texts, message.explanation]) expect(text).not.toMatch(unseen);
  });

  it('in the details of a report', async () => {
    const made = scene({
      verifiers: {
        checker: () => ({ checks: [{ check_id: 'a', result: 'fail', details: hostileText }] }),
      },
      taskClass: { beforeDeliver: { verifiers: ['checker'] }, limits: { repairs: 0 } },
    });
    const taskId = await made.submit();
    await made.ended(taskId);
    const reports = (await made.orchestrator.ledger(taskId)).flatMap(({ brought }) => brought.report ?? []);
    const details = reports.flatMap(({ checks }) => checks.flatMap((check) => check.details ?? []));
    expect(details).toHaveLength(1);
    details.forEach(expectTrusted);
  });
});

it('A repeated message with hostile text from another agent is received once', async () => {
  const tool = readTool('delegate', {
    call: (_, { met, notYet }) =>
      met === null ? notYet({ dependency: 'search', agent: 'scout', explanation: '' }) : { met },
  });
  const made = scene({ model: [plan([call('delegate')]), draft()], tools: [tool] });
  const taskId = await made.submit();
  const [task] = await made.orchestrator.list();
  const message = {
    messageId: '00000000-0000-4000-8000-00000000abcd',
    threadId: task?.threadId,
    timestamp: '2026-11-21T05:00:00Z',
    state: 'completed',
    payload: { found: 3 },
    explanation: hostileText,
    agentId: 'scout',
  };
  await made.orchestrator.receive(message, { agent_id: 'scout', owner_id: 'acme' });
  await settle();
  await made.orchestrator.receive(message, { agent_id: 'scout', owner_id: 'acme' });
  expect(await made.ended(taskId)).toMatchObject({ outcome: 'success' });
});
