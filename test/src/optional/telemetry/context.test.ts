import { context, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { defineTaskClass, defineTaskTool, type Turn } from '../../../../src/index.ts';
import type { TraceContext } from '../../../../src/base/ports/telemetry.ts';
import { formatTraceparent, parseTraceparent } from '../../../../src/base/trace/traceparent.ts';
import { passes, scene, type Given } from '../../core/shell/scene.ts';
import { memoryDatabase } from '../../../../src/stores/memory/database.ts';
import { call, draft, identity, plan, readTool, writeTool } from '../../core/shell/scripted.ts';
import { settle } from '../../core/shell/simulated-clock.ts';
import { activeSpanId, exporting, followContext, followed, traceparentOf } from './exported.ts';

followContext();

const came = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

/** Everybody who is asked on the way to a write that is rolled back, and where each of them stands. */
const recordingContexts = () => {
  const places: Record<string, { readonly at: Partial<TraceContext>; readonly active: string | undefined }> =
    {};
  const asked = (name: string, { traceparent, tracestate }: Partial<TraceContext>): void => {
    const at = { ...(traceparent && { traceparent }), ...(tracestate && { tracestate }) };
    places[name] = { at, active: activeSpanId() };
  };
  const given: Given = {
    tools: [
      writeTool('send', {
        call: async (_, options) => {
          await settle();
          asked('execute_tool send', options);
        },
        rollback: {
          describe: () => ({ type: 'inverse', target: 'send', payload: {} }),
          run: async (_, options) => asked('rollback send', options),
        },
      }),
    ],
    taskClass: {
      beforeDeliver: { verifiers: ['checker'] },
      limits: { repairs: 0 },
    },
    options: {
      model: {
        answer: async ({ asks }, options) => {
          asked(`chat ${asks}`, options);
          return asks === 'plan' ? plan([call('send')]) : draft();
        },
      },
      policy: {
        decide: (_, options) => {
          asked('policy send', options);
          return { verdict: 'allow', reasons: [] };
        },
      },
      verifiers: [
        {
          id: 'checker',
          verify: (_, options) => {
            asked('verify checker', options);
            return { checks: [{ check_id: 'it', result: 'fail' }] };
          },
        },
      ],
    },
  };
  return { given, places };
};

describe('the trace of a task', () => {
  it('is that of its records when the request has no traceparent', async () => {
    const scenario = followed({});
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    const traceIds = new Set(scenario.spans().map((span) => span.spanContext().traceId));
    const recorded = new Set((await scenario.orchestrator.ledger(taskId)).map(({ trace_id }) => trace_id));
    expect([...recorded]).toEqual([...traceIds]);
    expect(recorded.size).toBe(1);
  });

  it('is that of the request’s traceparent, below the sender’s span', async () => {
    const scenario = followed({});
    const tracestate = 'rojo=00f067aa0ba902b7,congo=t61rcWkgMzE';
    const request = { taskClass: 'work', payload: {}, identity, traceparent: came, tracestate };
    const { taskId } = await scenario.orchestrator.submit(request);
    await scenario.ended(taskId);
    const span = scenario.one('task work');
    const { parentSpanContext } = span;
    expect(span.spanContext().traceId).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(parentSpanContext).toMatchObject({ spanId: 'b7ad6b7169203331', isRemote: true });
    expect(span.spanContext().traceState?.serialize()).toBe(tracestate);
    const [first] = await scenario.orchestrator.ledger(taskId);
    expect(first?.trace_id).toBe('0af7651916cd43dd8448eb211c80319c');
    expect(first?.brought.request).toMatchObject({ traceparent: came, tracestate });
  });

  it('continues the active trace of the submitting code', async () => {
    const scenario = followed({});
    const host = scenario.tracer.startSpan('POST /tasks');
    const taskId = await context.with(trace.setSpan(context.active(), host), () => scenario.submit());
    host.end();
    await scenario.ended(taskId);
    expect(scenario.one('task work').parentSpanContext?.spanId).toBe(host.spanContext().spanId);
    const [first] = await scenario.orchestrator.ledger(taskId);
    expect(first?.trace_id).toBe(host.spanContext().traceId);
  });

  it('is separate for a nested request (UAICP 4.3), with a link to the submitting span', async () => {
    const scenario = followed({});
    const host = scenario.tracer.startSpan('coordinator');
    const parentTraceId = host.spanContext().traceId;
    const request = { taskClass: 'work', payload: {}, identity, parentTraceId };
    const { taskId } = await context.with(trace.setSpan(context.active(), host), () =>
      scenario.orchestrator.submit(request),
    );
    await scenario.ended(taskId);
    const span = scenario.one('task work');
    const { parentSpanContext, links, attributes } = span;
    expect(parentSpanContext).toBeUndefined();
    expect(span.spanContext().traceId).not.toBe(parentTraceId);
    expect(links.map((link) => link.context.spanId)).toEqual([host.spanContext().spanId]);
    expect(attributes['agentcharter.parent_trace_id']).toBe(parentTraceId);
  });

  it('is separate for a request with linked traces, and the same after a restart', async () => {
    const database = memoryDatabase();
    const store = () => ({ store: database.connect() });
    const linkedTraces = [{ traceparent: `${came.slice(0, -2)}00`, tracestate: 'rojo=1' }];
    const pausing: Given = {
      model: [plan([call('send')]), draft()],
      tools: [writeTool('send')],
      policy: 'needs_review',
    };
    const first = followed({ ...pausing, options: store() });
    const { taskId } = await first.orchestrator.submit({
      taskClass: 'work',
      payload: {},
      identity,
      linkedTraces,
    });
    await expect.poll(() => first.orchestrator.inbox()).toHaveLength(1);
    await first.orchestrator.close();
    const next = followed({ ...pausing, options: store() });
    await next.orchestrator.recover();
    await next.orchestrator.cancel(taskId, { by: 'dana' });
    await next.ended(taskId);
    const [before, after] = [first.one('task work'), next.one('task work')];
    for (const { links } of [before, after])
      expect(links.map(({ context: at }) => [at.spanId, at.traceState?.get('rojo')])).toEqual([
        ['b7ad6b7169203331', '1'],
      ]);
    expect(before.parentSpanContext).toBeUndefined();
    expect(after.spanContext().traceId).toBe(before.spanContext().traceId);
    const [record] = await next.orchestrator.ledger(taskId);
    expect(record?.brought.request).toMatchObject({ linkedTraces });
  });

  it('is separate for a child task, with a link to the span of the parent’s call', async () => {
    const research = defineTaskTool({
      name: 'research',
      description: 'finds out',
      tier: 'read_only',
      input: z.object({}),
      taskClass: 'research',
      request: () => ({ payload: {} }),
    });
    const scenario = followed({
      model: ({ taskClass, asks }: Pick<Turn, 'taskClass' | 'asks'>) =>
        asks === 'plan' ? plan([call(taskClass === 'work' ? 'research' : 'look')]) : draft(),
      tools: [readTool('look'), research],
      options: {
        taskClasses: [
          defineTaskClass({ id: 'work', tools: ['research'] }),
          defineTaskClass({ id: 'research', tools: ['look'] }),
        ],
      },
    });
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    expect(scenario.tree()).toMatchInlineSnapshot(`
      [
        "task work: success",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool research: waiting",
        "  execute",
        "    chat: answered",
        "  verify",
        "    gate deliver: open",
        "  deliver",
        "task research: success",
        "  intake",
        "  plan",
        "    chat: answered",
        "    gate execute: open",
        "  execute",
        "    execute_tool look: succeeded",
        "    chat: answered",
        "  verify",
        "    gate deliver: open",
        "  deliver",
      ]
    `);
    const [begun] = scenario.named('execute_tool research');
    const span = scenario.one('task research');
    const { links, attributes } = span;
    const parent = scenario.one('task work').spanContext();
    expect(links.map((link) => link.context)).toEqual([expect.objectContaining(ids(begun!.spanContext()))]);
    expect(span.spanContext().traceId).not.toBe(parent.traceId);
    expect(attributes['agentcharter.parent_trace_id']).toBe(parent.traceId);
    const child = (await scenario.orchestrator.list()).find(({ taskClass }) => taskClass === 'research');
    const [first] = await scenario.orchestrator.ledger(child!.taskId);
    expect(first?.trace_id).toBe(span.spanContext().traceId);
  });
});

const ids = ({ traceId, spanId }: { traceId: string; spanId: string }) => ({ traceId, spanId });

describe('a model, tool, verifier or policy', () => {
  it('runs in its own span and receives it as traceparent', async () => {
    const { given, places } = recordingContexts();
    const scenario = followed(given);
    await scenario.ended(await scenario.submit());
    const chats = scenario.named('chat');
    expect(chats).toHaveLength(2);
    const policies = scenario.named('policy send'); // it is asked again where the write begins
    expect(policies).toHaveLength(2);
    const expected = {
      'chat plan': chats[0]!,
      'policy send': policies.at(-1)!,
      'execute_tool send': scenario.one('execute_tool send'),
      'chat draft': chats[1]!,
      'verify checker': scenario.one('verify checker'),
      'rollback send': scenario.one('rollback send'),
    };
    expect(places).toEqual(
      Object.fromEntries(
        Object.entries(expected).map(([name, span]) => [
          name,
          { at: { traceparent: traceparentOf(span) }, active: span.spanContext().spanId },
        ]),
      ),
    );
  });

  it('has its instrumented spans below its own span, even after a wait', async () => {
    const scenario = followed({
      model: [plan([call('look')]), draft()],
      tools: [
        readTool('look', {
          call: async () => {
            await settle();
            scenario.tracer.startSpan('GET /weather').end();
          },
        }),
      ],
    });
    await scenario.ended(await scenario.submit());
    expect(scenario.one('GET /weather').parentSpanContext?.spanId).toBe(
      scenario.one('execute_tool look').spanContext().spanId,
    );
  });

  it('receives the incoming tracestate and the flags of an unsampled request', async () => {
    for (const telemetry of [exporting().telemetry, undefined]) {
      const { given, places } = recordingContexts();
      const { orchestrator, ended } = scene({
        ...given,
        options: { ...given.options, ...(telemetry && { telemetry }) },
      });
      const traceparent = `${came.slice(0, -2)}00`;
      const request = { taskClass: 'work', payload: {}, identity, traceparent, tracestate: 'rojo=1' };
      await ended((await orchestrator.submit(request)).taskId);
      expect(Object.keys(places)).toHaveLength(6);
      for (const { at } of Object.values(places)) {
        expect(at.tracestate).toBe('rojo=1');
        expect(at.traceparent).toMatch(/^00-0af7651916cd43dd8448eb211c80319c-[\da-f]{16}-00$/);
        expect(at.traceparent).not.toContain('b7ad6b7169203331');
      }
    }
  });

  it('receives a span id of its own in the recorded trace without telemetry', async () => {
    const { given, places } = recordingContexts();
    const scenario = scene(given);
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    const [first] = await scenario.orchestrator.ledger(taskId);
    const read = Object.values(places).map(({ at }) => parseTraceparent(at.traceparent ?? ''));
    expect(read).toHaveLength(6);
    expect(new Set(read.map((one) => one?.spanId)).size).toBe(6);
    for (const one of read) expect(one).toMatchObject({ traceId: first?.trace_id, flags: 1 });
  });

  it('receives one also from a tracer that records nothing', async () => {
    const { given, places } = recordingContexts();
    const { tracer } = exporting();
    const nothing = { startSpan: () => trace.wrapSpanContext({ traceId: '0', spanId: '0', traceFlags: 0 }) };
    const { openTelemetry } = await import('agentcharter/telemetry');
    const scenario = scene({
      ...given,
      options: { ...given.options, telemetry: openTelemetry({ tracer: { ...tracer, ...nothing } }) },
    });
    const taskId = await scenario.submit();
    await scenario.ended(taskId);
    const [first] = await scenario.orchestrator.ledger(taskId);
    for (const { at } of Object.values(places))
      expect(parseTraceparent(at.traceparent ?? '')?.traceId).toBe(first?.trace_id);
  });
});

describe('a submission', () => {
  it.each([
    ['/traceparent', { traceparent: came.toUpperCase() }],
    [
      '/traceparent',
      { traceparent: formatTraceparent({ traceId: '0'.repeat(32), spanId: 'b7ad6b7169203331', flags: 1 }) },
    ],
    ['/traceparent', { traceparent: '' }],
    ['/tracestate', { traceparent: came, tracestate: 'A=1' }],
    ['/tracestate', { tracestate: 'rojo=1' }],
    ['/linkedTraces/0/traceparent', { linkedTraces: [{ traceparent: '' }] }],
    ['/linkedTraces/0/tracestate', { linkedTraces: [{ traceparent: came, tracestate: 'A=1' }] }],
    ['/linkedTraces', { traceparent: came, linkedTraces: [] }],
  ])('with an invalid %s is rejected: %o', async (path, more) => {
    const { orchestrator } = scene({});
    await expect(
      orchestrator.submit({ taskClass: 'work', payload: {}, identity, ...more }),
    ).rejects.toMatchObject({
      code: 'document_invalid',
      details: { issues: [{ path, message: expect.stringMatching(/^expected (a|none) /) }] },
    });
    expect(await orchestrator.list()).toEqual([]);
  });

  it('with a later version of the header is parsed by the shared fields', async () => {
    const scenario = followed({ verifiers: { checker: passes } });
    const traceparent = `cc${came.slice(2)}-what-the-future-will-be-like`;
    const { taskId } = await scenario.orchestrator.submit({
      taskClass: 'work',
      payload: {},
      identity,
      traceparent,
    });
    await scenario.ended(taskId);
    expect(scenario.one('task work').parentSpanContext?.spanId).toBe('b7ad6b7169203331');
  });
});
