import type { FieldGiven } from './field.ts';
import { fieldName, visible } from '../words.ts';
import { fieldsOf } from './proposal.ts';

/** A field for each requested value; without them, the proposal as editable JSON. */
export const EditField = ({ entry, draft, write, isWrong }: FieldGiven) => {
  const meanings = Object.entries(fieldsOf(entry));
  if (meanings.length === 0)
    return (
      <label class="field">
        The proposal, as JSON
        <textarea
          class="code"
          rows={14}
          spellcheck={false}
          value={draft.json}
          onInput={({ currentTarget }) => write({ json: currentTarget.value })}
          aria-invalid={isWrong}
          aria-describedby="problem"
        />
      </label>
    );
  return (
    <>
      {meanings.map(([name, meaning]) => (
        <label key={name} class="field" title={name}>
          {visible(fieldName(name))}
          <span class="muted">{visible(meaning)}</span>
          <input
            type="text"
            value={draft.fields[name] ?? ''}
            onInput={({ currentTarget }) =>
              write({ fields: { ...draft.fields, [name]: currentTarget.value } })
            }
            aria-invalid={isWrong}
            aria-describedby="problem"
          />
        </label>
      ))}
    </>
  );
};
