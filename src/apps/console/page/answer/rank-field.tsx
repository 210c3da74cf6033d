import type { FieldGiven } from './field.ts';
import { visible } from '../words.ts';
import { choicesOf, labelOf, nameOf } from './proposal.ts';

const keyOf = (value: unknown): string => JSON.stringify(value);

/** Returns the ranking with one entry moved up. */
const movedUp = (ranking: readonly unknown[], at: number): readonly unknown[] => [
  ...ranking.slice(0, at - 1),
  ranking[at],
  ranking[at - 1],
  ...ranking.slice(at + 1),
];

/** The choices and their ranking, best first. Buttons make it usable with a keyboard. */
export const RankField = ({ entry, draft, write }: FieldGiven) => {
  const choices = new Map(choicesOf(entry).map((choice) => [keyOf(nameOf(choice)), choice]));
  const { ranking } = draft;
  const chosen = new Set(ranking.map(keyOf));
  const unranked = [...choices].filter(([key]) => !chosen.has(key));
  const label = (name: unknown): string => visible(labelOf(choices.get(keyOf(name)) ?? name));
  if (choices.size === 0)
    return <p class="muted">There are no alternatives to rank. Edit or instruct instead.</p>;
  return (
    <div class="rank">
      <h3 id="chosen">Your order</h3>
      {ranking.length === 0 && <p class="muted">Nothing chosen yet.</p>}
      <ol aria-labelledby="chosen">
        {ranking.map((name, at) => (
          <li key={keyOf(name)}>
            <span>{label(name)}</span>
            <button
              type="button"
              disabled={at === 0}
              aria-label={`Move ${label(name)} up`}
              onClick={() => write({ ranking: movedUp(ranking, at) })}
            >
              Up
            </button>
            <button
              type="button"
              aria-label={`Remove ${label(name)}`}
              onClick={() => write({ ranking: ranking.filter((one) => one !== name) })}
            >
              Remove
            </button>
          </li>
        ))}
      </ol>
      <h3 id="to-choose">To choose from</h3>
      <ul aria-labelledby="to-choose">
        {unranked.map(([key, choice]) => (
          <li key={key}>
            <span>{visible(labelOf(choice))}</span>
            <button
              type="button"
              aria-label={`Choose ${visible(labelOf(choice))}`}
              onClick={() => write({ ranking: [...ranking, nameOf(choice)] })}
            >
              Choose
            </button>
          </li>
        ))}
      </ul>
    </div>
  );
};
