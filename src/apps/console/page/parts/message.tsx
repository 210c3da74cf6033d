import type { ThreadRow } from '../../wire.ts';
import { visible } from '../words.ts';
import { MadeCalls } from './made-calls.tsx';
import { Pill } from './pill.tsx';
import { Time } from './time.tsx';
import { Thought } from './thought.tsx';
import { Value } from './value.tsx';

interface Given {
  row: ThreadRow;
  /** Its position in the thread, from 1. */
  number: number;
}

/** A message in its tree: author, state, content, and the message that it answers. */
export const Message = ({ row, number }: Given) => {
  const { message, depth, answers, isSuperseded, calls } = row;
  const { state, agentId, timestamp, explanation, payload, upThought, upFeedback } = message;
  const { question: _, ...shown } = payload;
  return (
    <li
      class={`message depth-${Math.min(depth, 6)}${isSuperseded ? ' superseded' : ''}`}
      data-message={message.messageId}
    >
      <p>
        <span class="muted">{number}</span> <strong>{visible(agentId ?? 'agent')}</strong> <Pill of={state} />{' '}
        <span class="muted">
          <Time at={timestamp} />
          {answers !== null && answers !== number - 1 && <> · answers {answers}</>}
        </span>
      </p>
      <p class="text">{visible(explanation)}</p>
      {isSuperseded && <p class="muted">Superseded: this proposal is no longer valid.</p>}
      {upFeedback?.content !== undefined && (
        <div class="explanation">
          <Value value={upFeedback.content} />
        </div>
      )}
      {Object.keys(shown).length > 0 && (
        <details>
          <summary>Payload</summary>
          <Value value={shown} />
        </details>
      )}
      {upThought && (
        <details>
          <summary>Thought</summary>
          <Thought thought={upThought} />
        </details>
      )}
      <MadeCalls calls={calls} />
    </li>
  );
};
