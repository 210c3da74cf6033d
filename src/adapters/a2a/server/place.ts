import type { Task } from '@a2a-js/sdk';
import * as z from 'zod';
import { upFormatUri } from '../extension.ts';

const Place = z.object({ taskId: z.string(), threadId: z.string() });

/** The orchestrator task of an A2A task, stored in its metadata. */
export type Place = z.infer<typeof Place>;

/** Returns the place in a task's metadata; `undefined` for a foreign or rejected task. */
export const placeOf = (task: Task | undefined): Place | undefined => {
  const ours: unknown = task?.metadata?.[upFormatUri];
  return Place.safeParse(ours).data;
};
