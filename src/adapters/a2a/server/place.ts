import type { Task } from '@a2a-js/sdk';
import * as z from 'zod';
import { upFormatUri } from '../extension.ts';

const Place = z.object({ taskId: z.string(), threadId: z.string() });

/** Which task of the orchestrator a task of A2A is, as the metadata that we gave it says. */
export type Place = z.infer<typeof Place>;

/** `undefined` for a task that is none of ours, or was rejected before it began. */
export const placeOf = (task: Task | undefined): Place | undefined => {
  const ours: unknown = task?.metadata?.[upFormatUri];
  return Place.safeParse(ours).data;
};
