import type { VerificationReport } from '../../../../../schema/index.ts';
import { visible } from '../words.ts';
import { Pill } from './pill.tsx';
import { Time } from './time.tsx';

/** A verification report (UAICP 5.2), by check. */
export const Report = ({ report }: { report: VerificationReport }) => (
  <div class="card">
    <p>
      <strong>{visible(report.verifier_id ?? 'A verifier')}</strong> <Pill of={report.status} />{' '}
      <span class="muted">
        <Time at={report.generated_at} />
      </span>
    </p>
    <ul class="checks">
      {report.checks.map(({ check_id, result, details }, at) => (
        <li key={at}>
          <Pill of={result} /> {visible(check_id)} <span class="muted">{visible(details ?? '')}</span>
        </li>
      ))}
    </ul>
  </div>
);
