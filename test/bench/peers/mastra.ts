import {
  decide,
  evidenceOf,
  intake,
  isVerified,
  plan,
  reverseWire,
  type Approval,
  type Engine,
} from '../work.ts';
import type { WireArguments, WireEvidence, WireRequest } from '../work.ts';
import { z } from 'zod';

// Mastra is installed in this folder only. So its modules are loaded by name, and these are the parts of their types
// that the bench uses.

interface Data {
  readonly request: WireRequest;
  readonly given: WireArguments;
  readonly evidence: WireEvidence;
  readonly state: string;
}

interface StepInput {
  readonly inputData: Data;
  readonly resumeData?: Approval;
  readonly suspend: (asks: object) => Promise<unknown>;
}

interface Result {
  readonly status: string;
  readonly result?: Data;
}

interface WorkflowRun {
  readonly start: (given: { readonly inputData: unknown }) => Promise<Result>;
  readonly resume: (given: { readonly step: string; readonly resumeData: Approval }) => Promise<Result>;
}

interface Workflow {
  readonly then: (step: unknown) => Workflow;
  readonly commit: () => Workflow;
  readonly createRun: () => Promise<WorkflowRun>;
}

interface Workflows {
  readonly createStep: (step: object) => unknown;
  readonly createWorkflow: (workflow: object) => Workflow;
}

interface Core {
  readonly Mastra: new (options: object) => { readonly getWorkflow: (id: string) => Workflow };
}

interface Storage {
  readonly InMemoryStore: new () => object;
}

interface Client {
  execute: (statement: unknown, ...more: readonly unknown[]) => Promise<{ readonly rows: readonly object[] }>;
  readonly close: () => void;
}

const load = async <Module>(name: string): Promise<Module> => (await import(name)) as Module;

const step = (
  { createStep }: Workflows,
  id: string,
  execute: (input: StepInput) => Promise<unknown>,
): unknown => {
  const schemas = {
    inputSchema: z.any(),
    outputSchema: z.any(),
    resumeSchema: z.any(),
    suspendSchema: z.any(),
  };
  return createStep({ id, ...schemas, execute });
};

const workflowOf = (workflows: Workflows): Workflow =>
  workflows
    .createWorkflow({ id: 'wire', inputSchema: z.any(), outputSchema: z.any() })
    .then(step(workflows, 'intake', async ({ inputData }) => ({ request: intake(inputData.request) })))
    .then(
      step(workflows, 'plan', async ({ inputData }) => ({ ...inputData, given: plan(inputData.request) })),
    )
    .then(
      step(workflows, 'execute', async ({ inputData }) => ({
        ...inputData,
        evidence: evidenceOf(inputData.request, await reverseWire(inputData.given)),
      })),
    )
    .then(
      step(workflows, 'verify', async ({ inputData }) => ({
        ...inputData,
        state: isVerified(inputData.request, inputData.evidence) ? 'policy' : 'fail_safe',
      })),
    )
    .then(
      step(workflows, 'policy', async ({ inputData, resumeData, suspend }) => {
        const verdict = decide(inputData.request, resumeData ?? null);
        if (verdict === 'needs_review') return suspend({ needs: 'approval' });
        const isDelivered = inputData.state === 'policy' && verdict === 'allow';
        return { ...inputData, state: isDelivered ? 'deliver' : 'fail_safe' };
      }),
    )
    .commit();

const endOf = ({ status, result }: Result): string => (status === 'success' ? result!.state : status);

const engineOn = async (storage: object): Promise<Engine> => {
  const { Mastra } = await load<Core>('@mastra/core');
  const wire = workflowOf(await load<Workflows>('@mastra/core/workflows'));
  const workflow = new Mastra({ storage, workflows: { wire }, logger: false }).getWorkflow('wire');
  return {
    gated: async (request, approval) => {
      const run = await workflow.createRun();
      const { status } = await run.start({ inputData: { request } });
      if (status !== 'suspended') throw new Error('the run did not pause');
      return endOf(await run.resume({ step: 'policy', resumeData: approval }));
    },
    straight: async (request) => endOf(await (await workflow.createRun()).start({ inputData: { request } })),
  };
};

/** On Mastra's store in memory. */
export const createEngine = async (): Promise<Engine> => {
  const { InMemoryStore } = await load<Storage>('@mastra/core/storage');
  return engineOn(new InMemoryStore());
};

/** On Mastra's store in a SQLite file, with every commit synced as ours is: its own setting is `NORMAL`. */
export const createDurableEngine = async (file: string) => {
  const { createClient } = await load<{ readonly createClient: (options: object) => Client }>(
    '@libsql/client',
  );
  const { LibSQLStore } = await load<{ readonly LibSQLStore: new (options: object) => object }>(
    '@mastra/libsql',
  );
  const client = createClient({ url: `file:${file}`, timeout: 10_000 });
  const execute = client.execute.bind(client);
  client.execute = (statement, ...more) =>
    execute(statement === 'PRAGMA synchronous = NORMAL;' ? 'PRAGMA synchronous = FULL;' : statement, ...more);
  const engine = await engineOn(new LibSQLStore({ id: 'bench', client }));
  /** The journal mode and the sync setting of the file, as the driver reports them. */
  const settings = async (): Promise<string> => {
    const { rows } = await execute('SELECT * FROM pragma_journal_mode, pragma_synchronous');
    return Object.values(rows[0] ?? {}).join(' ');
  };
  return { engine, settings, close: () => client.close() };
};
