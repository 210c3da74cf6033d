import { useState } from 'preact/hooks';
import type { LedgerPage } from '../../wire.ts';
import { useFetched } from '../fetched.ts';
import { Columns } from '../parts/columns.tsx';
import { OffsetPager } from '../parts/pager.tsx';
import { RecordRow } from '../parts/record-row.tsx';
import { Verify } from '../parts/verify.tsx';

/** The ledger of a task in pages, the latest record first. It can be verified, replayed and exported. */
export const LedgerTab = ({ taskId }: { taskId: string }) => {
  const [offset, setOffset] = useState(0);
  const path = `api/tasks/${encodeURIComponent(taskId)}`;
  const { value } = useFetched<LedgerPage>(`${path}/ledger?offset=${offset}`, taskId);
  if (value === undefined) return <p class="muted">Loading the ledger…</p>;
  return (
    <section aria-label="Ledger">
      <Verify path={path} />
      <div class="scroll">
        <table class="ledger wide">
          <Columns names={['Record', 'When', 'Who', 'What', 'From, to', 'Hash']} />
          <tbody>
            {value.records.map((line) => (
              <RecordRow key={line.seq} path={path} line={line} />
            ))}
          </tbody>
        </table>
      </div>
      <OffsetPager {...value} shown={value.records.length} what="records" go={setOffset} />
    </section>
  );
};
