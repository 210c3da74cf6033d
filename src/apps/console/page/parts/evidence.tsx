import type { EvidenceObject } from '../../../../../schema/index.ts';
import { evidenceTypes, visible } from '../words.ts';
import { Time } from './time.tsx';
import { Value } from './value.tsx';

/** An evidence object (UAICP 5.1): source, digest and payload. */
export const Evidence = ({ evidence }: { evidence: EvidenceObject }) => {
  const { source, evidence_type, hash, collected_at, payload } = evidence;
  return (
    <details class="card" open={evidence_type !== 'approval_token'}>
      <summary>
        <strong>{visible(source)}</strong> <span class="muted">{evidenceTypes[evidence_type]}</span>
      </summary>
      <p class="muted">
        <Time at={collected_at} />
      </p>
      {payload !== undefined && <Value value={payload} />}
      <details class="codes">
        <summary>Digest</summary>
        <code>{hash}</code>
      </details>
    </details>
  );
};
