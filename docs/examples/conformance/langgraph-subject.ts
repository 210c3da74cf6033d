import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import type { StateSnapshot } from '@langchain/langgraph';
import type { Phase } from 'agentcharter/schema';
import type { AuditRecord, Documents, Fact, Run, Scenario, Subject } from 'agentcharter/testing';
import { answer, createAgent, type ApprovalAnswer } from './langgraph.ts';
import { resultOf, wordingOf, workOf } from './scenario.ts';
import type { Json, Work } from './work.ts';

/** The scenario's model behind the interface of a chat model: a person's message wants a plan, a tool's a draft. */
class ScriptedChatModel extends BaseChatModel {
  readonly #scenario: Scenario;

  constructor(scenario: Scenario) {
    super({});
    this.#scenario = scenario;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const attempt = messages.filter((message) => HumanMessage.isInstance(message)).length - 1;
    const calls = HumanMessage.isInstance(messages.at(-1)) ? await this.#scenario.plan(attempt) : [];
    const text = calls.length > 0 ? '' : JSON.stringify((await this.#scenario.draft(attempt)).payload);
    const tool_calls = calls.map(({ tool, arguments: args }, at) => ({
      id: `call-${attempt}-${at}`,
      name: tool,
      args,
    }));
    return { generations: [{ text, message: new AIMessage({ content: text, tool_calls }) }] };
  }
}

const phases = {
  plan: 'plan',
  approve: 'execute',
  tools: 'execute',
  verify: 'verify',
  deliver: 'verify',
} as const;
const isNode = (name: string): name is keyof typeof phases => Object.hasOwn(phases, name);

interface Values {
  readonly messages?: readonly BaseMessage[];
  readonly delivered?: Json | null;
}

const phaseIn = ({ values, tasks: [task] }: StateSnapshot): Phase => {
  const { messages = [], delivered = null } = values as Values; // of the graph's own state
  if (task !== undefined && isNode(task.name)) return phases[task.name];
  if (delivered !== null) return 'deliver';
  return messages.length === 0 ? 'intake' : 'fail_safe';
};

/** The checkpoints of a thread as an audit trail: which node came next, and which tools had answered. */
const auditOf = (history: readonly StateSnapshot[], request_id: string): readonly AuditRecord[] => {
  const seen = new Set<string>();
  return history.flatMap((snapshot) => {
    const stamp = { request_id, ...(snapshot.createdAt !== undefined && { timestamp: snapshot.createdAt }) };
    const { messages = [] } = snapshot.values as Values; // of the graph's own state
    const calls = messages
      .filter((message) => ToolMessage.isInstance(message))
      .filter(({ tool_call_id: id }) => !seen.has(id) && seen.add(id))
      .map(({ name = '' }): AuditRecord => ({ of: { kind: 'call', tool: name }, ...stamp }));
    const hasFailed = snapshot.tasks.some(({ error }) => error !== undefined);
    const to: AuditRecord = { of: { kind: 'transition', to: phaseIn(snapshot) }, ...stamp };
    const end: AuditRecord = { of: { kind: 'transition', to: 'fail_safe' }, ...stamp };
    return [...calls, to, ...(hasFailed ? [end] : [])];
  });
};

type Agent = ReturnType<typeof createAgent>;

const threadOf = (thread_id: string) => ({ configurable: { thread_id } });

const documentsOf = async (agent: Agent, thread: string, phase: Phase): Promise<Documents> => {
  const { values } = await agent.getState(threadOf(thread));
  const history: StateSnapshot[] = [];
  for await (const snapshot of agent.getStateHistory(threadOf(thread))) history.unshift(snapshot);
  const hasEnded = phase === 'deliver' || phase === 'fail_safe';
  return {
    envelopes: [],
    evidence: [],
    reports: [],
    audit: auditOf(history, thread),
    chunks: [],
    result: hasEnded ? resultOf((values as Values).delivered ?? null) : null, // of the graph's own state
  };
};

/** Begins a run of a scenario with the program on LangGraph JS; `work` may ask for less than the scenario does. */
export const startOnLangGraph = (scenario: Scenario, work: Work = workOf(scenario)): Run => {
  const thread = `thread of ${scenario.id}`;
  const agent = createAgent(new ScriptedChatModel(scenario), work);
  const cancelling = new AbortController();
  let hasFailed = false;
  let running = Promise.resolve();

  const invoke = (input: Parameters<Agent['invoke']>[0]): void => {
    running = agent.invoke(input, { ...threadOf(thread), signal: cancelling.signal }).then(
      () => {},
      () => {
        hasFailed = true;
      },
    );
  };
  const waits = async (thread_id: string): Promise<boolean> =>
    (await agent.getState(threadOf(thread_id))).tasks.some(({ interrupts }) => interrupts.length > 0);

  const resume = async (type: ApprovalAnswer['type'], thread_id: string) => {
    if (hasFailed || !(await waits(thread_id))) return 'refused'; // there is nothing to resume
    invoke(answer({ type }));
    return 'taken';
  };

  const state = async (fact: Fact): Promise<'taken' | 'refused'> => {
    switch (fact.type) {
      case 'approval.presented':
        return resume(fact.approval.decision, fact.approval.request_id ?? thread);
      case 'approval.refused':
        return resume('reject', thread);
      case 'run.cancelled':
        cancelling.abort();
        return 'taken';
      case 'evidence.arrived':
        return 'refused'; // there is no way in
      case 'time.passed':
        return 'taken';
    }
  };

  const phase = async (): Promise<Phase> =>
    hasFailed ? 'fail_safe' : phaseIn(await agent.getState(threadOf(thread)));

  invoke({ messages: [new HumanMessage(wordingOf(scenario))] });
  const documents = async () => documentsOf(agent, thread, await phase());
  return { state, quiet: () => running, phase, documents };
};

/** The program on LangGraph, adapted to the conformance kit without additions. */
export const langgraphSubject: Subject = {
  name: 'A plain program on LangGraph JS',
  lacks: [
    'envelopes',
    'evidence',
    'foreign evidence',
    'reports',
    'reason codes',
    'verifiers before a write',
    'policy',
    'rollback',
    'deadlines',
    'streaming',
    'versions',
  ],
  start: (scenario) => startOnLangGraph(scenario),
};
