import {
  createOrchestrator,
  type InboxEntry,
  type Orchestrator,
  type OrchestratorOptions,
} from 'agentcharter';
import { intake, type Ended, type Engine, type WireRequest } from '../work.ts';
import { answer, flowingTools, orchestratorParts, signed, submissionOf, type Desk } from './parts.ts';

/** An orchestrator that tells when a task asks. */
export interface Host {
  readonly orchestrator: Orchestrator;
  /** Submits a request, and returns the id of its task. */
  readonly submit: (request: WireRequest) => Promise<string>;
  /** Resolves with the question of a task once it is asked. */
  readonly asked: (taskId: string) => Promise<InboxEntry>;
}

export const createHost = (options: Partial<OrchestratorOptions> = {}): Host => {
  const orchestrator = createOrchestrator({ ...orchestratorParts(), ...options });
  const waiting = new Map<string, (entry: InboxEntry) => void>();
  const early = new Map<string, InboxEntry>();
  orchestrator.on('error', ({ error }) =>
    queueMicrotask(() => {
      throw error; // ends the process: a run that failed is not measured
    }),
  );
  orchestrator.on('question', (entry) => {
    const resolve = waiting.get(entry.taskId);
    if (resolve === undefined) early.set(entry.taskId, entry);
    else resolve(entry);
    waiting.delete(entry.taskId);
  });
  return {
    orchestrator,
    submit: async (request) => (await orchestrator.submit(submissionOf(intake(request)))).taskId,
    asked: async (taskId) => {
      const entry = early.get(taskId);
      early.delete(taskId);
      return entry ?? new Promise((resolve) => waiting.set(taskId, resolve));
    },
  };
};

const end = async ({ orchestrator }: Host, taskId: string): Promise<Ended> => {
  const { outcome, message } = await orchestrator.settled(taskId);
  return outcome === 'success' && message.state === 'completed' ? 'deliver' : `${outcome} ${message.state}`;
};

/** Returns an engine on the current host; `desk` signs the approvals, by default that of this process. */
export const engineOn = (hostOf: () => Host, desk?: Desk): Engine => {
  let last: InboxEntry;
  return {
    gated: async (request, approval) => {
      const host = hostOf();
      const taskId = await host.submit(request);
      last = await host.asked(taskId);
      await answer(host.orchestrator, last, approval, desk);
      return end(host, taskId);
    },
    straight: async (request) => {
      const host = hostOf();
      return end(host, await host.submit(request));
    },
    sign: () => signed(last, 'human:alice', desk),
  };
};

/** Runs after which a host in memory is replaced: it keeps settled tasks, which the peers do not. */
const runsOfHost = 300;

const renewed = (options: Partial<OrchestratorOptions> = {}): (() => Host) => {
  let host = createHost(options);
  let runs = 0;
  return () => {
    runs += 1;
    if (runs % runsOfHost === 0) {
      void host.orchestrator.close();
      host = createHost(options);
    }
    return host;
  };
};

export const engine: Engine = engineOn(renewed());

/** Returns an engine with other hosts, whose write has flows. */
export const createFlowingEngine = (): Engine => engineOn(renewed({ tools: flowingTools }));
