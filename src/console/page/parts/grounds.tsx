import type { Grounds as Given } from '../../wire.ts';
import { Evidence } from './evidence.tsx';
import { Report } from './report.tsx';

const Count = ({ shown, all }: { shown: number; all: number }) =>
  all > shown ? (
    <p class="muted">
      The latest {shown} of {all.toLocaleString('en')}.
    </p>
  ) : null;

/** The basis of a decision: evidence and verification reports. */
export const Grounds = ({ grounds, level = 2 }: { grounds: Given; level?: 2 | 3 }) => {
  const { evidence, evidenceCount, reports, reportCount } = grounds;
  const Title = level === 2 ? 'h2' : 'h3';
  return (
    <>
      <section aria-labelledby="evidence">
        <Title id="evidence">Evidence</Title>
        {evidence.length === 0 && <p class="muted">None yet.</p>}
        <Count shown={evidence.length} all={evidenceCount} />
        {evidence.toReversed().map((one) => (
          <Evidence key={one.evidence_id} evidence={one} />
        ))}
      </section>
      <section aria-labelledby="verification">
        <Title id="verification">Verification</Title>
        {reports.length === 0 && <p class="muted">No verifier has reported yet.</p>}
        <Count shown={reports.length} all={reportCount} />
        {reports.toReversed().map((report) => (
          <Report key={report.report_id} report={report} />
        ))}
      </section>
    </>
  );
};
