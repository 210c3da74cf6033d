import { useState } from 'preact/hooks';
import type { InboxPage } from '../../wire.ts';
import { useFetched } from '../fetched.ts';
import { Heading } from '../parts/heading.tsx';
import { Pager } from '../parts/pager.tsx';
import { QuestionCard } from '../parts/question-card.tsx';
import { Question } from './question.tsx';

interface Given {
  messageId: string | null;
  identity: string | null;
}

/** The open questions, the most urgent first, and the selected one. */
export const InboxView = ({ messageId, identity }: Given) => {
  const [offset, setOffset] = useState(0);
  const { value } = useFetched<InboxPage>(`api/inbox?offset=${offset}`);
  return (
    <div class={messageId === null ? 'inbox' : 'inbox chosen'}>
      <div class="list">
        {messageId === null ? <Heading title="Inbox" /> : <p class="title">Inbox</p>}
        {value?.total === 0 && <p class="muted">Nothing waits for a person.</p>}
        <ul class="questions">
          {value?.questions.map((line) => (
            <li key={line.messageId}>
              <QuestionCard line={line} isCurrent={line.messageId === messageId} />
            </li>
          ))}
        </ul>
        {value !== undefined && value.total > 0 && (
          <Pager
            total={value.total}
            offset={value.offset}
            shown={value.questions.length}
            what="questions"
            go={setOffset}
          />
        )}
      </div>
      {messageId === null ? (
        <p class="muted empty">
          Choose a question: what is proposed, what it rests on and what each answer leads to stand here then.
        </p>
      ) : (
        <Question key={messageId} messageId={messageId} identity={identity} />
      )}
    </div>
  );
};
