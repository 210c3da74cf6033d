import { useState } from 'preact/hooks';
import type { ThreadPage } from '../../wire.ts';
import { useFetched } from '../fetched.ts';
import { Message } from '../parts/message.tsx';
import { OffsetPager } from '../parts/pager.tsx';

/** The messages of a thread, each below the one that it answers. */
export const ThreadTab = ({ threadId }: { threadId: string }) => {
  const [offset, setOffset] = useState(0);
  const path = `api/threads/${encodeURIComponent(threadId)}`;
  const { value } = useFetched<ThreadPage>(`${path}?offset=${offset}`);
  if (value === undefined) return <p class="muted">Loading the thread…</p>;
  return (
    <section aria-label="Thread">
      <p class="tools">
        <a href={`${path}/thread.jsonl`} download="thread.jsonl">
          Export the thread (JSON Lines)
        </a>
      </p>
      {value.findings.length > 0 && (
        <ul class="notice bad">
          {value.findings.slice(0, 20).map((finding) => (
            <li key={finding}>{finding}</li>
          ))}
        </ul>
      )}
      <ol class="thread">
        {value.rows.map((row, at) => (
          <Message key={row.message.messageId} row={row} number={value.offset + at + 1} />
        ))}
      </ol>
      <OffsetPager {...value} shown={value.rows.length} what="messages" go={setOffset} />
    </section>
  );
};
