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
      'What a person answers says approve or reject, for a thread: no name, no arguments, no end. Who may resume a thread is left to its host. An approval of another request is one for another thread.',
      'Approval is asked for before any call of a plan, reads included: what is read afterwards is fresh when the write is made.',
      'A thread is resumed by `new Command({ resume })`, which answers what the thread waits for. Interrupts have ids, and a resume may name them; the program does not.',
      'Its audit trail is the history of checkpoints: node, thread and time. An invocation that is aborted leaves no checkpoint; a thread that waits when its signal is aborted waits on, and is aborted when it is next resumed.',
      '`ToolNode` begins all calls of a message at once, and a tool that throws becomes an error message to the model.',
      'Not used here: timeouts of a step or a node (by the clock of the machine), `graph.stream`.',
    ],
  },
  'ai-sdk': {
    subject: aiSdkSubject,
    program: 'ai-sdk.ts',
    packages: [ai],
    notes: [
      'What a person answers says yes or no to a request by its id: no name, no arguments, no end. Who may answer is left to its host. An approval of another request belongs to another conversation.',
      'As a response names its request, the same response does not answer a second one. The calls of a step begin once each request is answered: here none begins, so that no write shows that an approval is used up.',
      'Reads of a plan are made before its approvals are asked for.',
      '`generateText` executes tools that were approved before it looks at its abort signal, which it hands to them.',
      'All calls of a step that need no approval begin at once, and a tool that throws becomes an error result for the model.',
      'Not used here: `timeout` (by the clock of the machine), `streamText`, `onStepEnd` and telemetry, `toolApproval` as a function, `experimental_toolApprovalSecret`, which signs requests for approval.',
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
