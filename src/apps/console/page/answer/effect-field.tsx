import type { FieldGiven } from './field.ts';

/** Asks whether a doubtful effect happened; this becomes an `edit`. */
export const EffectField = ({ draft, write }: FieldGiven) => (
  <label class="field">
    Did it happen?
    <select value={draft.json} onChange={({ currentTarget }) => write({ json: currentTarget.value })}>
      <option value={'"done"'}>It happened</option>
      <option value={'"absent"'}>It did not happen; it is repeated</option>
    </select>
  </label>
);
