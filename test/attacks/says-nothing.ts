import { expect } from 'vitest';
import { z } from 'zod';
import { digest } from '../../src/base/canonical/digest.ts';
import type { CallContext } from '../../src/index.ts';
import type { EvidenceClauseDefinition } from '../../src/base/define/evidence.ts';
import { scene } from '../src/core/shell/scene.ts';
import { call, draft, plan, readTool, writeTool } from '../src/core/shell/scripted.ts';
import { failedSafe, type Attack, type Stop } from './attack.ts';

const number = 43;
const source = 'UAICP 5.1';
const stockOfOrder = { order: 'A-1', stock: 7 };

type Look = (context: CallContext) => unknown;

/** A write that rests on what was looked up before it. */
const resting = (
  look: Look,
  clause: Partial<EvidenceClauseDefinition>,
  orders: readonly string[] = ['A-1'],
) =>
  scene({
    model: [plan([call('stock'), ...orders.map((order) => call('ship', { order }))]), draft()],
    tools: [readTool('stock', { call: (_, context) => look(context) }), writeTool('ship')],
    taskClass: {
      beforeWrite: { evidence: [{ type: 'tool_result', tool: 'stock', ...clause }] },
      limits: { repairs: 0 },
    },
  });

interface Silence {
  readonly look: Look;
  readonly clause?: Partial<EvidenceClauseDefinition>;
  readonly orders?: readonly string[];
}

/** The same write is made where the look-up says something. */
const silent = (
  attempt: string,
  { look, clause = {}, orders }: Silence,
  expected: Stop = 'EVIDENCE_MISSING',
): Attack => ({
  number,
  attempt,
  expected,
  source,
  run: async () => {
    const control = resting(() => stockOfOrder, clause);
    expect(await control.ended(await control.submit())).toMatchObject({ outcome: 'success' });
    const one = resting(look, clause, orders);
    const stop = await failedSafe(one, await one.submit());
    expect(one.invocations.map(({ tool }) => tool)).toEqual(['stock']);
    return stop;
  },
});

const empty: readonly Attack[] = ([null, undefined, '', [], {}] as const).map((payload) =>
  silent(`a result that is ${payload === undefined ? 'undefined' : JSON.stringify(payload)}`, {
    look: () => payload,
  }),
);

/** Evidence as another party states it, with nothing in it. */
const stated = ({ call: id, requestId, traceId, evidence }: CallContext, payload: null | readonly []) =>
  evidence({
    evidence_id: 'e-1',
    evidence_type: 'tool_result',
    source: 'stock',
    request_id: requestId,
    trace_id: traceId,
    hash: digest(payload),
    collected_at: '2026-11-21T05:00:00.000Z',
    payload,
    'agentcharter:call': id,
  });

const where = { where: z.object({ stock: z.number().positive() }) };
const ofRequest = { about: { evidence: '/wish', request: '/wish' } } as const;
const ofAction = { about: { evidence: '/order', action: '/order' } } as const;

const errors: readonly Attack[] = [
  silent(
    'a result that says that it is an error',
    { look: () => ({ ...stockOfOrder, isError: true }) },
    'TOOL_FAILED',
  ),
  silent(
    'evidence of another party whose payload says that it is an error',
    {
      look: ({ call: id, requestId, traceId, evidence }) => {
        const payload = { ...stockOfOrder, isError: true };
        return evidence({
          evidence_id: 'e-1',
          evidence_type: 'tool_result',
          source: 'stock',
          request_id: requestId,
          trace_id: traceId,
          hash: digest(payload),
          collected_at: '2026-11-21T05:00:00.000Z',
          payload,
          'agentcharter:call': id,
        });
      },
    },
    'TOOL_FAILED',
  ),
  silent('evidence of another party with a right hash of nothing', {
    look: (context) => stated(context, null),
  }),
  silent('evidence of another party with an empty list', { look: (context) => stated(context, []) }),
];

const others: readonly Attack[] = [
  silent('evidence about another order than the write’s', {
    look: () => ({ ...stockOfOrder, order: 'B-2' }),
    clause: ofAction,
  }),
  silent('evidence about no order at all', { look: () => ({ stock: 7 }), clause: ofAction }),
  silent('evidence about a list that holds the order, and no more', {
    look: () => ({ ...stockOfOrder, order: ['A-1'] }),
    clause: ofAction,
  }),
  silent('evidence about one of two orders, for both', {
    look: () => stockOfOrder,
    clause: ofAction,
    orders: ['A-1', 'B-2'],
  }),
  silent('a payload that fails what the requirement asks of it', {
    look: () => ({ ...stockOfOrder, stock: 0 }),
    clause: where,
  }),
  silent('a payload that leaves out what the requirement asks for', {
    look: () => ({ order: 'A-1' }),
    clause: where,
  }),
  silent('a payload that is right only once a schema has mended it', {
    look: () => ({ ...stockOfOrder, stock: '7' }),
    clause: where,
  }),
  silent('a payload on which the schema of the requirement throws', {
    look: () => ({ ...stockOfOrder, stock: -1 }),
    clause: {
      where: z.object({ stock: z.number() }).refine(({ stock }) => {
        if (stock < 0) throw new Error('down');
        return true;
      }),
    },
  }),
];

const ofAnotherRequest: Attack = {
  number,
  attempt: 'evidence about another wish than the request’s',
  expected: 'EVIDENCE_MISSING',
  source,
  run: async () => {
    const control = resting(() => ({ wish: 'a list' }), ofRequest);
    expect(await control.ended(await control.submit())).toMatchObject({ outcome: 'success' });
    const one = resting(() => ({ wish: 'another' }), ofRequest);
    const stop = await failedSafe(one, await one.submit());
    expect(one.invocations.map(({ tool }) => tool)).toEqual(['stock']);
    return stop;
  },
};

/** An answer that rests on a list with nothing in it. */
const answering = (clause: Partial<EvidenceClauseDefinition>) =>
  scene({
    model: [plan([call('stock')]), draft()],
    tools: [readTool('stock', { call: () => [] })],
    taskClass: {
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'stock', ...clause }] },
      limits: { repairs: 0 },
    },
  });

const delivered: Attack = {
  number,
  attempt: 'an answer that cites an empty list, next to a class that accepts one',
  expected: 'EVIDENCE_MISSING',
  source,
  run: async () => {
    const control = answering({ allowEmpty: true });
    expect(await control.ended(await control.submit())).toMatchObject({ outcome: 'success' });
    const one = answering({});
    return failedSafe(one, await one.submit());
  },
};

/** Evidence that is there, and says nothing. */
export const saysNothing: readonly Attack[] = [...empty, ...errors, ...others, ofAnotherRequest, delivered];
