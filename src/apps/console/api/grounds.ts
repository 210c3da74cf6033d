import * as z from 'zod';
import { ReasonCode } from '../../../../schema/index.ts';
import type { Emission } from '../../../base/ports/emission.ts';
import type { Grounds } from '../wire.ts';
import { brief } from './brief.ts';

const Codes = z.array(ReasonCode).catch([]);

/** The maximum of items of each kind; the latest are shown. */
const maxItems = 50;

/** Returns what a task's gates are based on: evidence, reports and phases (UAICP 5). */
export const groundsIn = (documents: readonly Emission[]): Grounds => {
  const evidence = documents.flatMap(({ name, document }) => (name === 'EvidenceObject' ? [document] : []));
  const reports = documents.flatMap(({ name, document }) =>
    name === 'VerificationReport' ? [document] : [],
  );
  const envelopes = documents.flatMap(({ name, document }) => (name === 'MessageEnvelope' ? [document] : []));
  return {
    evidence: evidence.slice(-maxItems).map(brief),
    evidenceCount: evidence.length,
    reports: reports.slice(-maxItems),
    reportCount: reports.length,
    phases: envelopes.slice(-maxItems).map(({ state, outcome, timestamp, metadata }) => ({
      phase: state,
      outcome,
      timestamp,
      codes: Codes.parse(metadata?.['agentcharter:reasonCodes']),
    })),
  };
};
