import { existsSync, writeSync } from 'node:fs';
import { createOrchestrator, defineTaskClass, defineVerifier } from '../../../../../src/index.ts';
import { postgresStore } from '../../../../../src/stores/postgres.ts';
import { call, draft, identity, plan, writeTool } from '../scripted.ts';

/** A node that is a process of its own. It ends in the function of this name, unless the file is there. */
const [, , deadly = '', connectionString = '', schema = '', file = ''] = process.argv;

const print = (line: string): void => void writeSync(1, `${line}\n`);

const mayEnd = (name: string): void => {
  if (name === deadly && !existsSync(file)) process.exit(9);
};

const orchestrator = createOrchestrator({
  taskClasses: [
    defineTaskClass({
      id: 'work',
      tools: ['write'],
      beforeDeliver: { verifiers: ['judge'] },
      limits: { repairs: 0 },
    }),
  ],
  tools: [writeTool('write')],
  model: {
    answer: async ({ asks }) => {
      mayEnd('model');
      return asks === 'plan' ? plan(deadly === 'policy' ? [call('write')] : []) : draft();
    },
  },
  verifiers: [
    defineVerifier({
      id: 'judge',
      verify: async () => {
        mayEnd('verifier');
        return { checks: [{ check_id: 'a', result: 'pass' }] };
      },
    }),
  ],
  policy: {
    decide: async () => {
      mayEnd('policy');
      return { verdict: 'allow', reasons: [] };
    },
  },
  store: postgresStore({ connectionString, schema, lease: 300, poll: 100 }),
});
orchestrator.on('error', ({ error }) => print(`error ${String(error)}`));

await orchestrator.recover();
const { taskId } = await orchestrator.submit(
  { taskClass: 'work', payload: {}, identity },
  { key: 'one task' },
);
print(`task ${taskId}`);
