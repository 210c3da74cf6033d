import type { Orchestrator } from 'agentcharter';
import type { UpFormatMessage } from 'agentcharter/schema';
import type { Result } from './shortlist.ts';

interface Output {
  write(text: string): unknown;
}

const line = ({ state, agentId, explanation, upFeedback }: UpFormatMessage, isAsked: boolean): string => {
  const isQuestion = state === 'needsHumanDecision' || state === 'followup';
  const said =
    upFeedback === undefined
      ? isQuestion && isAsked
        ? 'asks you'
        : explanation
      : `${upFeedback.type} ${JSON.stringify(upFeedback.content ?? '')}`;
  return `  ${state.padEnd(19)}${(agentId ?? '').padEnd(15)}${said}`;
};

/** Prints every document of the run, one JSON object a line, as it is recorded. */
export const printDocuments = (orchestrator: Orchestrator, output: Output): void => {
  orchestrator.on('document', ({ document }) => output.write(`${JSON.stringify(document)}\n`));
};

/** Prints the thread and the phases as they are entered; without the questions if they are asked elsewhere. */
export const printThread = (orchestrator: Orchestrator, output: Output, isAsked: boolean): void => {
  orchestrator.on('document', (emission) => {
    switch (emission.name) {
      case 'UpFormatMessage':
      case 'ReceivedMessage':
        output.write(`${line(emission.document, isAsked)}\n`);
        break;
      case 'MessageEnvelope': {
        const { state, outcome, metadata } = emission.document;
        const call = metadata?.['agentcharter:call'];
        const tool =
          typeof call === 'object' && call !== null && 'tool' in call ? ` calls ${String(call.tool)}` : '';
        output.write(
          `${' '.repeat(23)}[${state}${tool}] ${outcome === 'pending' ? '' : outcome}`.trimEnd() + '\n',
        );
        break;
      }
      case 'EvidenceObject':
        output.write(
          `${' '.repeat(23)}  evidence of ${emission.document.source}, ${emission.document.hash.slice(0, 19)}…\n`,
        );
        break;
      case 'VerificationReport':
        output.write(
          `${' '.repeat(23)}  ${emission.document.verifier_id ?? 'verifier'}: ${emission.document.status}\n`,
        );
        break;
    }
  });
};

/** Prints how the workflow ended. */
export const printResult = (result: Result, output: Output): void => {
  switch (result.end) {
    case 'delivered':
      output.write(`\nDelivered. ${result.invitation?.message.explanation ?? 'No one is invited.'}\n`);
      break;
    case 'failed':
      output.write(`\nNot delivered: ${result.failed.message.explanation}\n`);
      break;
    case 'paused':
      output.write(
        `\nPaused at needsHumanDecision: ${result.question.message.explanation} Run it again to go on.\n`,
      );
      break;
  }
};
