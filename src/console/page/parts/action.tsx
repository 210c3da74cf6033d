import { isObject } from '../../../boundary/is-object.ts';
import { short, visible } from '../words.ts';
import { Value } from './value.tsx';

/** A proposed write: tool, arguments and rollback (UAICP 5.3). */
export const Action = ({ action }: { action: unknown }) => {
  if (!isObject(action)) return <Value value={action} />;
  const { tool, version, arguments: given, rollback, digest, ...more } = action;
  const { id: _, ...rest } = more;
  return (
    <>
      <p>
        <strong>{visible(String(tool))}</strong>{' '}
        <span class="muted">
          version {visible(String(version))}, digest{' '}
          <code title={String(digest)}>{short(String(digest))}</code>
        </span>
      </p>
      <Value value={given} />
      <h3>How it is undone</h3>
      {rollback === null ? <p>It cannot be undone.</p> : <Value value={rollback} />}
      <h3>Policy decision</h3>
      {Object.keys(rest).length > 0 && <Value value={rest} />}
    </>
  );
};
