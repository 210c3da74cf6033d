import { explore } from 'agentcharter/testing';
import { assign, createMachine } from 'xstate';
import type { Programs } from './reached.ts';

const counter = createMachine({
  id: 'counter',
  context: { count: 0 },
  on: { add: { actions: assign(({ context }) => ({ count: context.count + 1 })) } },
});
const watch = createMachine({ id: 'watch', context: { marks: new Map() } });
const broken = createMachine({
  id: 'broken',
  initial: 'idle',
  states: {
    idle: {
      on: {
        begin: {
          guard: () => {
            throw new TypeError('no rules');
          },
        },
      },
    },
  },
});

export const chartErrors: Programs<
  'chart_unbounded' | 'chart_unreadable' | 'chart_broken' | 'chart_refuses'
> = {
  chart_unbounded: {
    program: () => explore(counter, { events: [{ type: 'add' }], limit: 10 }),
    says: 'counter has more than 10 states: bound what grows in its context, omit it with `project`, or raise `limit`.',
    details: { machine: 'counter', limit: 10, state: '' },
  },
  chart_unreadable: {
    program: () => explore(watch, { events: [] }),
    says: 'The context of watch holds an object that is not a plain record or list at "/marks": project it to plain data.',
    details: { machine: 'watch', path: '/marks', reason: 'an object that is not a plain record or list' },
  },
  chart_broken: {
    program: () => explore(broken, { events: [{ type: 'begin' }] }),
    says: "broken threw in idle: Error: Unable to evaluate guard in transition for event 'begin' in state node 'broken.idle': no rules; replay `details.events` to find the guard or action, and correct it.",
    details: { machine: 'broken', events: ['{"type":"begin"}'], state: 'idle' },
    cause: 'no rules',
  },
  chart_refuses: {
    program: () => explore(broken, { events: [], after: [{ type: 'end' }] }),
    says: 'broken refuses end in idle: replace `after[0]` with an event that it accepts there.',
    details: { machine: 'broken', event: 'end', state: 'idle', at: 0 },
  },
};
