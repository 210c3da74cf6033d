import { readJson } from '../../base/boundary/read-json.ts';
import type { ReadLimits } from '../../base/boundary/scan.ts';
import { isCharterError } from '../../base/errors.ts';
import type { Verification } from '../../core/ledger/verify.ts';
import type { Emission } from '../../base/ports/emission.ts';
import type { LedgerRecord } from '../../base/ports/ledger.ts';
import { linesIn } from './files.ts';
import { bad } from './printer.ts';
import { asGuest } from './stored.ts';
import { usage, type ExitCode } from './stop.ts';
import type { Terminal } from './terminal.ts';

/** The source of a ledger: a task in a store, or newline-delimited JSON. */
export interface Source {
  readonly ledger: string | undefined;
  readonly store: string | undefined;
}

export const ledgerArgument = {
  description: 'a JSON Lines file, or - for standard input; with --store, a task',
} as const;

/** Describes what a ledger of another chart version means for its verification. */
export const writtenBy = (chart: string | null): string => `written by chart ${chart}; states not re-derived`;

/** Describes the chart versions of a ledger, and whether its states are derived. Empty for one version. */
export const chartsInWords = (
  { chart, carriedOver }: Pick<Verification, 'chart' | 'carriedOver'>,
  canReplay: boolean,
): string => {
  if (carriedOver.length === 0) return canReplay ? '' : writtenBy(chart);
  const ways = carriedOver.map(({ seq, to }) => `carried over to chart ${to} at record ${seq}`);
  return [`begun by chart ${chart}`, ...ways].join(', ') + (canReplay ? '' : '; states not re-derived');
};

/** The limits of a line: a record holds several documents. */
const lineLimits: ReadLimits = { bytes: 16_777_216, depth: 96, keys: 160_000 };

/** Returns a line as JSON, or as it is. The latter fails verification as a record. */
const valueIn = (line: Uint8Array): unknown => {
  try {
    return readJson('line', line, lineLimits);
  } catch (error) {
    if (!isCharterError(error, 'input_unreadable')) throw error;
    return error.message;
  }
};

/** Returns whether a line is the beginning of an SQLite file. */
const isStore = (line: Uint8Array): boolean =>
  Buffer.from(line.subarray(0, 15)).toString('latin1') === 'SQLite format 3';

async function* valuesIn(file: string, terminal: Terminal): AsyncGenerator {
  let isFirst = file !== '-';
  for await (const line of linesIn(file, terminal)) {
    if (isFirst && isStore(line)) throw usage(`${file} is a store: expected a task, with --store ${file}`);
    isFirst = false;
    yield valueIn(line);
  }
}

/** Passes the records of a ledger one at a time. Those of a file are never all in memory. */
export const withRecords = async (
  { ledger, store }: Source,
  terminal: Terminal,
  work: (records: AsyncIterable<unknown> | Iterable<unknown>) => Promise<ExitCode>,
): Promise<ExitCode> => {
  if (ledger === undefined) throw usage('expected LEDGER: a task, a file or -');
  if (store === undefined) return work(valuesIn(ledger, terminal));
  return asGuest({ store }, terminal, async (guest) => work(await guest.ledger(ledger)));
};

/** A complete ledger. */
export interface CompleteLedger {
  readonly ledger: string;
  readonly records: readonly unknown[];
  /** The emissions of the task, if the store has them. */
  readonly emissions?: readonly Emission[];
}

const loadFile = async (ledger: string, terminal: Terminal): Promise<CompleteLedger> => {
  const records: unknown[] = [];
  const progress = terminal.progress();
  for await (const value of valuesIn(ledger, terminal)) {
    records.push(value);
    progress.print(`${records.length} records read`);
  }
  progress.end();
  return { ledger, records };
};

/** Checks one ledger, or every one of a store, and counts them. A ledger without records fails. */
export const eachLedger = async (
  { ledger, store }: Source,
  terminal: Terminal,
  judge: (whole: CompleteLedger, place: { readonly at: number; readonly of: number }) => Promise<ExitCode>,
): Promise<ExitCode> => {
  const one = async (whole: CompleteLedger, place: { at: number; of: number }): Promise<ExitCode> => {
    if (whole.records.length === 0) throw usage(`${whole.ledger}: it has no records`);
    return judge(whole, place);
  };
  if (store === undefined) {
    if (ledger === undefined) throw usage('expected LEDGER, a file or -, or --store STORE');
    return one(await loadFile(ledger, terminal), { at: 0, of: 1 });
  }
  return asGuest({ store }, terminal, async (guest) => {
    const tasks = ledger === undefined ? (await guest.list()).map(({ taskId }) => taskId) : [ledger];
    if (tasks.length === 0) throw usage(`--store ${store}: it has no tasks`);
    let worst: ExitCode = 0;
    for (const [at, taskId] of tasks.entries())
      try {
        const records = await guest.ledger(taskId);
        const emissions = await guest.documents(taskId);
        const code = await one({ ledger: taskId, records, emissions }, { at, of: tasks.length });
        if (code === 1 || worst === 0) worst = code; // a failed check outranks an environment error
      } catch (error) {
        if (!isCharterError(error, 'task_corrupted')) throw error;
        await terminal.err.line(bad('unreadable: '), error.message);
        worst = 1; // continue with the other ledgers
      }
    return worst;
  });
};

/** Reads the records of a ledger of any chart for a report, which looks at their facts and at what came with them. */
export const readableRecords = async (records: readonly unknown[]): Promise<readonly LedgerRecord[]> => {
  const { chartOf, ledgerReader } = await import('../../core/ledger/chart.ts');
  const read = ledgerReader(chartOf(records));
  return records.map((one, seq) => read(`record ${seq}`, one) as LedgerRecord); // as far as a report reads it
};
