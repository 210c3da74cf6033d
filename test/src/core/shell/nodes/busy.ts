import { createOrchestrator, defineTaskClass, defineTool } from '../../../../../src/index.ts';
import { postgresStore } from '../../../../../src/stores/postgres.ts';
import { AnyInput, call, draft, plan } from '../scripted.ts';

// A node whose model keeps the event loop busy for longer than a lease.

const [, , connectionString = '', schema = '', lease = '', busy = ''] = process.argv;

const orchestrator = createOrchestrator({
  taskClasses: [defineTaskClass({ id: 'work', tools: ['write'] })],
  tools: [
    defineTool({
      name: 'write',
      description: 'Writes.',
      tier: 'write_low_risk',
      input: AnyInput,
      doubt: 'unsafe',
      call: async (_, { mayAct }) => {
        if (!mayAct()) throw new Error('it may not act');
        process.send?.('made');
        return {};
      },
    }),
  ],
  model: {
    answer: async ({ asks }) => {
      process.send?.('busy');
      const ends = performance.now() + Number(busy);
      while (performance.now() < ends);
      return asks === 'plan' ? plan([call('write')]) : draft();
    },
  },
  policy: { decide: () => ({ verdict: 'allow', reasons: ['r'] }) },
  store: postgresStore({ connectionString, schema, lease: Number(lease), poll: 50 }),
});
orchestrator.on('lost', () => process.send?.('lost'));
await orchestrator.recover();
process.send?.('ready');
process.on('disconnect', () => process.exit());
