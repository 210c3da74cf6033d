import type { DriveResult } from './drive.ts';
import { bad, good, type Printer } from './printer.ts';

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

export const printEnd = (driven: DriveResult, out: Printer): Promise<void> => {
  if ('waits' in driven) {
    const { taskId, question, message } = driven.waits;
    return out.line(
      `${taskId}: `,
      bad('waits'),
      ` for a person (${question.kind}), message ${message.messageId}`,
    );
  }
  const { taskId, outcome, message } = driven.settled;
  return out.line(
    `${taskId}: `,
    outcome === 'success' ? good(outcome) : bad(outcome),
    `: ${message.explanation}`,
  );
};

export const isSuccess = (driven: DriveResult): boolean =>
  'settled' in driven && driven.settled.outcome === 'success';
