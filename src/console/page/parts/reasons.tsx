import type { Reason } from '../../wire.ts';
import { shortened, visible } from '../words.ts';

interface Given {
  reasons: readonly Reason[] | null;
  hasFailed: boolean;
}

/** Why a task failed, or what the `deliver` gate still requires. */
export const Reasons = ({ reasons, hasFailed }: Given) => {
  if (reasons === null)
    return (
      <p class="muted">
        This task began under another version of the chart, so its gates are not shown here.
      </p>
    );
  if (reasons.length === 0) return null;
  return (
    <section class={hasFailed ? 'card reasons bad' : 'card reasons'} aria-labelledby="reasons">
      <h2 id="reasons">
        {hasFailed ? 'Why nothing was delivered' : 'Still missing before the answer can be delivered'}
      </h2>
      <ul>
        {reasons.map(({ code, about, meaning }) => (
          <li key={`${code} ${about}`}>
            {meaning}{' '}
            <span class="muted">
              <code>{code}</code> {visible(shortened(about))}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
