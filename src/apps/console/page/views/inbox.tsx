import { useEffect, useState } from 'preact/hooks';
import type { FeedbackType } from '../../../../../schema/index.ts';
import type { InboxEntry } from '../../../../core/kernel/summary.ts';
import { headlineOf } from '../../headline.ts';
import type { InboxPage } from '../../wire.ts';
import { consequence } from '../answer/choice.tsx';
import { nameOfAnswer, offeredFor } from '../answer/offered.ts';
import { useFetched } from '../fetched.ts';
import { Heading } from '../parts/heading.tsx';
import { Pager } from '../parts/pager.tsx';
import { QuestionCard } from '../parts/question-card.tsx';
import { linkTo } from '../route.ts';
import { useReturn, useTrail } from '../trail.ts';
import { visible } from '../words.ts';
import { Question } from './question.tsx';

interface Given {
  messageId: string | null;
  identity: string | null;
}

/** An answer that was sent, and the question after it. */
interface Sent {
  readonly messageId: string;
  readonly text: string;
  /** The question where it is reported: the one that followed, or the same one after a comment; `null` until there is one. */
  readonly at: string | null;
}

/** Returns what was answered, with which answer, and its consequence. */
const reportOf = (entry: InboxEntry, type: FeedbackType): string => {
  const asked = visible(headlineOf(entry).join(' ').slice(0, 120));
  const answer = type === offeredFor(entry).open ? '' : ` with “${nameOfAnswer(entry, type)}”`;
  return `Answered “${asked}”${answer}. ${consequence(entry, type)}`;
};

const goTo = (messageId: string | null): void => location.replace(linkTo({ view: 'inbox', messageId }));

/** The open questions, the most urgent first, and the selected one. After an answer it selects the next one. */
export const InboxView = ({ messageId, identity }: Given) => {
  const trail = useTrail();
  const query = new URLSearchParams(trail.query);
  const { value } = useFetched<InboxPage>(`api/inbox?${query.toString()}`);
  const [sent, setSent] = useState<Sent | null>(null);
  const seen = value && { total: value.total, next: value.next, shown: value.questions.length };
  useReturn(trail, seen);

  const awaited = sent !== null && sent.at === null && messageId === null ? sent : null;
  const open = value?.questions.filter((line) => line.messageId !== awaited?.messageId);
  const next = awaited && open?.[0]?.messageId;
  useEffect(() => {
    if (awaited === null || !next) return;
    setSent({ ...awaited, at: next });
    goTo(next);
  }, [next]);
  useEffect(() => {
    if (messageId !== null && sent?.at === null) setSent(null); // another was opened by hand
  }, [messageId]);
  const isReported = sent !== null && sent.at === messageId;

  const answered = (entry: InboxEntry, type: FeedbackType): void => {
    const { messageId: answeredId } = entry.message;
    const isOpen = type === 'comment';
    setSent({ messageId: answeredId, text: reportOf(entry, type), at: isOpen ? answeredId : null });
    if (!isOpen) goTo(null);
  };

  return (
    <>
      <div role="status">
        {isReported && (
          <p class="notice good">
            {sent.text}
            {awaited !== null && open?.length === 0 && ' No open question is left.'}
          </p>
        )}
      </div>
      <div class={messageId === null ? 'inbox' : 'inbox chosen'}>
        <div class="list">
          {messageId === null ? <Heading title="Inbox" /> : <p class="title">Inbox</p>}
          {open?.length === 0 && <p class="muted">No open questions.</p>}
          <ul class="questions">
            {open?.map((line) => (
              <li key={line.messageId}>
                <QuestionCard line={line} isCurrent={line.messageId === messageId} />
              </li>
            ))}
          </ul>
          {seen !== undefined && seen.total !== 0 && <Pager {...trail.pagesOf(seen)} what="questions" />}
        </div>
        {messageId === null ? (
          <p class="muted empty">
            {open?.length === 0
              ? 'Nothing waits for you. The next question appears here.'
              : 'Select a question to answer it.'}
          </p>
        ) : (
          <Question
            key={messageId}
            messageId={messageId}
            identity={identity}
            isNext={isReported && sent.messageId !== messageId}
            answered={answered}
          />
        )}
      </div>
    </>
  );
};
