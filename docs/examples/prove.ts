import { check, everyRunEnds, explore, staysReachable } from 'agentcharter/testing';
import { setup } from 'xstate';

// A chart with a mistake: a reminder reopens what was paid.
// oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- it is what XState infers its types from
const invoice = setup({ types: {} as { events: { type: 'approve' | 'pay' | 'remind' } } }).createMachine({
  id: 'invoice',
  initial: 'open',
  states: {
    open: { on: { approve: 'approved', remind: 'open' } },
    approved: { on: { pay: 'paid', remind: 'open' } },
    paid: { on: { remind: 'open' } },
  },
});
const found = check(
  explore(invoice, { events: [{ type: 'approve' }, { type: 'pay' }, { type: 'remind' }] }),
  [
    staysReachable('it can always be paid', (snapshot) => snapshot.matches('paid')),
    everyRunEnds(
      'a paid invoice stays paid',
      ({ from, event }) => event.type === 'remind' && from.value !== 'paid',
    ),
  ],
);
for (const { trace } of found) console.log(trace); // `test` is the body of a test
