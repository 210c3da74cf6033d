import type { InboxEntry } from '../../../../core/kernel/summary.ts';
import type { Draft } from './feedback.ts';

/** Props of a form field. */
export interface FieldGiven {
  entry: InboxEntry;
  draft: Draft;
  write: (changed: Partial<Draft>) => void;
  /** Whether the last submission was rejected. The problem is shown below the field. */
  isWrong: boolean;
}
