import type { Reason } from '../../wire.ts';
import { shortened, visible } from '../words.ts';

interface Given {
  reasons: readonly Reason[] | null;
  hasFailed: boolean;
}

/** Why a task failed, or what is still missing before its delivery; the codes are folded away. */
export const Reasons = ({ reasons, hasFailed }: Given) => {
  if (reasons === null)
    return (
      <p class="muted">
        This task began under another version of the chart, so what is missing is not shown here.
      </p>
    );
  if (reasons.length === 0) return null;
  return (
    <section class={hasFailed ? 'card reasons bad' : 'card reasons'} aria-labelledby="reasons">
      <h2 id="reasons">
        {hasFailed ? 'Why nothing was delivered' : 'Still missing before the answer can be delivered'}
      </h2>
      <ul>
        {reasons.map(({ code, about, meaning, subject }) => (
          <li key={`${code} ${about}`}>
            {subject !== undefined && <strong>{visible(subject)} </strong>}
            {visible(meaning)}
          </li>
        ))}
      </ul>
      <details>
        <summary>Codes</summary>
        <ul>
          {reasons.map(({ code, about }) => (
            <li key={`${code} ${about}`}>
              <code>{code}</code> <span class="muted">{visible(shortened(about))}</span>
            </li>
          ))}
        </ul>
      </details>
    </section>
  );
};
