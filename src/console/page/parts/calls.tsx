import { isObject } from '../../../boundary/is-object.ts';
import { visible } from '../words.ts';
import { Value } from './value.tsx';

/** The calls of a plan, in order: tool and arguments. */
export const Calls = ({ calls }: { calls: unknown }) => {
  if (!Array.isArray(calls)) return <Value value={calls} />;
  if (calls.length === 0) return <p class="muted">No calls are planned.</p>;
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
