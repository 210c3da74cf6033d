import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { z } from 'zod';
import {
  createOrchestrator,
  defineTaskClass,
  defineTool,
  defineVerifier,
  type OrchestratorOptions,
} from '../../../../src/index.ts';
import { sqliteStore } from '../../../../src/stores/sqlite.ts';

const rollback = {
  describe: () => ({ type: 'inverse', target: 'desk', payload: {} }),
  run: async () => ({}),
};
const written = { description: 'Writes.', call: async () => ({}), rollback };
const identity = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** A release of an application. The second one renames `refund`, whose cents are whole now, and has no verifier. */
export const release = (version: 1 | 2): OrchestratorOptions => {
  const cents = version === 1 ? z.number() : z.int();
  const refund = defineTool({
    ...written,
    name: version === 1 ? 'refund' : 'refund_order',
    ...(version === 2 && { formerly: ['refund'] }),
    input: z.object({ cents }),
  });
  const post = defineTool({ ...written, name: 'post', input: z.object({}) });
  return {
    taskClasses: [
      defineTaskClass({ id: 'refund', tools: [refund.name], authorities: ['human'] }),
      defineTaskClass({
        id: 'post',
        tools: ['post'],
        authorities: ['human'],
        beforeDeliver: { verifiers: version === 1 ? ['sums'] : [] },
      }),
    ],
    tools: [refund, post],
    verifiers: version === 1 ? [defineVerifier({ id: 'sums', verify: () => ({ checks: [] }) })] : [],
    policy: { decide: () => ({ verdict: 'allow', reasons: [] }) },
    model: {
      answer: async ({ taskClass: tool }) => ({
        canProceed: true,
        confidence: 0.9,
        explanation: 'As asked.',
        calls: [{ tool, arguments: tool === 'refund' ? { cents: 1.5 } : {} }],
      }),
    },
  };
};

/** A store of the first release: each of its two tasks waits for an approval. */
export const releasedStore = async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'release-')), 'tasks.db');
  const first = createOrchestrator({ ...release(1), store: sqliteStore(file) });
  const submitted = async (taskClass: string): Promise<string> =>
    (await first.submit({ taskClass, payload: {}, identity })).taskId;
  const taskIds = { refund: await submitted('refund'), post: await submitted('post') };
  await expect.poll(() => first.inbox()).toHaveLength(2);
  await first.close();
  return { file, taskIds };
};
