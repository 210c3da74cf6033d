import type { Outcome } from '../../../../../schema/index.ts';

/** Why a run ends without delivering. */
export class Stop extends Error {
  readonly code: string;
  readonly outcome: Outcome;
  /** The person who wanted it. */
  readonly by: string | null;

  constructor(code: string, outcome: Outcome = 'uncertain', by: string | null = null) {
    super(code);
    this.code = code;
    this.outcome = outcome;
    this.by = by;
  }
}
