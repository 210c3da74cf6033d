import * as z from 'zod';
import { parseDocument } from '../../../base/boundary/parse-document.ts';
import { unreadFeedback } from '../../../base/feedback/feedback.ts';
import type { By } from '../../../core/shell/by.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';

const Answer = z.strictObject({
  feedback: z.unknown(),
  /** The idempotency key of an answer. */
  key: z.uuid(),
  /** A signed approval, if the question requires one. */
  approval: z.string().min(1).max(65_536).optional(),
});

/** Submits a person's answer to the orchestrator. `by` comes from your `identity`, never from the page. */
export const respond = async (orchestrator: Orchestrator, body: unknown, by: By['by']): Promise<void> => {
  const { feedback, key, approval } = parseDocument('answer', Answer, body);
  await orchestrator.respond(unreadFeedback(feedback), {
    by,
    key,
    ...(approval !== undefined && { approval }),
  });
};
