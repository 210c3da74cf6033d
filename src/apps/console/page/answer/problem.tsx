import type { Refusal } from '../../wire.ts';
import { visible } from '../words.ts';

/** Why an answer was rejected, shown next to the form and announced to screen readers. */
export const Problem = ({ refusal }: { refusal: Refusal | null }) => (
  <div id="problem" role="alert" aria-live="assertive">
    {refusal && (
      <div class="notice bad">
        <p>
          {refusal.reason && <code>{refusal.reason}</code>} {visible(refusal.detail)}
        </p>
        {refusal.errors && (
          <ul>
            {refusal.errors.slice(0, 20).map(({ pointer, detail }, at) => (
              <li key={at}>
                <code>{visible(pointer)}</code> {visible(detail)}
              </li>
            ))}
          </ul>
        )}
        {refusal.code === 'feedback_refused' && <p>The question stays open.</p>}
      </div>
    )}
  </div>
);
