import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { InMemoryTaskStore } from '@a2a-js/sdk/server';
import { skipWithout } from '../../../../needs.ts';
import { startCluster, type Cluster } from '../../../../postgres.ts';
import { askedBy, feedback, stage, stateOf } from '../../../adapters/a2a/stage.ts';
import { accept, modern } from '../../../adapters/mcp/served.ts';
import { granted, trusting } from '../approvals.ts';
import { call, draft, plan, writeTool, together } from '../scripted.ts';
import { shifted, site } from './scene.ts';
import { eventually } from '../../../../waits.ts';

const model = ({ asks }: { readonly asks: string }) =>
  asks === 'plan' ? plan([call('send', { amount: 7 })]) : draft();

const person = () => ({ action: 'cancel' });

/** A write that needs a signed approval, and records where it was made. */
const sending = (made: string[], name: string) =>
  writeTool('send', { tier: 'write_high_risk', call: async () => made.push(name) });

describe.skipIf(skipWithout(['postgres']) !== null)('several nodes behind one address', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster();
  });
  afterAll(() => cluster.remove());

  it('take the answer of an A2A client at another node than the one that it asked', async () => {
    const { connect, verified } = site(cluster);
    const made: string[] = [];
    const inner = new InMemoryTaskStore();
    const serve = (name: string) =>
      stage({
        model,
        inner,
        options: { store: connect(), tools: [sending(made, name)], approvals: trusting },
      });
    const [one, other] = [await serve('one'), await serve('other')];
    const task = await one.send();
    expect(stateOf(task)).toBe('TASK_STATE_AUTH_REQUIRED');
    const parts = feedback({ type: 'approve', target: askedBy(task).messageId });
    const ended = await other.send({ task, parts, approval: 'kim' });
    expect(stateOf(ended)).toBe('TASK_STATE_COMPLETED');
    expect(stateOf(await one.get(task.id))).toBe('TASK_STATE_COMPLETED');
    expect(made).toHaveLength(1);
    const [listed, ...more] = await one.orchestrator.list();
    expect(more).toEqual([]);
    expect(await verified(listed?.taskId ?? '')).toBe(true);
  });

  it('take the answer of an MCP client at another node, once', async () => {
    const { start } = site(cluster);
    const made: string[] = [];
    const serve = async (name: string) => {
      const tools = [sending(made, name)];
      const node = start({ model, tools, options: { approvals: trusting } });
      const client = await modern(node.orchestrator, { person, clientId: 'agent-1' });
      const ask = (more: object = {}) =>
        client.callTool(
          { name: 'research', arguments: { topic: 'tides' }, ...more },
          { allowInputRequired: true },
        );
      return { ...node, ask };
    };
    const [one, other] = [await serve('one'), await serve('other')];
    const asked = await one.ask();
    const requestState = 'requestState' in asked ? String(asked.requestState) : '';
    const answer = { inputResponses: { answer: accept({ answer: 'approve', token: 'kim' }) }, requestState };
    const answered = await Promise.all([other.ask(answer), one.ask(answer)]);
    expect(answered).toMatchObject([{ structuredContent: {} }, { structuredContent: {} }]);
    expect(answered.map(({ isError }) => isError)).not.toContain(true);
    expect(made).toHaveLength(1);
    expect(await one.orchestrator.list()).toHaveLength(1);
  });

  it('let an approval expire once by the time of the store, though the node that took it is gone', async () => {
    const { start, factsOf } = site(cluster);
    const made: string[] = [];
    const serve = (hours: number, lives: number) =>
      start({
        model: ({ asks }: { readonly asks: string }) =>
          asks === 'plan' ? plan([together('first'), together('second')]) : draft(),
        tools: ['first', 'second'].map((name) =>
          writeTool(name, { tier: 'write_high_risk', call: async () => made.push(name) }),
        ),
        options: {
          clock: shifted(hours),
          approvals: {
            verify: async (token, _, now) => granted('kim', { jti: token, expiresAt: now + lives }),
          },
        },
      });
    const [one, other] = [serve(2, 1_000), serve(-2, 600_000)];
    const asks = (count: number) =>
      eventually(async () => {
        const inbox = await other.orchestrator.inbox();
        expect(inbox).toHaveLength(count);
        return inbox.map(({ message }) => message.messageId);
      });
    const approve = ({ orchestrator }: typeof one, target = '') =>
      orchestrator.respond({ type: 'approve', target }, { by: 'dana', approval: target });
    const taskId = await one.submit();
    const [first, second] = await asks(2);
    await approve(one, first);
    await one.orchestrator.close();
    await other.orchestrator.recover();
    await expect.poll(() => factsOf(taskId)).toContain('deadline.passed');
    await approve(other, second);
    const [again] = await asks(1);
    expect(again).not.toBe(first);
    expect(made).toEqual([]);
    await approve(other, again);
    expect(await other.orchestrator.settled(taskId)).toMatchObject({ outcome: 'success' });
    expect(made.toSorted()).toEqual(['first', 'second']);
    expect((await factsOf(taskId)).filter((fact) => fact === 'deadline.passed')).toHaveLength(1);
    expect([...one.errors, ...other.errors]).toEqual([]);
  });
});
