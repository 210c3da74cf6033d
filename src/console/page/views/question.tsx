import { useState } from 'preact/hooks';
import type { QuestionView } from '../../wire.ts';
import { AnswerForm } from '../answer/form.tsx';
import { useFetched } from '../fetched.ts';
import { Grounds } from '../parts/grounds.tsx';
import { Heading } from '../parts/heading.tsx';
import { Proposal } from '../parts/proposal.tsx';
import { Rejected } from '../parts/rejected.tsx';
import { Reasons } from '../parts/reasons.tsx';
import { Terms } from '../parts/terms.tsx';
import { linkTo } from '../route.ts';
import { kinds, visible } from '../words.ts';

interface Given {
  messageId: string;
  identity: string | null;
}

/** A question: the proposal, the answer form, and the basis of the answer. */
export const Question = ({ messageId, identity }: Given) => {
  const { value, refusal } = useFetched<QuestionView>(`api/inbox/${encodeURIComponent(messageId)}`);
  const [notice, setNotice] = useState<string | null>(null);
  const back = <a href={linkTo({ view: 'inbox', messageId: null })}>Back to the inbox</a>;
  if (value === undefined)
    return (
      <div class="decision" aria-live="polite">
        {notice !== null && <p class="notice good">{notice}</p>}
        {refusal?.code === 'not_found' ? (
          <>
            <Heading title="This question is closed" />
            <p>
              {notice === null ? 'It was answered, or its deadline has passed.' : 'Your answer was recorded.'}
            </p>
          </>
        ) : (
          <p class="muted">{refusal?.detail ?? 'Loading the question…'}</p>
        )}
        <p>{back}</p>
      </div>
    );
  const { entry, rejected, grounds, reasons } = value;
  const explanation = visible(entry.message.explanation);
  return (
    <div class="decision">
      <article class="asked">
        <p class="back">{back}</p>
        <p class="kind">{kinds[entry.question.kind]}</p>
        <Heading title={explanation === '' ? kinds[entry.question.kind] : explanation} />
        {(entry.question.reasons ?? []).map((why, at) => (
          <p key={at} class="why text">
            {visible(why)}
          </p>
        ))}
        <Terms entry={entry} />
        <div role="status">{notice !== null && <p class="notice good">{notice}</p>}</div>
        <Proposal entry={entry} />
        <Rejected of={rejected} />
        {identity === null ? (
          <p class="notice">Read-only: this cannot be answered here.</p>
        ) : (
          <AnswerForm entry={entry} done={setNotice} />
        )}
      </article>
      <aside class="grounds" aria-label="Evidence and checks">
        <Grounds grounds={grounds} />
        <Reasons reasons={reasons} hasFailed={false} />
      </aside>
    </div>
  );
};
