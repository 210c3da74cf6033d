import { defineTaskClass } from 'agentcharter';
import { guardTool } from 'agentcharter/guard';
import { scenario } from 'agentcharter/testing';
import { expect, it } from 'vitest';
import { loadMediation } from '../../../../src/core/shell/semantics.ts';
import * as z from 'zod';

const find = guardTool(
  { name: 'orders.find', input: z.object({ id: z.string() }), execute: ({ id }) => ({ id }) },
  { tier: 'read_only' },
);
const support = defineTaskClass({
  id: 'support',
  tools: ['orders.find'],
  output: z.object({ text: z.string() }),
});

it('goes on after a call of the agent that its schema refuses, before the scenario rests', async () => {
  for (let round = 0; round < 10; round += 1) {
    const desk = scenario({ tools: [find], taskClasses: [support] });
    const given = { tool: 'orders.find', arguments: { id: 3 } } as never;
    const run = await desk
      .given({ agents: { support: [{ calls: [given] }, { payload: { text: 'x' } }] } })
      .when({ taskClass: 'support', payload: {} });
    expect(run.expectDelivered()).toEqual({ text: 'x' });
  }
});

it('loads what maps payloads once: to load it again would take real time, in which a scenario rests', () => {
  expect(loadMediation()).toBe(loadMediation());
});
