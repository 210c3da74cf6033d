import { readReport } from '../core/shell/duties/caller.ts';
import type { Progress } from '../core/shell/progress.ts';
import type { CallerOutcome, CallerRollback } from '../base/ports/caller.ts';
import type { GuardContext } from './guard-context.ts';
import type { CallOutcome, Cleared, ClearedCall } from './outcome.ts';
import type { PendingCall } from './pending-proposals.ts';
import { nameOf, type Proposals } from './proposals.ts';
import { callVerdict, listingOf } from './verdicts.ts';

const askedAgain = {
  status: 'unknown',
  explanation: 'Its caller asked again whether it may perform it, and did not say whether it had.',
} as const satisfies CallerOutcome;

/** Returns the outcome of a call that its caller performs; `soon` while its intent is written. */
const verdictOf = (pending: PendingCall, progress: Progress): Cleared | CallOutcome | 'soon' | undefined => {
  const status = listingOf(pending.ref, progress)?.status;
  if (status === 'waiting') return { status: 'cleared' };
  return status === 'started' ? 'soon' : callVerdict(pending, progress);
};

type Decide = (progress: Progress) => Cleared | CallOutcome | 'soon' | undefined;

/** The calls of a run that its agent performs itself. */
export class Performed {
  readonly #taskId: string;
  readonly #context: GuardContext;

  readonly #proposals: Proposals;

  constructor(taskId: string, context: GuardContext, proposals: Proposals) {
    this.#taskId = taskId;
    this.#context = context;
    this.#proposals = proposals;
  }

  /**
   * Waits with `until` for the clearance of a call, as its only caller. Who asks again after `cleared` may have performed it: a tool that
   * is not idempotent is then in doubt.
   */
  async clear(
    pending: PendingCall,
    until: (decide: Decide) => Promise<Cleared | CallOutcome>,
  ): Promise<ClearedCall | CallOutcome> {
    const { callers, orchestrator, tools, report, clearedFor } = this.#context;
    const { ref, tool } = pending;
    const release = await callers.claim(this.#taskId, ref);
    try {
      const known = listingOf(ref, await orchestrator.task(this.#taskId));
      const mayHaveHappened = known?.status === 'waiting' && tools.get(tool)?.doubt !== 'idempotent';
      if (mayHaveHappened) await report(this.#taskId, ref, askedAgain);
      const verdict = await until((progress) => verdictOf(pending, progress)).catch(
        async (error: unknown) => {
          // it was cleared while the waiting ended: nobody else is told
          if ((await clearedFor(this.#taskId, ref)) === null) throw error;
          return { status: 'cleared' } as const;
        },
      );
      if (verdict.status !== 'cleared') return verdict;
      const cleared = await clearedFor(this.#taskId, ref);
      const listed = listingOf(ref, await orchestrator.task(this.#taskId));
      if (cleared !== null && listed !== undefined)
        return Object.freeze({ ...verdict, ...cleared, arguments: listed.arguments });
    } finally {
      release();
    }
    return this.clear(pending, until); // it moved on meanwhile
  }

  /** Records what the caller reports of a call, and returns its proposal. */
  async report(ref: string, outcome: CallerOutcome): Promise<PendingCall> {
    const name = nameOf(ref);
    await this.#context.report(this.#taskId, name, readReport(outcome));
    return this.#proposals.proposed(name);
  }

  rollbacks(): readonly CallerRollback[] {
    return this.#context.callers.rollbacks(this.#taskId);
  }

  async endRollback(ref: string, outcome: CallerOutcome): Promise<void> {
    const { explanation } = { explanation: null, ...readReport(outcome) };
    await this.#context.callers.endRollback(this.#taskId, nameOf(ref), explanation);
  }
}
