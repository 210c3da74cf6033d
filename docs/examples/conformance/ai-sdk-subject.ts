import type { ToolApprovalResponse } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import type { Phase } from 'agentcharter/schema';
import type { Approval, Fact, Result, Run, Scenario, Subject } from 'agentcharter/testing';
import { answer, goOn, type Conversation, type Progress } from './ai-sdk.ts';
import { resultOf, wordingOf, workOf } from './scenario.ts';
import type { Work } from './work.ts';

const usage = {
  inputTokens: { total: 0, noCache: 0, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 0, text: 0, reasoning: 0 },
};

/** The scenario's model behind the interface of a provider: a user's message wants a plan, a tool's a draft. */
const scriptedModel = ({ plan, draft }: Scenario): MockLanguageModelV4 =>
  new MockLanguageModelV4({
    doGenerate: async ({ prompt, abortSignal }) => {
      abortSignal?.throwIfAborted(); // as a request over the network would
      const attempt = prompt.filter(({ role }) => role === 'user').length - 1;
      const calls = prompt.at(-1)?.role === 'user' ? await plan(attempt) : [];
      if (calls.length === 0) {
        const text = JSON.stringify((await draft(attempt)).payload);
        const finishReason = { unified: 'stop', raw: undefined } as const;
        return { content: [{ type: 'text', text }], finishReason, usage, warnings: [] };
      }
      const content = calls.map(({ tool: toolName, arguments: input }, at) => ({
        type: 'tool-call' as const,
        toolCallId: `call-${attempt}-${at}`,
        toolName,
        input: JSON.stringify(input),
      }));
      return { content, finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] };
    },
  });

/** Requests for approval, answered one by one; a run goes on when each has an answer, which is the first. */
const createDesk = () => {
  let open: readonly string[] = [];
  const responses = new Map<string, ToolApprovalResponse>();
  /** An approval keeps its name, and so the request that it answers: the same approval is the same response. */
  const answered = new Map<Approval['id'], string>();
  return {
    ask: (approvalIds: readonly string[]): void => {
      open = approvalIds;
      responses.clear();
    },
    answer: (id: string, approved: boolean): boolean => {
      const approvalId = answered.get(id) ?? open.find((one) => !responses.has(one));
      if (approvalId === undefined || !open.includes(approvalId) || responses.has(approvalId)) return false;
      answered.set(id, approvalId);
      responses.set(approvalId, { type: 'tool-approval-response', approvalId, approved });
      return true;
    },
    /** Every response, once there is one for each request. */
    take: (): ToolApprovalResponse[] | null => {
      if (open.length === 0 || responses.size < open.length) return null;
      const taken = [...responses.values()];
      open = [];
      return taken;
    },
  };
};

/** The progress of a run: `null` while `goOn` runs, `threw` if it threw. */
type Reached = Progress | 'threw' | null;

const phaseIn = (reached: Reached): Phase => {
  if (reached === null) return 'execute'; // the loop does not report its progress
  if (reached === 'threw') return 'fail_safe';
  switch (reached.status) {
    case 'waiting':
      return 'execute';
    case 'delivered':
      return 'deliver';
    case 'failed':
      return 'fail_safe';
  }
};

const resultIn = (reached: Reached): Result | null => {
  if (phaseIn(reached) === 'execute') return null;
  return resultOf(reached !== 'threw' && reached?.status === 'delivered' ? reached.payload : null);
};

const nothing = { envelopes: [], evidence: [], reports: [], audit: [], chunks: [] };

/** Begins a run of a scenario with the program on the AI SDK; `work` may ask for less than the scenario does. */
export const startOnAiSdk = (scenario: Scenario, work: Work = workOf(scenario)): Run => {
  const id = `conversation of ${scenario.id}`;
  const conversation: Conversation = {
    id,
    messages: [{ role: 'user', content: wordingOf(scenario) }],
    attempt: 0,
  };
  const model = scriptedModel(scenario);
  const cancelling = new AbortController();
  const desk = createDesk();
  let progress: Reached = null;
  let running = Promise.resolve();

  const go = (): void => {
    progress = null;
    running = goOn(model, work, conversation, cancelling.signal).then(
      (reached) => {
        progress = reached;
        if (reached.status === 'waiting') desk.ask(reached.approvals.map(({ approvalId }) => approvalId));
      },
      () => {
        progress = 'threw';
      },
    );
  };
  const respond = (name: string, isApproved: boolean): 'taken' | 'refused' => {
    if (!desk.answer(name, isApproved)) return 'refused'; // no request that it could answer
    const responses = desk.take();
    if (responses === null) return 'taken';
    answer(conversation, responses);
    go();
    return 'taken';
  };

  const state = async (fact: Fact): Promise<'taken' | 'refused'> => {
    switch (fact.type) {
      case 'approval.presented': {
        const { id: name, request_id, decision } = fact.approval;
        const isOfAnother = request_id !== null && request_id !== id; // its request is not in these messages
        return isOfAnother ? 'refused' : respond(name, decision === 'approve');
      }
      case 'approval.refused':
        return respond(`no of ${fact.by}`, false);
      case 'run.cancelled':
        cancelling.abort();
        return 'taken';
      case 'evidence.arrived':
        return 'refused'; // there is no way in
      case 'time.passed':
        return 'taken';
    }
  };

  go();
  return {
    state,
    quiet: () => running,
    phase: () => phaseIn(progress),
    documents: () => ({ ...nothing, result: resultIn(progress) }),
  };
};

/** The program on the AI SDK, adapted to the conformance kit without additions. */
export const aiSdkSubject: Subject = {
  name: 'A plain program on the AI SDK',
  lacks: [
    'envelopes',
    'evidence',
    'foreign evidence',
    'reports',
    'audit',
    'reason codes',
    'verifiers before a write',
    'policy',
    'rollback',
    'deadlines',
    'streaming',
    'versions',
  ],
  start: (scenario) => startOnAiSdk(scenario),
};
