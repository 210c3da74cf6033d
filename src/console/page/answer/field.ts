import type { InboxEntry } from '../../../orchestrator/summary.ts';
import type { Draft } from './feedback.ts';

/** What a field of the form is given. */
export interface FieldGiven {
  entry: InboxEntry;
  draft: Draft;
  write: (changed: Partial<Draft>) => void;
  /** Whether what was sent was refused: the problem is told below the field. */
  isWrong: boolean;
}
