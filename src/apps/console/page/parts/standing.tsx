import type { TaskSummary } from '../../../../core/kernel/summary.ts';
import { outcomeInWords } from '../../../../base/boundary/outcome-words.ts';
import { Pill } from './pill.tsx';

/** Returns the outcome of a settled task in words; `undefined` if its state says the same or more. */
const endOf = ({ isSettled, state, outcome, reasons }: TaskSummary): string | undefined =>
  isSettled && !state.startsWith('cancelled')
    ? outcomeInWords(
        outcome,
        reasons.map(({ code }) => code),
      )
    : undefined;

/** The state of a task that is under way, and the outcome of one that has ended. */
export const Standing = ({ of }: { of: TaskSummary }) => {
  const label = endOf(of);
  return <Pill of={of.state} {...(label !== undefined && { label })} />;
};
