import type { Emission } from '../../ports/emission.ts';
import type { Grounds } from '../wire.ts';
import { brief } from './brief.ts';

/** How many of each are shown: the latest. */
const most = 50;

/** What a task's gates rest on: evidence, reports, and how its phases went (UAICP 5). */
export const groundsIn = (documents: readonly Emission[]): Grounds => {
  const evidence = documents.flatMap(({ name, document }) => (name === 'EvidenceObject' ? [document] : []));
  const reports = documents.flatMap(({ name, document }) =>
    name === 'VerificationReport' ? [document] : [],
  );
  const envelopes = documents.flatMap(({ name, document }) => (name === 'MessageEnvelope' ? [document] : []));
  return {
    evidence: evidence.slice(-most).map(brief),
    evidenceCount: evidence.length,
    reports: reports.slice(-most),
    reportCount: reports.length,
    phases: envelopes
      .slice(-most)
      .map(({ state, outcome, timestamp }) => ({ phase: state, outcome, timestamp })),
  };
};
