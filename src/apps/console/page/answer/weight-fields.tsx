import type { FieldGiven } from './field.ts';

const weights = ['', 'low', 'medium', 'high', 'critical'];

/** Severity and urgency, by which the inbox is sorted. */
export const WeightFields = ({ draft, write }: FieldGiven) => (
  <div class="beside">
    {(['severity', 'priority'] as const).map((name) => (
      <label key={name} class="field">
        {name === 'severity' ? 'Severity' : 'Priority'}
        <select value={draft[name]} onChange={({ currentTarget }) => write({ [name]: currentTarget.value })}>
          {weights.map((weight) => (
            <option key={weight} value={weight}>
              {weight === '' ? 'not set' : weight}
            </option>
          ))}
        </select>
      </label>
    ))}
  </div>
);
