import type { FieldGiven } from './field.ts';

/** The field for a signed approval (UAICP 5.3), and what is signed, folded away. */
export const ApprovalField = ({ entry, draft, write, isWrong }: FieldGiven) => (
  <div class="signing">
    <label class="field">
      Signed approval
      <span class="muted">
        A compact JWS over the claims below. It is sent once and not stored in this page.
      </span>
      <textarea
        class="code"
        rows={4}
        spellcheck={false}
        autocomplete="off"
        value={draft.token}
        onInput={({ currentTarget }) => write({ token: currentTarget.value })}
        aria-invalid={isWrong}
        aria-describedby="problem"
      />
    </label>
    <details class="codes">
      <summary>Claims to sign</summary>
      <dl class="terms">
        {Object.entries(entry.question.approval ?? {}).map(([claim, value]) => (
          <div key={claim}>
            <dt>{claim}</dt>
            <dd>
              <code>{String(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  </div>
);
