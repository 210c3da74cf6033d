import { readFileSync } from 'node:fs';
import langchainCore from '@langchain/core/package.json' with { type: 'json' };
import langgraph from '@langchain/langgraph/package.json' with { type: 'json' };
import agentcharter from 'agentcharter/package.json' with { type: 'json' };
import ai from 'ai/package.json' with { type: 'json' };
import type { ConformanceReport, Subject } from 'agentcharter/testing';
import { agentcharterSubject } from './agentcharter-subject.ts';
import { aiSdkSubject } from './ai-sdk-subject.ts';
import { langgraphSubject } from './langgraph-subject.ts';

/** An orchestrator that is tested, and what its reader should know. */
export interface Orchestrator {
  readonly subject: Subject;
  /** The file that says how it is built, or configured. */
  readonly program: string;
  readonly packages: readonly { readonly name: string; readonly version: string }[];
  /** How its verdicts come about, and what its framework has that the program does not use. */
  readonly notes: readonly string[];
}

/** What is tested, by the name that the command line knows it by. */
export const orchestrators = {
  ours: { subject: agentcharterSubject, program: 'agentcharter.ts', packages: [agentcharter], notes: [] },
  langgraph: {
    subject: langgraphSubject,
    program: 'langgraph.ts',
    packages: [langgraph, langchainCore],
    notes: [
      'An answer approves or rejects for a thread, without name, arguments or expiry. The host decides who may resume a thread.',
      'Approval comes before all calls of a plan, reads too, so evidence is fresh at the write.',
      '`new Command({ resume })` resumes a thread. The program does not name the ids of interrupts.',
      'Its audit trail is the history of checkpoints: node, thread and time. An aborted invocation leaves none.',
      '`ToolNode` starts all calls of a message at once. A tool that throws becomes an error message to the model.',
      'Not used: timeouts of a step or a node, `graph.stream`.',
    ],
  },
  'ai-sdk': {
    subject: aiSdkSubject,
    program: 'ai-sdk.ts',
    packages: [ai],
    notes: [
      'An answer says yes or no to a request id, without name, arguments or expiry. The host decides who may answer.',
      'A response answers one request. The calls of a step begin when all are answered; here none begins, so no write shows that an approval is used up.',
      'Reads of a plan come before its approvals.',
      '`generateText` executes approved tools before it checks its abort signal.',
      'Calls without approval start at once. A tool that throws becomes an error result for the model.',
      'Not used: `timeout`, `streamText`, `onStepEnd`, telemetry, `toolApproval` as a function, `experimental_toolApprovalSecret`.',
    ],
  },
} as const satisfies Record<string, Orchestrator>;

/** The name of an orchestrator that is tested. */
export type OrchestratorName = keyof typeof orchestrators;

/** Whether the command line knows an orchestrator by this name. */
export const isOrchestratorName = (name: string): name is OrchestratorName =>
  Object.hasOwn(orchestrators, name);

/** Every name, in the order of the page. */
export const orchestratorNames = Object.keys(orchestrators).filter(isOrchestratorName);

/** How many lines a file of this folder has. */
export const linesOf = (file: string): number =>
  readFileSync(new URL(file, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n').length;

/** 0 where every rule was tested and holds, else 1. */
export const exitCodeOf = ({ counts }: Pick<ConformanceReport, 'counts'>): number =>
  counts.rules > 0 && counts.holds === counts.rules ? 0 : 1;
