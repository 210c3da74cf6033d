import type { CallLine } from '../../../../core/ledger/call-lines.ts';
import { ends, visible } from '../words.ts';
import { Pill } from './pill.tsx';
import { Time } from './time.tsx';

const Line = ({ line: { tool, summary, arguments: given, end, why, at } }: { line: CallLine }) => {
  const [label, tone] = ends[end];
  return (
    <li data-call={tool}>
      <strong>{visible(tool)}</strong> <code>{visible(given)}</code>{' '}
      <Pill of={end} label={label} tone={tone} />{' '}
      <span class="muted">
        {why !== '' && <>{visible(why)} · </>}
        <Time at={at} />
      </span>
      {summary !== undefined && <p class="text">{visible(summary)}</p>}
    </li>
  );
};

/** The tool calls after a message: tool, arguments on one line, and what became of each. */
export const MadeCalls = ({ calls }: { calls: readonly CallLine[] }) =>
  calls.length === 0 ? null : (
    <ul class="made" aria-label="Tool calls">
      {calls.map((line) => (
        <Line key={line.id} line={line} />
      ))}
    </ul>
  );
