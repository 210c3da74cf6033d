import * as z from 'zod';
import { parseDocument } from '../../boundary/parse-document.ts';
import type { By, Orchestrator } from '../../orchestrator/surface.ts';

const Answer = z.strictObject({
  feedback: z.unknown(),
  /** One for each answer that a person gives, so that one sent twice counts once. */
  key: z.uuid(),
  /** A signed approval, where one is asked for. */
  approval: z.string().min(1).max(65_536).optional(),
});

/** Gives a person's answer to the orchestrator, which judges it; `by` is who the host says it is, and never the page. */
export const respond = async (orchestrator: Orchestrator, body: unknown, by: By['by']): Promise<void> => {
  const { feedback, key, approval } = parseDocument('answer', Answer, body);
  await orchestrator.respond(feedback, { by, key, ...(approval !== undefined && { approval }) });
};
