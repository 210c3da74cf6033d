import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator, defineTaskClass, type Tool } from '../../../../src/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';
import { eventually } from '../../../waits.ts';
import { call, draft, identity, later, plan, scriptedModel, scriptedPolicy, writeTool } from './scripted.ts';

const minute = 60_000;

/** Owners of one file, one after the other, whose tool waits until it is let go on. */
const opened = () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentcharter-drain-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const made: string[] = [];
  const begun = later();
  const held = later();
  const make: Tool['call'] = async (_, { call: id, signal }) => {
    begun.resolve(null);
    await Promise.race([held.promise, new Promise((resolve) => signal.addEventListener('abort', resolve))]);
    signal.throwIfAborted();
    made.push(id);
  };
  const start = () => {
    const { model, turns } = scriptedModel(({ asks }: { readonly asks: string }) =>
      asks === 'plan' ? plan([call('write')]) : draft(),
    );
    const orchestrator = createOrchestrator({
      taskClasses: [defineTaskClass({ id: 'work', tools: ['write'] })],
      model,
      tools: [writeTool('write', { doubt: 'unsafe', call: make })],
      policy: scriptedPolicy('allow').policy,
      store: sqliteStore(join(folder, 'a.db'), { poll: 20 }),
      concurrency: 1,
    });
    onTestFinished(() => orchestrator.close());
    const submit = async () =>
      (await orchestrator.submit({ taskClass: 'work', payload: {}, identity })).taskId;
    const facts = async (taskId: string) =>
      (await orchestrator.ledger(taskId)).flatMap(({ fact }) => fact?.type ?? []);
    return { orchestrator, submit, facts, turns };
  };
  return { start, made, begun: begun.promise, release: () => held.resolve(null) };
};

describe('close({ drain })', () => {
  it('waits for a call that is past its deadline, and records what came of it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'agentcharter-drain-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const held = later();
    const start = () => {
      const orchestrator = createOrchestrator({
        taskClasses: [defineTaskClass({ id: 'work', tools: ['write'] })],
        model: scriptedModel(() => plan([call('write')])).model,
        tools: [writeTool('write', { doubt: 'unsafe', deadline: 30, call: () => held.promise })],
        policy: scriptedPolicy('allow').policy,
        store: sqliteStore(join(folder, 'a.db'), { poll: 20 }),
      });
      onTestFinished(() => orchestrator.close());
      return orchestrator;
    };
    const one = start();
    const { taskId } = await one.submit({ taskClass: 'work', payload: {}, identity });
    await eventually(async () => expect(await one.inbox(taskId)).toHaveLength(1)); // whether it happened
    const closed = one.close({ drain: minute });
    held.resolve(null);
    await closed;
    const facts = (await start().ledger(taskId)).flatMap(({ fact }) => fact?.type ?? []);
    expect(facts.slice(-2)).toContain('call.succeeded');
  });

  it('lets a call end, and leaves no doubt to the next owner', async () => {
    const { start, made, begun, release } = opened();
    const one = start();
    const ids = [await one.submit(), await one.submit()];
    await begun;
    const closed = one.orchestrator.close({ drain: minute });
    ids.push(await one.submit()); // it is recorded all the same
    release();
    await closed;
    await expect(one.submit()).rejects.toMatchObject({ code: 'closed' });
    expect(made).toHaveLength(1); // nothing was begun after it
    const next = start();
    await next.orchestrator.recover();
    for (const id of ids) {
      expect(await next.orchestrator.settled(id)).toMatchObject({ outcome: 'success' });
      expect(await next.facts(id)).not.toContain('call.doubted');
    }
    expect(made).toHaveLength(3);
  });

  it.each([
    ['its time is over', () => ({ drain: 50 }), () => {}],
    ['it is closed again', () => ({ drain: minute }), (close: () => Promise<void>) => void close()],
  ])('aborts a call that has not ended when %s', async (_, how, then) => {
    const { start, made, begun } = opened();
    const one = start();
    const id = await one.submit();
    await begun;
    const closed = one.orchestrator.close(how());
    then(one.orchestrator.close);
    await closed;
    expect(made).toEqual([]);
    const next = start();
    await next.orchestrator.recover();
    await eventually(async () => expect(await next.facts(id)).toContain('call.doubted'));
  });

  it('ends at once where nothing is under way', async () => {
    const { start } = opened();
    const { orchestrator } = start();
    await orchestrator.recover();
    await orchestrator.close({ drain: minute });
  });

  it('may be a listener, and refuses a wait that is none', async () => {
    const { start } = opened();
    const { orchestrator } = start();
    const refused = { code: 'document_invalid', details: { issues: [{ path: '/drain' }] } };
    await expect(orchestrator.close({ drain: -1 })).rejects.toMatchObject(refused);
    await expect(orchestrator.close({ drain: Infinity })).rejects.toMatchObject(refused);
    const listener: (signal: string) => Promise<void> = orchestrator.close;
    await listener('SIGTERM');
  });
});
