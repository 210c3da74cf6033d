import type { FieldGiven } from './field.ts';

/** Whether an effect happened of which nobody knows: what an edit of a doubt says. */
export const EffectField = ({ draft, write }: FieldGiven) => (
  <label class="field">
    Did it happen?
    <select value={draft.json} onChange={({ currentTarget }) => write({ json: currentTarget.value })}>
      <option value={'"done"'}>It happened</option>
      <option value={'"absent"'}>It did not happen: it is made again</option>
    </select>
  </label>
);
