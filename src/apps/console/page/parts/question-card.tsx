import type { QuestionLine } from '../../wire.ts';
import { linkTo } from '../route.ts';
import { kinds, visible } from '../words.ts';
import { Time } from './time.tsx';

interface Given {
  line: QuestionLine;
  isCurrent?: boolean;
}

/** A question in a list, as a link to its page. */
export const QuestionCard = ({ line, isCurrent = false }: Given) => {
  const { messageId, kind, headline, why, taskClass, askedAt, deadline, severity, priority } = line;
  return (
    <a
      class="card question"
      href={linkTo({ view: 'inbox', messageId })}
      aria-current={isCurrent ? 'true' : undefined}
    >
      <span class="kind">{kinds[kind]}</span>
      <span class="headline">{visible(headline)}</span>
      {why !== undefined && <span class="why">{visible(why)}</span>}
      <span class="muted">
        {taskClass} · asked <Time at={askedAt} />
        {deadline !== null && (
          <>
            {' '}
            · due <Time at={deadline} />
          </>
        )}
        {priority !== undefined && <> · priority {priority}</>}
        {severity !== undefined && <> · severity {severity}</>}
      </span>
    </a>
  );
};
