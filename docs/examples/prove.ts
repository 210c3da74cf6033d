import { taskMachine } from 'agentcharter/machines';
import {
  callOf,
  charterProperties,
  check,
  edgeCover,
  everyRunEnds,
  explore,
  inWorld,
  replay,
  staysReachable,
  type World,
} from 'agentcharter/testing';
import { setup } from 'xstate';

// Your task class, and what may happen under it: a sure model plans one write, which a person must approve.
const world: World = {
  name: 'a wire transfer',
  taskClass: {
    authorities: ['human'],
    limits: { repairs: 0, pauses: 1, revisions: 0, clearances: 0, recoveries: 0 },
  },
  plans: [[callOf.send('wire')]],
  never: ['information.requested', 'help.requested', 'output.rejected', 'question.raised', 'unsure'],
};
const graph = explore(taskMachine, inWorld(world));
const broken = check(graph, charterProperties<typeof taskMachine>(world));
const paths = edgeCover(graph);
for (const path of paths) replay(path);
console.log(`${world.name}: ${broken.length} properties broken, ${paths.length} paths replayed`);

// A chart of your own with a mistake: a reminder reopens a paid invoice.
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
for (const { trace, test } of found) console.log(`\n${trace}\n\n${test}`);
