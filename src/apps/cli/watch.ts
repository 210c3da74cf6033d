import type { Orchestrator } from '../../core/shell/surface.ts';
import { bad, faint, good, type Printer, type Toned } from './printer.ts';

const stateOf = (state: string): string | Toned => {
  const text = state.padEnd(19);
  if (state === 'completed') return good(text);
  return state === 'failed' ? bad(text) : text;
};

/** Prints events of running tasks: messages, phases, evidence and verdicts. */
export const printDocuments = (orchestrator: Orchestrator, out: Printer): (() => void) =>
  orchestrator.on('document', ({ name, document }) => {
    switch (name) {
      case 'UpFormatMessage':
      case 'ReceivedMessage': {
        const { state, agentId = '', explanation } = document;
        return out.line(stateOf(state), ` ${agentId.padEnd(14)} `, explanation);
      }
      case 'MessageEnvelope': {
        const { state, outcome, metadata } = document;
        const call = metadata?.['agentcharter:call'];
        const tool =
          typeof call === 'object' && call !== null && 'tool' in call ? ` calls ${String(call.tool)}` : '';
        return out.line(faint(`  [${state}${tool}]${outcome === 'pending' ? '' : ` ${outcome}`}`));
      }
      case 'EvidenceObject':
        return out.line(faint(`    evidence of ${document.source}, ${document.hash.slice(0, 19)}...`));
      case 'VerificationReport':
        return out.line(faint(`    ${document.verifier_id ?? 'a verifier'}: ${document.status}`));
    }
  });
