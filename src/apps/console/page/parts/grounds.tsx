import type { Grounds as Given } from '../../wire.ts';
import { Evidence } from './evidence.tsx';
import { Folded } from './folded.tsx';
import { Report } from './report.tsx';

const Count = ({ shown, all }: { shown: number; all: number }) =>
  all > shown ? (
    <p class="muted">
      The latest {shown} of {all.toLocaleString('en')}.
    </p>
  ) : null;

/** Returns how many texts, numbers and other plain values a document holds. */
const valuesIn = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, one) => sum + valuesIn(one), 0)
    : 1;

const Shown = ({ grounds: { evidence, evidenceCount } }: { grounds: Given }) => (
  <>
    {evidence.length === 0 && <p class="muted">None yet.</p>}
    <Count shown={evidence.length} all={evidenceCount} />
    {evidence.toReversed().map((one) => (
      <Evidence key={one.evidence_id} evidence={one} />
    ))}
  </>
);

interface GroundsGiven {
  grounds: Given;
  /** Whether evidence that is longer than a screen is folded. */
  isFolded?: boolean;
}

/** The basis of a decision: evidence and verification reports. */
export const Grounds = ({ grounds, isFolded = false }: GroundsGiven) => {
  const { evidence, reports, reportCount } = grounds;
  const values = valuesIn(evidence.map(({ payload }) => payload));
  return (
    <>
      <section aria-labelledby="evidence">
        <h2 id="evidence">Evidence</h2>
        {isFolded ? (
          <Folded what={`${values.toLocaleString('en')} values`}>
            <Shown grounds={grounds} />
          </Folded>
        ) : (
          <Shown grounds={grounds} />
        )}
      </section>
      <section aria-labelledby="verification">
        <h2 id="verification">Verification</h2>
        {reports.length === 0 && <p class="muted">No verifier has reported yet.</p>}
        <Count shown={reports.length} all={reportCount} />
        {reports.toReversed().map((report) => (
          <Report key={report.report_id} report={report} />
        ))}
      </section>
    </>
  );
};
