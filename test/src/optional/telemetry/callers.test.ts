import { context, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { eras } from '../../adapters/mcp/served.ts';
import { fixtureOf } from '../../adapters/mcp/fixture.ts';
import { served } from '../../adapters/http/served.ts';
import { stage } from '../../adapters/a2a/stage.ts';
import { call, draft, plan, readTool } from '../../core/shell/scripted.ts';
import { exporting, followContext } from './exported.ts';

followContext();

const traceId = '0af7651916cd43dd8448eb211c80319c';
const spanId = 'b7ad6b7169203331';
const placeWith = (flags: '00' | '01') => ({
  traceparent: `00-${traceId}-${spanId}-${flags}`,
  tracestate: 'rojo=1',
});

type Sent = Readonly<Record<string, string>>;
type Telemetry = ReturnType<typeof exporting>['telemetry'];

const look = [readTool('look')];

/** Each face on which another party begins a task, and hands in where it stands. */
const faces: Readonly<Record<string, (telemetry: Telemetry, sent: Sent) => Promise<void>>> = {
  HTTP: async (telemetry, headers) => {
    const { post } = await served({ guard: { telemetry } });
    const { said } = await post('/runs', { taskClass: 'job', payload: {} }, { headers });
    await post(`/runs/${String(said['taskId'])}/cancel`, {});
  },
  A2A: async (telemetry, { traceparent }) => {
    const { send } = await stage({
      model: [plan([call('look')]), draft()],
      options: { tools: look, telemetry },
    });
    await send(traceparent === undefined ? {} : { traceparent });
  },
  ...Object.fromEntries(
    Object.entries(eras).map(([era, connect]) => [
      `MCP, ${era}`,
      async (telemetry: Telemetry, meta: Sent) => {
        const { orchestrator } = fixtureOf(look, { calls: [call('look')], options: { telemetry } });
        const client = await connect(orchestrator, {});
        await client.callTool({ name: 'research', arguments: { topic: 'tides' }, _meta: { ...meta } });
      },
    ]),
  ),
};

describe.each(Object.entries(faces))('The caller’s place in a trace, over %s', (_, begin) => {
  const taskOf = async (sent: Sent) => {
    const { telemetry, spans } = exporting();
    await begin(telemetry, sent);
    const tasks = () => spans().filter(({ name }) => name.startsWith('task '));
    await expect.poll(tasks).toHaveLength(1);
    const [task] = tasks();
    return task!;
  };

  it.each(['00', '01'] as const)('is a link of the run’s own root, sampled or not: %s', async (flags) => {
    const task = await taskOf(placeWith(flags));
    expect(task.parentSpanContext).toBeUndefined();
    expect(task.spanContext()).toMatchObject({ traceFlags: 1, traceId: expect.not.stringMatching(traceId) });
    expect(task.spanContext().traceState).toBeUndefined();
    expect(task.links.map((link) => link.context)).toContainEqual(
      expect.objectContaining({ traceId, spanId }),
    );
  });

  it('does not count if it is unreadable', async () => {
    const task = await taskOf({ traceparent: 'nonsense' });
    expect(task.links).toEqual([]);
  });

  it('does not come in by the span of a server that took it over', async () => {
    const server = trace.wrapSpanContext({ traceId, spanId, traceFlags: 0, isRemote: true });
    const task = await context.with(trace.setSpan(context.active(), server), () => taskOf({}));
    expect(task.parentSpanContext).toBeUndefined();
    expect(task.links.map((link) => link.context)).toEqual([server.spanContext()]);
  });
});
