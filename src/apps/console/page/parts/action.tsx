import { isObject } from '../../../../base/boundary/is-object.ts';
import { visible } from '../words.ts';
import { Value } from './value.tsx';

/** A proposed write: tool, arguments and rollback (UAICP 5.3). */
export const Action = ({ action }: { action: unknown }) => {
  if (!isObject(action)) return <Value value={action} />;
  const { tool, arguments: given, rollback } = action;
  return (
    <>
      <p>
        <strong>{visible(String(tool))}</strong>
      </p>
      <Value value={given} />
      <h3>How it is undone</h3>
      {rollback === null || rollback === undefined ? <p>It cannot be undone.</p> : <Value value={rollback} />}
    </>
  );
};

/** What a signed approval covers beyond what a person reads: version, digest, tier, policy and claims; folded away. */
export const Details = ({ of }: { of: Readonly<Record<string, unknown>> }) => (
  <details class="codes">
    <summary>Codes and digests</summary>
    <Value value={of} />
  </details>
);
