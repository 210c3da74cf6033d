import { outcomeInWords } from '../../base/boundary/outcome-words.ts';
import type { TaskSummary } from '../../core/kernel/summary.ts';
import type { DriveResult } from './drive.ts';
import { bad, good, type Printer, type Toned } from './printer.ts';

/** Returns where a task stopped, as JSON. */
export const endAsJson = (driven: DriveResult) => {
  if ('waits' in driven) {
    const { taskId, question, message } = driven.waits;
    return {
      taskId,
      state: message.state,
      outcome: 'pending',
      reasons: [],
      waitsFor: question.kind,
      message,
    };
  }
  const { taskId, state, outcome, reasons, message } = driven.settled;
  return { taskId, state, outcome, reasons, waitsFor: null, message };
};

/** Returns an outcome for a line; `uncertain` by its cause, such as "refused by policy". */
export const outcomeOf = ({ outcome, reasons }: Pick<TaskSummary, 'outcome' | 'reasons'>): string | Toned => {
  if (outcome === 'pending') return outcome;
  if (outcome === 'success') return good(outcome);
  const codes = reasons.map(({ code }) => code);
  return bad(outcome === 'failure' ? outcome : outcomeInWords(outcome, codes).toLowerCase());
};

export const printEnd = (driven: DriveResult, out: Printer): Promise<void> => {
  if ('waits' in driven) {
    const { taskId, question, message } = driven.waits;
    return out.line(
      `${taskId}: `,
      bad('waits'),
      ` for a person (${question.kind}), message ${message.messageId}`,
    );
  }
  const { taskId, message } = driven.settled;
  return out.line(`${taskId}: `, outcomeOf(driven.settled), `: ${message.explanation}`);
};

export const isSuccess = (driven: DriveResult): boolean =>
  'settled' in driven && driven.settled.outcome === 'success';
