import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { openEditor } from './editor.ts';
import { install, type Installed } from './installed.ts';
import { compilerPage, errorsIn } from './page.ts';
import { parts, wrong } from './wrong.ts';

const fileOf = (index: number): string => `wrong-${index}.ts`;

const imported = [...parts.matchAll(/export (?:declare )?const (\w+)/g)].map(([, name]) => name ?? '');
const names = [
  ...imported,
  'createGuard',
  'createOrchestrator',
  'defineTaskClass',
  'defineTool',
  'guardTool',
  'prove',
  'tablePolicy',
  'input',
  'call',
];
const header = `import { ${names.join(', ')} } from './parts.js';\n`;

let installed: Installed;
/** The errors of all programs of this file, by the name of its file: one run of the compiler. */
let errors: ReadonlyMap<string, readonly string[]>;
let printed: string;
beforeAll(async () => {
  installed = await install();
  const programs = wrong.map(({ program }, index) => [fileOf(index), header + program] as const);
  const right = { 'inferred.ts': inferred, 'parts.ts': parts, 'right.ts': correct };
  printed = await installed.compile({ ...right, ...Object.fromEntries(programs) });
  errors = errorsIn(printed);
});
afterAll(() => installed.remove());

/** Exports types that TypeScript infers, and no annotation of them. */
const inferred = `
import { createOrchestrator, deadlines, defineTaskClass } from 'agentcharter';
import type { Model, Orchestrator, OrchestratorOptions, Rollback, TaskClassDefinition, Tool, Turn } from 'agentcharter';
type Who = Parameters<Orchestrator['respond']>[1];
export const limits = deadlines;
export const tools = (turn: Turn) => turn.tools;
export const calls = (turn: Turn) => turn.calls;
export const answer = (turn: Turn) => turn.answers[0];
export const { contract, checks, beforeDeliver } = defineTaskClass({ id: 'letter', tools: [] });
export const evidence = (definition: TaskClassDefinition) => definition.beforeWrite?.evidence?.[0];
export const output = ({ output }: TaskClassDefinition) => output;
export const issues = ({ output }: TaskClassDefinition) => output?.['~standard'].validate;
export const offer = (definition: TaskClassDefinition) => definition.followup;
export const orchestrator = (model: Model) => createOrchestrator({ model, taskClasses: [] });
export const who = (by: Who) => by;
export const refused = (why: Parameters<Orchestrator['refuse']>[1]) => why;
export const listen = ({ on }: Orchestrator) => on;
export const options = (model: Model) => (given: Parameters<Model['answer']>[1]) => [model, given];
export const given = ({ redact, attest, limits, mayRespond }: OrchestratorOptions) => ({ redact, attest, limits, mayRespond });
export const described = ({ describe, doubt }: Rollback) => ({ describe, doubt });
export const tool = ({ child, doubt, call }: Tool) => ({ child, doubt, call });
`;

it('declares inferred types of the root without an annotation, from its entries alone', async () => {
  expect(errors.get('inferred.ts')).toBeUndefined();
  const declarations = await installed.read('out/inferred.d.ts');
  expect(declarations).toContain('readonly import("agentcharter/types").ToolListing[]');
  expect(declarations).not.toContain('dist/');
});

/** A program as it is being written. */
const edited = `
import { guard, identity } from './parts.js';

const run = await guard.begin({ taskClass: '', payload: {}, identity });
await run.call('', {});
`;

it('offers names in an editor, and shows what was written', async ({ onTestFinished }) => {
  const editor = await openEditor(installed.folder, edited);
  onTestFinished(editor.close);
  expect(await editor.offers("taskClass: '")).toEqual(['refunds']);
  expect(await editor.offers("run.call('")).toEqual(['order.find', 'refund']);
  const guard = await editor.shows('guard.begin');
  expect(guard).toMatch(/Tool<"refund", \{\s+order: string;\s+cents: number;/);
  expect(guard).toContain('DefinedTaskClass<"refunds", readonly ["order.find", "refund"]');
});

/** Uses that must compile, and whose types are checked by what they are given to. */
const correct = `
import type { Guard, GuardedAgent, GuardOptions } from 'agentcharter/guard';
import { createOrchestrator, defineTaskTool, type Orchestrator, type OrchestratorOptions, type Policy, type Tool } from 'agentcharter';
import { createGuard, defineTaskClass, defineTool, find, guardTool, input, call, guard, identity, model, orchestrator, prove, refunds, request, scenarios, tablePolicy, tools, z } from './parts.js';

const { taskId } = await orchestrator.submit(request);
const ended = await orchestrator.settled(taskId);
if (ended.outcome === 'success') ended.message.payload.refunded satisfies number;
(await orchestrator.settled('any task')).message.payload satisfies object;

const run = await guard.begin(request);
const made = await run.call('refund', { order: 'A-7', cents: 12 });
const concluded = await run.conclude({ payload: { refunded: 12 } });
if (concluded.status === 'delivered') concluded.payload.refunded satisfies number;

// names that are known at run time only
declare const discovered: readonly Tool[];
const names = discovered.map(({ name }) => name);
const open = defineTaskClass({ id: 'open', tools: names });
createOrchestrator({ tools: discovered, taskClasses: [open], model });
createOrchestrator({ tools: [...tools, ...discovered], taskClasses: [refunds, open], model });
declare const options: OrchestratorOptions;
createOrchestrator(options);
createOrchestrator({ ...options, taskClasses: [defineTaskClass({ id: 'other', tools: names })] });

// a scenario and a proof
const tested = await scenarios
  .given({
    model: [
      { calls: [{ tool: 'refund', arguments: { order: 'A-7', cents: 12 } }] },
      ({ asks }) => asks,
      { payload: { refunded: 12 } },
    ],
    tools: { refund: ({ cents }) => ({ cents: cents satisfies number }), 'order.find': { cents: 12 } },
  })
  .when({ taskClass: 'refunds', payload: {} });
tested.expectDelivered().refunded satisfies number;
tested.expectCalled('refund', { order: 'A-7', cents: 12 });
prove(refunds, { tools, promises: { approvers: 1, approved: ['refund'] } }).report satisfies string;

// parts that are shared
const charter = { tools: [...tools], taskClasses: [refunds] };
await createOrchestrator({ ...charter, model }).submit(request);
await (await createGuard(charter).begin(request)).call('order.find', { order: 'A-7' });

// defined where they are given
const inline = createGuard({
  tools: [
    defineTool({
      name: 'inline',
      description: '',
      tier: 'read_only',
      input: z.object({ city: z.string() }),
      call: async ({ city }) => city.length,
    }),
  ],
  taskClasses: [defineTaskClass({ id: 'inline', tools: ['inline'] })],
});
await (await inline.begin({ taskClass: 'inline', payload: {}, identity })).call('inline', { city: 'Rome' });

// agents know the tools and what their class delivers; an agent of any tools fits too
declare const anyAgent: GuardedAgent;
createGuard({
  tools,
  taskClasses: [refunds, defineTaskClass({ id: 'other', tools: [] })],
  agents: {
    refunds: async (run, { request }) => {
      await run.call('refund', { order: 'A-7', cents: 12 });
      request satisfies object;
      const concluded = await run.conclude({ payload: { refunded: 12 } });
      if (concluded.status === 'delivered') concluded.payload.refunded satisfies number;
    },
    other: anyAgent,
  },
});
declare const guardOptions: GuardOptions;
createGuard({ ...guardOptions, agents: { some: async (run) => run.call('some', { of: 'its arguments' }) } });

// a policy knows the arguments of each write, after the schema of its tool
const count = guardTool(
  { name: 'count', input: z.object({ eur: z.coerce.number() }), execute: ({ eur }) => eur },
  { tier: 'write_low_risk' },
);
createGuard({
  tools: [count],
  taskClasses: [],
  policy: { decide: (write) => ({ verdict: write.arguments.eur > 100 ? 'deny' : 'allow', reasons: [] }) },
});
createOrchestrator({
  tools: [...tools, count],
  taskClasses: [],
  model,
  policy: {
    decide: (write) => {
      if (write.action === 'refund') write.arguments.cents satisfies number;
      return { verdict: 'deny', reasons: [] };
    },
  },
});
declare const anyPolicy: Policy;
createGuard({ tools, taskClasses: [], policy: anyPolicy });
createGuard({
  taskClasses: [],
  policy: { decide: ({ action }) => ({ verdict: 'deny', reasons: [action satisfies string] }) },
});

// a table of rules names tools and task classes that exist, or are known at run time only
createGuard({
  tools,
  taskClasses: [refunds],
  policy: tablePolicy({
    rules: [
      { tools: ['refund'], taskClasses: ['refunds'], verdict: 'allow', reason: 'may do this' },
      { tools: names, verdict: 'needs_review', reason: 'found elsewhere' },
    ],
  }),
});
createGuard({ tools: [find], taskClasses: [], policy: tablePolicy({ rules: [{ tools: ['order.find'], verdict: 'allow', reason: 'a' }] }) });
const tableOf: Policy = tablePolicy({ rules: [{ tools: ['elsewhere'], verdict: 'allow', reason: 'any' }] });
createGuard({ tools, taskClasses: [], policy: tableOf });

// a mandate names tools of its task class
await guard.begin({ ...request, mandate: ['refund'] });
await guard.begin({ ...request, mandate: 'plan' });
await createGuard({ tools: discovered, taskClasses: [open] }).begin({ taskClass: 'open', payload: {}, identity, mandate: ['any'] });

// an agent proposes what the output schema takes, and what is delivered is what it returns
const dated = createGuard({
  taskClasses: [
    defineTaskClass({ id: 'dated', tools: [], output: z.object({ on: z.string().transform((text) => new Date(text)) }) }),
    defineTaskClass({ id: 'any', tools: [] }),
  ],
});
const on = await (await dated.begin({ taskClass: 'dated', payload: {}, identity })).conclude({ payload: { on: '2026-11-26' } });
if (on.status === 'delivered') on.payload.on satisfies Date;
await (await dated.begin({ taskClass: 'any', payload: {}, identity })).conclude({ payload: { whatever: 1 } });

// contracts that are complete
guardTool(
  { name: 'pay', input, execute: call },
  { rollback: { describe: ({ order }) => ({ type: 'charge', target: order, payload: {} }), run: async () => {} } },
);
guardTool(
  { name: 'pay', input, execute: call },
  { tier: 'write_low_risk', doubt: 'reconcilable', lookup: async () => ({ found: 'unknown' }) },
);

// what knows its names is accepted where they do not matter
const audit = async (any: Orchestrator, other: Guard): Promise<void> => {
  await any.submit({ taskClass: 'some', payload: {}, identity });
  await (await other.resume('task')).call('some', { of: 'its arguments' });
};
await audit(orchestrator, guard);

const ask = defineTaskTool({
  name: 'ask',
  description: '',
  taskClass: 'refunds',
  input: z.object({}),
  request: () => ({ payload: {} }),
});
createOrchestrator({ tools: [...tools, ask], taskClasses: [refunds, defineTaskClass({ id: 'ask', tools: ['ask'] })], model });
createOrchestrator({ tools: [find], taskClasses: [defineTaskClass({ id: 'none', tools: [] })], model });
export { made };
`;

it('accepts right programs, also with names that are known at run time only', () => {
  expect(new Set(errors.keys())).toEqual(new Set(wrong.map((_, index) => fileOf(index))));
  expect(printed).not.toMatch(/^error/m); // of no file
});

describe('wrong programs', () => {
  it.each(wrong.map(({ mistake }, index) => ({ mistake, index })))('$mistake', ({ index }) => {
    expect(errors.get(fileOf(index))?.length).toBe(1);
  });

  it('are on the page of docs/reference, with what the compiler says', async () => {
    await expectPrinted(
      'docs/reference/compiler.md',
      compilerPage(
        wrong.map((program, index) => ({
          ...program,
          said: errors.get(fileOf(index))?.[0] ?? '',
        })),
      ),
    );
  });
});

/** Defines a tool of this number. */
const toolOf = (index: number): string =>
  `defineTool({ name: 'tool.${index}', description: '', tier: 'read_only', input: z.object({ n${index}: z.number() }), call: async (given) => given })`;

/** A charter of so many tools, each of which is called. */
const charterOf = (count: number): string => {
  const numbers = Array.from({ length: count }, (_, index) => index);
  return `import { defineTaskClass, defineTool } from 'agentcharter';
import { createGuard } from 'agentcharter/guard';
import { z } from 'zod';
const tools = [${numbers.map(toolOf).join(',\n')}] as const;
const taskClass = defineTaskClass({ id: 'all', tools: [${numbers.map((index) => `'tool.${index}'`).join(', ')}] });
const guard = createGuard({ tools, taskClasses: [taskClass], agents: { all: async (run) => run.call('tool.0', { n0: 1 }) } });
const identity = { agent_id: 'a', owner_id: 'b', control_class: 'autonomous' };
const run = await guard.begin({ taskClass: 'all', payload: {}, identity });
${numbers.map((index) => `await run.call('tool.${index}', { n${index}: 1 });`).join('\n')}
`;
};

/** How many types the compiler makes for a charter. */
const instantiationsOf = async (count: number): Promise<number> => {
  const printed = await installed.compile({ 'charter.ts': charterOf(count) }, '--extendedDiagnostics');
  expect(printed).not.toContain('error');
  return Number(/Instantiations:\s+(\d+)/.exec(printed)?.[1]);
};

it('costs the compiler a bounded number of instantiations for each tool', async () => {
  const [few, many] = [await instantiationsOf(1), await instantiationsOf(50)];
  expect(many - few).toBeGreaterThan(0);
  expect((many - few) / 49).toBeLessThan(2_000);
});

testEveryPageIsPrinted();
