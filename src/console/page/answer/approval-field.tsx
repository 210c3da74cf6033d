import type { FieldGiven } from './field.ts';

/** The claims of a signed approval (UAICP 5.3), and the field for its token. */
export const ApprovalField = ({ entry, draft, write, isWrong }: FieldGiven) => {
  const { approval, needsToken = false } = entry.question;
  return (
    <div class="signing">
      <h3>Claims to sign</h3>
      <dl class="terms">
        {Object.entries(approval ?? {}).map(([claim, value]) => (
          <div key={claim}>
            <dt>{claim}</dt>
            <dd>
              <code>{String(value)}</code>
            </dd>
          </div>
        ))}
      </dl>
      <label class="field">
        {needsToken ? 'Signed approval' : 'Signed approval (optional)'}
        <span class="muted">
          A compact JWS over these claims. It is sent once and not stored in this page.
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
    </div>
  );
};
