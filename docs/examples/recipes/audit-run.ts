import { defineTaskClass } from 'agentcharter';
import { createGuard, guardTool } from 'agentcharter/guard';
import { replay, signCheckpoint, verifyLedger } from 'agentcharter/ledger';
import { exportJWK, generateKeyPair } from 'jose';
import { z } from 'zod';

const refund = guardTool(
  { name: 'refund', input: z.object({ eur: z.number() }), execute: ({ eur }) => ({ refunded: eur }) },
  { tier: 'write_low_risk' },
);
const taskClasses = [defineTaskClass({ id: 'support', tools: ['refund'] })];
const policy = { decide: () => ({ verdict: 'needs_review' as const, reasons: ['a person checks refunds'] }) };
const guard = createGuard({ tools: [refund], taskClasses, policy });
const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' };
const run = await guard.begin({ taskClass: 'support', payload: {}, identity });
await run.call('refund', { eur: 180 }, { ref: 'call-1' });
for (const { message } of await run.questions())
  await guard.orchestrator.respond({ type: 'approve', target: message.messageId }, { by: 'dana' });
await run.call('refund', { eur: 180 }, { ref: 'call-1' });
await run.conclude({ payload: { text: 'Refunded.' } });

// Who did what, and what the agent asked for.
const records = await guard.orchestrator.ledger(run.taskId);
for (const { seq, fact, actor } of records)
  console.log(seq, fact?.type ?? 'submitted', `${actor.kind}:${actor.id}`);
for (const { name, document } of await guard.orchestrator.documents(run.taskId))
  if (name === 'EvidenceObject') console.log(document.source, document.payload);
await guard.close();

// Was anything changed? The keys belong to the auditor, not to the host of the ledger.
const pair = await generateKeyPair('EdDSA', { extractable: true });
const key = { ...(await exportJWK(pair.privateKey)), kid: 'auditor' };
const keys = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'auditor' }] };
const checkpoint = await signCheckpoint({ records, key, timestamp: new Date().toISOString() });
console.log((await verifyLedger(records, { checkpoint, keys })).verdict, replay(records).verdict);
const cut = await verifyLedger(records.slice(0, -1), { checkpoint, keys });
console.log(cut.verdict, cut.findings[0]?.code);
