import type { InboxEntry } from '../../../../core/kernel/summary.ts';
import { linkTo } from '../route.ts';
import { short, visible } from '../words.ts';
import { Time } from './time.tsx';
import { Value } from './value.tsx';

/** The task that asks, the deadline, and what happens after it. */
export const Terms = ({ entry: { taskId, path, message, question } }: { entry: InboxEntry }) => {
  const { deadline, byDefault } = question;
  return (
    <dl class="terms facts">
      <div>
        <dt>Asked</dt>
        <dd>
          <Time at={message.timestamp} /> by {visible(message.agentId ?? 'an agent')}, in task{' '}
          <a href={linkTo({ view: 'task', taskId, tab: 'thread' })}>{short(taskId)}</a>
        </dd>
      </div>
      {path.length > 1 && (
        <div>
          <dt>Nested in</dt>
          <dd>
            {path.slice(0, -1).map((outer) => (
              <a key={outer} href={linkTo({ view: 'task', taskId: outer, tab: 'thread' })}>
                {short(outer)}{' '}
              </a>
            ))}
          </dd>
        </div>
      )}
      {deadline !== null && (
        <div>
          <dt>Without an answer</dt>
          <dd>
            {byDefault === null ? 'the task fails ' : 'the default applies '}
            <Time at={deadline} />
            {byDefault !== null && <Value value={byDefault} />}
          </dd>
        </div>
      )}
    </dl>
  );
};
