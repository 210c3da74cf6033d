import { appendFileSync, writeSync } from 'node:fs';
import { createOrchestrator, defineTaskClass } from '../../../../../src/index.ts';
import { postgresStore } from '../../../../../src/stores/postgres.ts';
import { draft, identity, never, plan, scriptedPolicy, writeTool } from '../scripted.ts';

/**
 * A node that is a process of its own: it prints what it does, and writes each effect to a file of the world. Its clock is
 * ahead by so many milliseconds.
 */
const [, , name = '', connectionString = '', schema = '', world = '', works = '', ahead = '0'] = process.argv;

const machineTime = Date.now;
Date.now = () => machineTime() + Number(ahead);

const print = (line: string): void => void writeSync(1, `${line}\n`);

const orchestrator = createOrchestrator({
  taskClasses: [defineTaskClass({ id: 'work', tools: ['write'] })],
  tools: [
    writeTool('write', {
      doubt: 'idempotent',
      call: async (_, { fence, key, mayAct, signal }) => {
        print(`call ${fence}`);
        if (works === 'hangs') return never(signal);
        if (!mayAct()) throw new Error('another node holds the task');
        appendFileSync(world, `${JSON.stringify({ name, fence, key })}\n`);
        return { written: true };
      },
    }),
  ],
  model: {
    answer: async ({ asks }) => (asks === 'plan' ? plan([{ tool: 'write', arguments: { of: 1 } }]) : draft()),
  },
  policy: scriptedPolicy('allow').policy,
  store: postgresStore({ connectionString, schema, lease: 1_000, poll: 100 }),
});
orchestrator.on('error', ({ error }) => print(`error ${String(error)}`));
orchestrator.on('settled', ({ taskId }) => print(`settled ${taskId}`));

await orchestrator.recover();
print('ready');
if (works === 'hangs') {
  const { taskId } = await orchestrator.submit({ taskClass: 'work', payload: {}, identity });
  print(`task ${taskId}`);
}
