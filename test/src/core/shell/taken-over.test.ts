import { describe, expect, it } from 'vitest';
import { CharterError, type Store } from '../../../../src/index.ts';
import { digest } from '../../../../src/base/canonical/digest.ts';
import { machine, type Given } from './restarts.ts';
import { call, draft, identity, later, never, plan, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

const unsure = plan([], { confidence: 0.1 });
const minute = 60_000;
const takenOver = { code: 'store_owned', details: { store: 'tasks.db' } };

const refuse = async (): Promise<never> => {
  throw new CharterError('store_owned', 'another took over', { store: 'tasks.db' });
};

/** An owner whose store another process takes over, with the number of its later write attempts. */
const ousted = (given: Given) => {
  const site = machine();
  let isLost = false;
  let attempts = 0;
  const store = (inner: Store): Store => ({
    ...inner,
    commit: async (step) => {
      if (!isLost) return inner.commit(step);
      attempts += 1;
      return refuse();
    },
    erase: async (step, of) => {
      if (!isLost) return inner.erase(step, of);
      attempts += 1;
      return refuse();
    },
  });
  const one = site.start({ ...given, store });
  return { ...site, ...one, lose: () => (isLost = true), attempts: () => attempts };
};

describe('an owner whose store another process took over', () => {
  it('rejects every write, reports the takeover once and writes nothing', async () => {
    const { orchestrator, submit, question, lose, attempts, errors, turns, clock } = ousted({
      model: [unsure],
    });
    const taskId = await submit();
    const { message } = await question();
    lose();
    const approve = () =>
      orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
    await expect(approve()).rejects.toMatchObject(takenOver);
    expect(attempts()).toBe(1);
    for (const attempt of [
      approve(),
      orchestrator.submit({ taskClass: 'work', payload: {}, identity }),
      orchestrator.cancel(taskId, { by: 'dana' }),
      orchestrator.erase(taskId, digest('it'), { by: 'dana' }),
      orchestrator.recover(),
      orchestrator.settled(taskId),
      orchestrator.task(taskId),
    ])
      await expect(attempt).rejects.toMatchObject(takenOver);
    await clock.advance(30 * minute);
    expect(errors).toMatchObject([takenOver]);
    expect({ attempts: attempts(), turns: turns.length }).toEqual({ attempts: 1, turns: 1 });
  });

  it('still reads and closes', async () => {
    const { orchestrator, submit, question, answer, lose, close } = ousted({ model: [unsure] });
    const taskId = await submit();
    await question();
    lose();
    await expect(answer('approve')).rejects.toMatchObject(takenOver);
    expect(await orchestrator.list()).toMatchObject([{ taskId }]);
    expect(await orchestrator.ledger(taskId)).not.toEqual([]);
    expect(await orchestrator.inbox()).toHaveLength(1);
    await close();
    await expect(orchestrator.list()).rejects.toMatchObject({ code: 'closed' });
  });

  it('aborts a write whose outcome it cannot record and retries neither', async () => {
    const made: string[] = [];
    const aborted: string[] = [];
    const write = writeTool('write', {
      call: (_, { key, signal }) => {
        made.push(key);
        return never(signal, () => aborted.push(key));
      },
    });
    const site = ousted({
      model: ({ request }: { request: unknown }) =>
        (request as { asks?: true }).asks ? unsure : plan([call('write')]),
      tools: [write],
    });
    await site.submit();
    await site.submit({ asks: true });
    expect({ made: made.length, aborted }).toEqual({ made: 1, aborted: [] });
    site.lose();
    await expect(site.answer('approve')).rejects.toMatchObject(takenOver);
    await settle();
    expect(aborted).toEqual(made);
    await site.clock.advance(30 * minute);
    expect({ made: made.length, attempts: site.attempts() }).toEqual({ made: 1, attempts: 1 });
    expect(site.errors).toMatchObject([takenOver]);
  });

  it('drops the outcome of a write that ended meanwhile, and the new owner finds it in doubt', async () => {
    const outcome = later();
    const site = ousted({
      model: ({ asks }: { asks: string }) => (asks === 'plan' ? plan([call('write')]) : draft()),
      tools: [writeTool('write', { call: () => outcome.promise })],
    });
    const taskId = await site.submit();
    site.lose();
    outcome.resolve({ written: true });
    await settle();
    await site.clock.advance(30 * minute);
    expect(site.attempts()).toBe(1);
    expect(site.errors).toMatchObject([takenOver, takenOver]); // one for the store, one for this outcome
    expect((await site.factsOf(taskId)).at(-1)).toBe('call.started');
    expect(site.turns).toHaveLength(1);
  });

  it('applies no deadline', async () => {
    const site = ousted({ model: [unsure], taskClass: { deadlines: { question: minute } } });
    const taskId = await site.submit();
    site.lose();
    await site.clock.advance(60 * minute);
    expect(site.attempts()).toBe(1);
    expect(site.errors.length).toBeGreaterThan(0);
    for (const error of site.errors) expect(error).toMatchObject(takenOver);
    expect(await site.stateOf(taskId)).not.toBe('failed');
  });

  it('rejects callers of settled()', async () => {
    const { orchestrator, submit, answer, lose } = ousted({ model: [unsure] });
    const waiting = orchestrator.settled(await submit()).catch((error: unknown) => error);
    await settle();
    lose();
    await expect(answer('approve')).rejects.toMatchObject(takenOver);
    expect(await waiting).toMatchObject(takenOver);
  });
});
