import { createOrchestrator, defineTaskClass, type InboxEntry, type Model } from 'agentcharter';
import { cedarPolicy } from 'agentcharter/policies/cedar';
import type { UpFormatMessage } from 'agentcharter/schema';
import { deriveContext } from 'agentcharter/semantics';
import { z } from 'zod';

// Who reads a message. If several rules match, the first by @id wins. A rule that reads a missing field fails,
// and then a person looks.
const policies = `
  @id("1") @reason("who can answer") @verdict("needs_review")
  permit (principal, action, resource == Tool::"pass on")
    when { context.arguments.state == "needsHumanDecision" || !context.arguments.canProceed };

  @id("2") @reason("finance") @verdict("needs_review")
  permit (principal, action, resource == Tool::"pass on")
    when { context.arguments.concepts.contains("schema:MonetaryAmount") && context.arguments.percent < 80 };

  @id("3") @reason("privacy") @verdict("needs_review")
  permit (principal, action, resource == Tool::"pass on")
    when { context.arguments.concepts.contains("schema:Person") && context.arguments.state == "completed" };

  @id("4") @reason("straight through")
  permit (principal, action, resource == Tool::"pass on")
    when { context.arguments.percent >= 0 };
`;
const rules = cedarPolicy({ policies });
const identity = { agent_id: 'writer', owner_id: 'acme', control_class: 'human-supervised' as const };
const write = { action: 'pass on', version: '1', tier: 'write_low_risk', rollback: null } as const;
const asker = {
  identity,
  attestation: 'vouched',
  taskClass: 'letter',
  request: {},
  confidence: 0.9,
  identical: 0,
  origins: null,
  evidence: [],
} as const;
const { signal } = new AbortController();

/** Returns the desk of a message: a person's, unless no rule fails and none asks for a person. Missing fields are null. */
export const deskOf = async ({ state, threadId, upThought, upContext }: UpFormatMessage): Promise<string> => {
  const { confidence, canProceed = null } = upThought ?? {};
  const percent = confidence === undefined ? null : Math.floor(confidence * 100); // 0.7999 is below 0.8
  const said = { state, canProceed, percent, concepts: upContext?.concepts ?? null };
  const judge = async () =>
    rules.decide({ ...write, ...asker, arguments: said, requestId: threadId }, { signal });
  const { verdict, reasons } = await judge().catch(() => ({ verdict: 'deny', reasons: [] }));
  return (verdict === 'deny' ? undefined : reasons[0]) ?? 'duty officer';
};

// The schema gives the concepts of a draft. The model states its confidence and `canProceed`.
const price = z.object({ euros: z.number() }).meta({ concepts: ['schema:MonetaryAmount'] });
const hire = z.object({ name: z.string() }).meta({ concepts: ['schema:Person'] });
const draft = (schema: z.ZodType, payload: object, confidence: number, canProceed = true) => {
  const upContext = deriveContext(schema);
  return { confidence, canProceed, explanation: 'As asked.', payload, upContext };
};
const drafts = [
  draft(price, { euros: 90 }, 0.95),
  draft(price, { euros: 900 }, 0.75),
  draft(hire, { name: 'Ada' }, 0.95),
  draft(z.object({ text: z.string() }), { text: 'Hello' }, 0.95), // without concepts
  draft(price, { euros: 0 }, 0.95, false),
];
const letter = defineTaskClass({ id: 'letter', tools: [] });
const plan = { confidence: 0.9, canProceed: true, explanation: 'Write it.', calls: [] };
const model: Model = {
  answer: async ({ asks, request }) => (asks === 'plan' ? plan : drafts[Number(request['draft'])]),
};

const orchestrator = createOrchestrator({ taskClasses: [letter], model });
const asked = new Promise<InboxEntry>((resolve) => orchestrator.on('question', resolve)); // of the last draft
for (const index of drafts.keys()) {
  const { taskId } = await orchestrator.submit({ taskClass: 'letter', payload: { draft: index }, identity });
  const { message } = await Promise.race([orchestrator.settled(taskId), asked]);
  const { state, upThought: { confidence, canProceed } = {}, upContext: { concepts = [] } = {} } = message;
  console.log(`${state}, ${confidence}, ${canProceed}, [${concepts.join()}] -> ${await deskOf(message)}`);
}
await orchestrator.close();
