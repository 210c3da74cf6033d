import type { Progress } from '../../core/shell/progress.ts';
import type { InboxEntry } from '../../core/kernel/summary.ts';
import type { Emission } from '../../base/ports/emission.ts';
import { isAgent } from './caller.ts';
import type { Asked } from './route.ts';

/** What a caller may see of a run that it may read. */
export interface RunReads {
  readonly progress: () => Promise<Progress>;
  readonly questions: () => Promise<readonly InboxEntry[]>;
  readonly documents: () => Promise<readonly Emission[]>;
}

/** Returns what a caller may see of a run: people all of it, an agent what a model may be shown. */
export const readsOf = async (
  { guard, caller }: Pick<Asked, 'guard' | 'caller'>,
  id: string,
): Promise<RunReads> => {
  const { orchestrator } = guard;
  if (!isAgent(caller))
    return {
      progress: () => orchestrator.task(id),
      questions: () => orchestrator.inbox(id),
      documents: () => orchestrator.documents(id),
    };
  const run = await guard.resume(id);
  return {
    progress: () => run.progress(),
    questions: () => run.questions('agent'),
    documents: () => run.documents(),
  };
};
