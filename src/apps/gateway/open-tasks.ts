import * as z from 'zod';
import type { Guard, Run } from '../../guard/index.ts';
import type { Clock } from '../../base/ports/clock.ts';
import type { Ids } from '../../base/ports/ids.ts';
import { session, task } from './options.ts';
import type { Desk } from './replies.ts';

/** What every client of a gateway has in common. */
export interface Office {
  readonly guard: Guard;
  readonly desk: Desk;
  readonly owner: string;
  readonly prefix: string;
  readonly limits: { readonly calls: number; readonly idle: number };
  readonly say: (line: string) => void;
  readonly isShadow: boolean;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A task of a client. */
export interface Work {
  readonly run: Run;
  readonly threadId: string;
  readonly isSession: boolean;
  /** Whether its policy is in force and the gateway in the shadow, or the other way round: no further call belongs to it. */
  readonly isOfOtherMode: boolean;
  /** The `ref` of each call whose outcome the client does not have yet, by what it calls. */
  readonly waiting: Map<string, string>;
  calls: number;
  inFlight: number;
  usedAt: number;
}

/** Whose tasks they are: a client's, or those of a session that the client names. */
export interface Whose {
  readonly client: string;
  readonly session: string | null;
}

/** Returns a text that names whose tasks they are. */
export const keyOf = ({ client, session: named }: Whose): string => JSON.stringify([client, named]);

/** What is saved with a task: what the client does not know yet. */
const Saved = z.object({ waiting: z.record(z.string(), z.string()) });

/** What the request of a task says: whose it is, and whether its policy stops nothing. */
export const Request = z.object({
  client: z.string(),
  session: z.string().nullable().default(null),
  mode: z.literal('shadow').optional(),
});

/**
 * Returns the open tasks of earlier processes, oldest first, by whose they are. One of calls that began in the other mode, in
 * which nothing waits, is concluded: the next calls belong to a task of this mode.
 */
export const openTasks = async ({
  guard,
  isShadow,
  clock,
}: Office): Promise<readonly { readonly whose: Whose; readonly works: readonly Work[] }[]> => {
  const open = new Map<string, { readonly whose: Whose; readonly works: Work[] }>();
  for (const { taskId, threadId, taskClass } of await guard.orchestrator.list({ isSettled: false })) {
    if (taskClass !== session && taskClass !== task) continue; // a person undoes a write in it
    const run = await guard.resume(taskId);
    const { request, calls } = await run.progress();
    const { mode, ...whose } = Request.safeParse(request).data ?? { client: '', session: null };
    const key = keyOf(whose);
    const waiting = Saved.safeParse(await run.savedState()).data?.waiting ?? {};
    const isOfOtherMode = taskClass === session && (mode === 'shadow') !== isShadow;
    if (isOfOtherMode && Object.keys(waiting).length === 0) {
      await run.conclude({ payload: { calls: calls.length } });
      continue;
    }
    const work: Work = {
      run,
      threadId,
      isSession: taskClass === session,
      waiting: new Map(Object.entries(waiting)),
      calls: calls.length,
      inFlight: 0,
      usedAt: clock.now(),
      isOfOtherMode,
    };
    const { works } = open.get(key) ?? { works: [] };
    open.set(key, { whose, works: [...works, work] });
  }
  return [...open.values()];
};
