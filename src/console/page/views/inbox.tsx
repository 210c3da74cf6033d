import type { InboxPage } from '../../wire.ts';
import { useFetched } from '../fetched.ts';
import { Heading } from '../parts/heading.tsx';
import { Pager } from '../parts/pager.tsx';
import { QuestionCard } from '../parts/question-card.tsx';
import { useReturn, useTrail } from '../trail.ts';
import { Question } from './question.tsx';

interface Given {
  messageId: string | null;
  identity: string | null;
}

/** The open questions, the most urgent first, and the selected one. */
export const InboxView = ({ messageId, identity }: Given) => {
  const trail = useTrail();
  const query = new URLSearchParams(trail.query);
  const { value } = useFetched<InboxPage>(`api/inbox?${query.toString()}`);
  const seen = value && { total: value.total, next: value.next, shown: value.questions.length };
  useReturn(trail, seen);
  return (
    <div class={messageId === null ? 'inbox' : 'inbox chosen'}>
      <div class="list">
        {messageId === null ? <Heading title="Inbox" /> : <p class="title">Inbox</p>}
        {value?.total === 0 && <p class="muted">No open questions.</p>}
        <ul class="questions">
          {value?.questions.map((line) => (
            <li key={line.messageId}>
              <QuestionCard line={line} isCurrent={line.messageId === messageId} />
            </li>
          ))}
        </ul>
        {seen !== undefined && seen.total !== 0 && <Pager {...trail.pagesOf(seen)} what="questions" />}
      </div>
      {messageId === null ? (
        <p class="muted empty">Select a request to review it.</p>
      ) : (
        <Question key={messageId} messageId={messageId} identity={identity} />
      )}
    </div>
  );
};
