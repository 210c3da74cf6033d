import {
  generateText,
  isStepCount,
  jsonSchema,
  tool,
  type LanguageModel,
  type ModelMessage,
  type ToolApprovalResponse,
  type ToolSet,
} from 'ai';
import { problemsOf, type Evidence, type Json, type Work } from './work.ts';

/** A run: kept by the caller, and given back with what a person has answered. */
export interface Conversation {
  readonly id: string;
  readonly messages: ModelMessage[];
  attempt: number;
}

/** How far a run has come. */
export type Progress =
  | { readonly status: 'waiting'; readonly approvals: readonly { readonly approvalId: string }[] }
  | { readonly status: 'delivered'; readonly payload: Json }
  | { readonly status: 'failed'; readonly problems: readonly string[] };

const toolsOf = ({ tools }: Work, id: string): ToolSet =>
  Object.fromEntries(
    tools.map(({ name, run }) => [
      name,
      tool({
        description: name,
        inputSchema: jsonSchema<Json>({ type: 'object' }),
        execute: (input) => run(input, { id }),
      }),
    ]),
  );

const riskyOf = ({ tools }: Work): Record<string, 'user-approval'> =>
  Object.fromEntries(tools.filter(({ isRisky }) => isRisky).map(({ name }) => [name, 'user-approval']));

const evidenceIn = (messages: readonly ModelMessage[]): readonly Evidence[] =>
  messages.flatMap((message) =>
    message.role !== 'tool'
      ? []
      : message.content.flatMap((part) =>
          part.type === 'tool-result' && part.output.type === 'json'
            ? [{ tool: part.toolName, result: part.output.value }]
            : [],
        ),
  );

/** Continues a run until it delivers, fails, or waits for a person. A run begins with one message of its user. */
export const goOn = async (
  model: LanguageModel,
  work: Work,
  conversation: Conversation,
  abortSignal: AbortSignal,
): Promise<Progress> => {
  const { id, messages } = conversation;
  const [tools, toolApproval] = [toolsOf(work, id), riskyOf(work)];
  for (;;) {
    const { responseMessages, finalStep, text } = await generateText({
      model,
      tools,
      toolApproval,
      messages,
      stopWhen: isStepCount(20),
      abortSignal,
    });
    messages.push(...responseMessages);
    const approvals = finalStep.content.filter((part) => part.type === 'tool-approval-request');
    if (approvals.length > 0) return { status: 'waiting', approvals };

    const payload = JSON.parse(text) as Json;
    const problems = await problemsOf(work, payload, evidenceIn(messages));
    if (problems.length === 0) return { status: 'delivered', payload };
    if (conversation.attempt >= work.repairs) return { status: 'failed', problems };
    conversation.attempt += 1;
    messages.push({ role: 'user', content: `Not accepted: ${problems.join('; ')}. Try again.` });
  }
};

/** Adds a person's answer to each request for approval. */
export const answer = ({ messages }: Conversation, responses: ToolApprovalResponse[]): void => {
  messages.push({ role: 'tool', content: responses });
};
