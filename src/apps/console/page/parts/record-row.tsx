import { useState } from 'preact/hooks';
import { visibleJson } from '../../../../base/text/foreign-text.ts';
import type { LedgerLine } from '../../wire.ts';
import { get, refusalIn } from '../fetched.ts';
import { short, visible } from '../words.ts';
import { Breakable } from './breakable.tsx';
import { Time } from './time.tsx';

/** A record in one line, expandable. */
export const RecordRow = ({ path, line }: { path: string; line: LedgerLine }) => {
  const [whole, setWhole] = useState<string | null>(null);
  const { seq, timestamp, actor, kind, fact, code, from, to, hash } = line;
  const look = async (): Promise<void> => {
    if (whole !== null) return setWhole(null);
    const record = await get<unknown>(`${path}/ledger/${seq}`).catch((error: unknown) => refusalIn(error));
    setWhole(visibleJson(record, 2));
  };
  return (
    <>
      <tr data-seq={seq}>
        <td data-label="Record">
          <button
            type="button"
            class="quiet"
            aria-expanded={whole !== null}
            aria-label={`Record ${seq}, whole`}
            onClick={() => void look()}
          >
            {seq}
          </button>
        </td>
        <td data-label="When">
          <Time at={timestamp} isExact />
        </td>
        <td data-label="Who">
          <Breakable text={visible(actor.id)} /> <span class="muted">{actor.kind}</span>
        </td>
        <td data-label="What">
          <span class="whole">{fact ?? (seq === 0 ? 'task begins' : kind)}</span>{' '}
          {kind !== 'fact' && fact !== null && <em>{kind}</em>} {code !== null && <code>{code}</code>}
        </td>
        <td data-label="From, to">
          {from === to ? (
            <span class="muted">
              <Breakable text={to} />
            </span>
          ) : (
            <>
              <Breakable text={from ?? ''} /> → <Breakable text={to} />
            </>
          )}
        </td>
        <td data-label="Hash">
          <code class="whole" title={hash}>
            {short(hash)}
          </code>
        </td>
      </tr>
      {whole !== null && (
        <tr>
          <td colSpan={6}>
            <pre tabIndex={0}>{whole}</pre>
          </td>
        </tr>
      )}
    </>
  );
};
