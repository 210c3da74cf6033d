import type { Fact, FactType } from '../../machines/index.ts';

/** Limits whose count is kept out of a world that does not name them: no run of it reaches what they are by default. */
export const long = ['modelCalls', 'calls'] as const;
export type LongLimit = (typeof long)[number];

/** What may be a turn of the model, and what is a call. */
const counted: Readonly<Record<LongLimit, readonly FactType[]>> = {
  modelCalls: [
    'plan.proposed',
    'calls.proposed',
    'draft.proposed',
    'output.rejected',
    'information.requested',
    'help.requested',
    'capability.exceeded',
  ],
  calls: ['call.started'],
};

/** More than any limit that a world leaves uncounted. */
const enough = 64;

interface Edge {
  readonly from: number;
  readonly event: Fact;
  readonly to: number;
}

/** The most facts that count for a limit on any way through a graph; another request begins anew. */
export const mostOn = (edges: readonly Edge[], limit: LongLimit): number => {
  const within = edges.filter(({ event }) => event.type !== 'changes.requested');
  const most = new Map<number, number>();
  let greatest = 0;
  for (let isLonger = true; isLonger && greatest <= enough;) {
    isLonger = false;
    for (const { from, event, to } of within) {
      const sum = (most.get(from) ?? 0) + Number(counted[limit].includes(event.type));
      if (sum <= (most.get(to) ?? 0)) continue;
      most.set(to, sum);
      greatest = Math.max(greatest, sum);
      isLonger = true;
    }
  }
  return greatest;
};
