import { copyFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  createOrchestrator,
  defineTaskClass,
  type Model,
  type OrchestratorOptions,
} from '../../../../src/index.ts';
import { toJsonLines } from '../../../../src/core/ledger/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

export const identity = {
  agent_id: 'writer',
  owner_id: 'acme',
  control_class: 'human-supervised' as const,
};

/** A model that is unsure of letters, and sure of notes. */
const model: Model = {
  answer: async ({ asks, taskClass }) =>
    asks === 'plan'
      ? {
          canProceed: true,
          confidence: taskClass === 'letter' ? 0.4 : 0.9,
          explanation: 'A letter to the landlord.',
          calls: [],
        }
      : {
          canProceed: true,
          confidence: 0.9,
          explanation: 'It is written.',
          payload: { letter: 'Dear landlord' },
        },
};

export const options = (): OrchestratorOptions => ({
  taskClasses: [defineTaskClass({ id: 'letter', tools: [] }), defineTaskClass({ id: 'note', tools: [] })],
  model,
});

const charter = `import { options, identity } from '${root}test/src/apps/cli/folder.ts';
export default options;
export const submissions = [
  { taskClass: 'letter', payload: {}, explanation: 'Write a letter.', identity, key: 'letter 1' },
  { taskClass: 'note', payload: {}, explanation: 'Write a note.', identity },
];
`;

const invoice = `import { setup } from 'xstate';
import { staysReachable } from 'agentcharter/testing';
export default setup({}).createMachine({
  id: 'invoice',
  initial: 'open',
  states: { open: { on: { approve: 'approved' } }, approved: { on: { pay: 'paid' } }, paid: { on: {} } },
});
export const events = [{ type: 'approve' }, { type: 'pay' }];
export const properties = [staysReachable('it can always be paid', (snapshot) => snapshot.matches('paid'))];
`;

const world = `import { callOf } from 'agentcharter/testing';
export const world = {
  name: 'a search',
  taskClass: { limits: { repairs: 0, pauses: 0, revisions: 0 } },
  plans: [[callOf.read('search')]],
  never: ['information.requested', 'help.requested', 'output.rejected', 'question.raised', 'unsure'],
};
`;

const gateway = `servers:
  shop: { command: node, args: ['${root}test/src/apps/gateway/shop.mjs'] }
tools:
  shop.find_order: { tier: read_only }
  shop.refund: { rollback: person }
`;

const subject = `export { agentcharterSubject as default } from '${root}docs/examples/conformance/agentcharter-subject.ts';\n`;

/** Identifiers that are the same in every run. */
const counted = () => {
  let count = 0;
  return {
    uuid: () => `01936d5e-0000-7000-8000-${String((count += 1)).padStart(12, '0')}`,
    traceId: () => String((count += 1)).padStart(32, '0'),
  };
};

const fill = async (folder: string): Promise<void> => {
  await using orchestrator = createOrchestrator({
    ...options(),
    store: sqliteStore(join(folder, 'tasks.db')),
    ids: counted(),
  });
  const asked = new Promise((resolve) => orchestrator.on('question', resolve));
  await orchestrator.submit({ taskClass: 'letter', payload: {}, explanation: 'Write a letter.', identity });
  await asked;
  const { taskId } = await orchestrator.submit({ taskClass: 'note', payload: {}, identity });
  await orchestrator.settled(taskId);
  await writeFile(join(folder, 'trail.jsonl'), toJsonLines(await orchestrator.ledger(taskId)));
};

let made: Promise<string> | undefined;
const folders: string[] = [];
const fresh = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'agentcharter-cli-'));
  folders.push(folder);
  return folder;
};

const make = async (): Promise<string> => {
  const folder = await fresh();
  const answers = { by: 'dana', answers: { plan: { type: 'approve' } } };
  const feedback = { type: 'approve', target: '01936d5e-0000-7000-8000-000000000001' };
  const files = {
    'package.json': '{ "type": "module" }',
    'charter.js': charter,
    'charter.yaml': gateway,
    'invoice.js': invoice,
    'world.js': world,
    'subject.js': subject,
    'answers.json': JSON.stringify(answers),
    'feedback.json': JSON.stringify(feedback),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  await fill(folder);
  return folder;
};

/** A folder of its own, with all that the examples of the help name. */
export const folder = async (): Promise<string> => {
  const own = await fresh();
  const template = await (made ??= make());
  // what SQLite keeps beside its file comes and goes, and is in the file when that is closed
  for (const name of (await readdir(template)).filter((name) => !/-(wal|shm)$/.test(name)))
    await copyFile(join(template, name), join(own, name));
  return own;
};

/** Takes all folders away. */
export const removeFolders = async (): Promise<void> => {
  made = undefined;
  await Promise.all(folders.splice(0).map((one) => rm(one, { recursive: true })));
};
