import { isObject } from '../../../../base/boundary/is-object.ts';
import { visible } from '../words.ts';
import { Value } from './value.tsx';

/** Calls in order: tool and arguments. */
export const Calls = ({ calls, none }: { calls: unknown; none: string }) => {
  if (!Array.isArray(calls)) return <Value value={calls} />;
  if (calls.length === 0) return <p class="muted">{none}</p>;
  return (
    <ol class="calls">
      {calls.map((call: unknown, at) => (
        <li key={at}>
          {isObject(call) ? (
            <>
              <strong>{visible(String(call['tool']))}</strong>
              <Value value={call['arguments']} />
            </>
          ) : (
            <Value value={call} />
          )}
        </li>
      ))}
    </ol>
  );
};
