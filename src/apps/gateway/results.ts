import type { Guard } from '../../guard/index.ts';
import { isObject } from '../../base/boundary/is-object.ts';

/** What writes returned, as their record has it. */
export interface Results {
  /** Returns the structured result of a write, else what its record has of the result; `undefined` if that was erased. */
  readonly of: (requestId: string, rollbackKey: string) => Promise<unknown>;
  /** Reads from here on the records of these tasks. */
  readonly follow: (orchestrator: Pick<Guard['orchestrator'], 'on' | 'ledger'>) => void;
}

/** Creates the results of a server. A rollback knows its request and its key, and no task: its record comes first, and names one. */
export const createResults = (): Results => {
  const tasks = new Map<string, string>();
  let ledger: Guard['orchestrator']['ledger'] | undefined;
  return {
    follow: (orchestrator) => {
      ledger = orchestrator.ledger;
      orchestrator.on('record', ({ taskId, fact }) => {
        if (fact?.type === 'rollback.started') tasks.set(fact.request, taskId);
      });
    },
    of: async (request, key) => {
      const facts = ((await ledger?.(tasks.get(request) ?? '')) ?? []).filter(
        ({ kind }) => kind !== 'refusal',
      );
      const calls = facts.flatMap(({ fact }) =>
        fact?.type === 'call.started' && fact.request === request && key.endsWith(fact.digest)
          ? [fact.call]
          : [],
      );
      const done = facts.findLast(
        ({ fact }) =>
          fact?.type === 'call.succeeded' && fact.request === request && calls.includes(fact.call),
      );
      const result = done?.brought.evidence?.payload;
      return isObject(result) && result['structured'] !== undefined ? result['structured'] : result;
    },
  };
};
