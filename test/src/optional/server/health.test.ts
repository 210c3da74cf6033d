import { createGuard, guardTool } from 'agentcharter/guard';
import { createConsole } from 'agentcharter/console';
import { defineTaskClass } from 'agentcharter';
import { memoryStore } from 'agentcharter/stores/memory';
import { createWire } from 'agentcharter/adapters/http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { identity, later } from '../../core/shell/scripted.ts';

/** Faces of one guard; its store fails while `isDown`. */
const opened = () => {
  const down = { is: false };
  const inner = memoryStore();
  const [begun, ends] = [later(), later()];
  const wait = guardTool(
    {
      name: 'wait',
      input: z.object({}),
      execute: async () => {
        begun.resolve(null);
        await ends.promise;
        return {};
      },
    },
    { tier: 'read_only' },
  );
  const guard = createGuard({
    tools: [wait],
    taskClasses: [defineTaskClass({ id: 'job', tools: ['wait'] })],
    store: {
      ...inner,
      counts: () => (down.is ? Promise.reject(new Error('the disk is full')) : inner.counts()),
    },
  });
  onTestFinished(() => guard.close());
  const wire = createWire(guard, { identity: () => null, token: 'a-token-that-no-probe-has' });
  const room = createConsole(guard.orchestrator);
  /** Begins a call that lasts until `end`. */
  const work = async () => {
    const run = await guard.begin({ taskClass: 'job', payload: {}, identity });
    const called = run.call('wait', {});
    await begun.promise;
    return { called, end: () => ends.resolve(null) };
  };
  return { guard, down, work, faces: { wire, console: room } };
};

describe.each(['wire', 'console'] as const)('The probes of the %s', (name) => {
  const asked = ({ faces }: ReturnType<typeof opened>) => {
    // a probe comes by address, without a token
    const ask = async (path: string) => {
      const response = await faces[name].fetch(new Request(`http://10.0.0.7:8080${path}`));
      return [response.status, await response.json()] as const;
    };
    return ask;
  };

  it('say that it answers, and whether it can take requests', async () => {
    const given = opened();
    const ask = asked(given);
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
    expect(await ask('/readyz')).toEqual([200, { status: 'ready', reasons: [] }]);
    given.down.is = true;
    expect(await ask('/readyz')).toEqual([503, { status: 'unready', reasons: ['store_failed'] }]);
    expect(await ask('/healthz')).toEqual([200, { status: 'ok' }]);
    given.down.is = false;
    expect(await ask('/readyz')).toEqual([200, { status: 'ready', reasons: [] }]);
  });

  it('say that it drains, and that it is closed', async () => {
    const given = opened();
    const ask = asked(given);
    const { called, end } = await given.work();
    const closed = given.guard.close({ drain: 60_000 });
    expect(await ask('/readyz')).toEqual([503, { status: 'unready', reasons: ['draining'] }]);
    end();
    expect(await called).toMatchObject({ status: 'done' });
    await closed;
    expect(await ask('/readyz')).toEqual([503, { status: 'unready', reasons: ['closed'] }]);
    await given.faces[name].close();
    expect(await ask('/healthz')).toMatchObject([503, { code: 'closed' }]);
  });
});
