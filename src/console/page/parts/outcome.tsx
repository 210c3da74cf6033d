import type { Outcome as Given, ReasonCode } from '../../../../schema/index.ts';
import { outcomeInWords } from '../../../boundary/outcome-words.ts';
import { Pill } from './pill.tsx';

/** The outcome of a task, in words. */
export const Outcome = ({ outcome, codes }: { outcome: Given; codes: readonly ReasonCode[] }) => (
  <Pill of={outcome} label={outcomeInWords(outcome, codes)} tone={tones[outcome]} />
);

const tones = { success: 'good', failure: 'bad', uncertain: 'bad', pending: 'plain' } as const;
