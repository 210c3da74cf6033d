import { useState } from 'preact/hooks';
import type { Refusal, Verdict } from '../../wire.ts';
import { get, refusalIn } from '../fetched.ts';

const replayInWords = ({ replay, replayed, chart }: Verdict): string => {
  switch (replay) {
    case 'same':
      return `Replaying all ${replayed} records leads to the recorded states.`;
    case 'different':
      return `Replaying leads to another state than recorded after ${replayed} records.`;
    case 'not_derived':
      return `It was written under chart ${chart}, so it cannot be replayed here.`;
  }
};

const inWords = (verdict: Verdict): string => {
  const { intact, records, erased } = verdict;
  return [
    intact ? `The chain of ${records} records is intact.` : `The chain of ${records} records was changed.`,
    replayInWords(verdict),
    ...(erased > 0 ? [`${erased} documents were erased, as recorded.`] : []),
  ].join(' ');
};

/** Verifies and replays a ledger on request, and offers it as a file. */
export const Verify = ({ path }: { path: string }) => {
  const [verdict, setVerdict] = useState<Verdict | null>(null);
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const [isBusy, setBusy] = useState(false);
  const verify = async (): Promise<void> => {
    setBusy(true);
    setRefusal(null);
    try {
      setVerdict(await get<Verdict>(`${path}/verdict`));
    } catch (error) {
      setRefusal(refusalIn(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <>
      <p class="tools">
        <button type="button" disabled={isBusy} onClick={() => void verify()}>
          Verify and replay
        </button>
        <a href={`${path}/ledger.jsonl`} download="ledger.jsonl">
          Export the ledger (JSON Lines)
        </a>
      </p>
      <div role="status">
        {refusal && <p class="notice bad">{refusal.detail}</p>}
        {verdict && (
          <div class={`notice ${verdict.intact && verdict.replay !== 'different' ? 'good' : 'bad'}`}>
            <p>{inWords(verdict)}</p>
            {verdict.findings.length > 0 && (
              <ul>
                {verdict.findings.map(({ seq, code, meaning }, at) => (
                  <li key={at}>
                    Record {seq}: {meaning} <code>{code}</code>
                  </li>
                ))}
              </ul>
            )}
          </div>
        )}
      </div>
    </>
  );
};
