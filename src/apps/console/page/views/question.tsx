import { useRef, useState } from 'preact/hooks';
import type { FeedbackType } from '../../../../../schema/index.ts';
import type { InboxEntry } from '../../../../core/kernel/summary.ts';
import { causesOf, headlineOf } from '../../headline.ts';
import type { QuestionView } from '../../wire.ts';
import { AnswerForm } from '../answer/form.tsx';
import { offeredFor } from '../answer/offered.ts';
import { useFetched } from '../fetched.ts';
import { Grounds } from '../parts/grounds.tsx';
import { Heading } from '../parts/heading.tsx';
import { Proposal } from '../parts/proposal.tsx';
import { Rejected } from '../parts/rejected.tsx';
import { Reasons } from '../parts/reasons.tsx';
import { Terms } from '../parts/terms.tsx';
import { linkTo } from '../route.ts';
import { kinds, visible } from '../words.ts';

const back = <a href={linkTo({ view: 'inbox', messageId: null })}>Back to the inbox</a>;

/** What is shown instead of a question that is not open, or not loaded. */
const Absent = ({ isClosed, problem }: { isClosed: boolean; problem: string | undefined }) => (
  <div class="decision" aria-live="polite">
    {isClosed ? (
      <>
        <Heading title="This question is closed" />
        <p>It was answered, or its deadline has passed.</p>
      </>
    ) : (
      <p class="muted">{problem ?? 'Loading the question…'}</p>
    )}
    <p>{back}</p>
  </div>
);

/** The headline of a question, a line for each thing asked. */
const Headline = ({ entry }: { entry: InboxEntry }) => {
  const asked = headlineOf(entry).filter((line) => line !== '');
  const lines = asked.length === 0 ? [kinds[entry.question.kind]] : asked.map(visible);
  return (
    <Heading title={lines.join(' ')}>
      {lines.map((line, at) => (
        <span key={at} class="line">
          {line}
        </span>
      ))}
    </Heading>
  );
};

interface Given {
  messageId: string;
  identity: string | null;
  /** Whether it came by itself after another answer. */
  isNext: boolean;
  answered: (entry: InboxEntry, type: FeedbackType) => void;
}

/** A question: what is asked, the proposal, the answer form, and the basis of the answer. */
export const Question = ({ messageId, identity, isNext, answered }: Given) => {
  const { value: fetched, refusal } = useFetched<QuestionView | null>(
    `api/inbox/${encodeURIComponent(messageId)}`,
  );
  const [isSending, setSending] = useState(false);
  const shown = useRef<QuestionView>(null);
  if (fetched) shown.current = fetched;
  const value = fetched === null && isSending ? shown.current : fetched; // its closing may be known before its answer is
  if (value === undefined || value === null)
    return <Absent isClosed={value === null || refusal?.code === 'not_found'} problem={refusal?.detail} />;
  const { entry, rejected, grounds, reasons } = value;
  const form =
    identity === null ? (
      <p class="notice">Read-only: this cannot be answered here.</p>
    ) : (
      <AnswerForm entry={entry} isNext={isNext} sending={setSending} done={(type) => answered(entry, type)} />
    );
  const asksForField = offeredFor(entry).open !== null;
  return (
    <div class="decision">
      <article class="asked">
        <p class="back">{back}</p>
        <p class="kind">{kinds[entry.question.kind]}</p>
        <Headline entry={entry} />
        {causesOf(entry).map((why, at) => (
          <p key={at} class="why text">
            {visible(why)}
          </p>
        ))}
        <Terms entry={entry} />
        {asksForField && form}
        <Proposal entry={entry} />
        <Rejected of={rejected} />
        {!asksForField && form}
      </article>
      <aside class="grounds" aria-label="Evidence and checks">
        <Grounds grounds={grounds} isFolded />
        <Reasons reasons={reasons} hasFailed={false} />
      </aside>
    </div>
  );
};
