import type { FieldGiven } from './field.ts';

/** A multi-line text. */
export const TextField = ({ draft, write, isWrong, label }: FieldGiven & { label: string }) => (
  <label class="field">
    {label}
    <textarea
      rows={4}
      value={draft.text}
      onInput={({ currentTarget }) => write({ text: currentTarget.value })}
      aria-invalid={isWrong}
      aria-describedby="problem"
    />
  </label>
);
