import type { SealedRecord } from '../../../core/ledger/record-schema.ts';
import { command, jsonFlag, storeFlag } from '../command.ts';
import { countOf } from '../counts.ts';
import { Decisions } from '../decisions.ts';
import { ledgerArgument, withRecords, writtenBy } from '../ledgers.ts';
import { bad, faint, type Printer } from '../printer.ts';

/** The text of a record without a fact, if it differs from its kind. */
const whatOf: Readonly<Partial<Record<SealedRecord['kind'], string>>> = {
  fact: 'opened',
  agent: 'saved its state',
  message: 'sent a message',
};

const print = async (record: SealedRecord, decision: readonly string[], out: Printer): Promise<void> => {
  const { seq, timestamp, actor, kind, fact, from, to, outcome, code } = record;
  const way = from === to ? to : `${from} -> ${to}`;
  const what = fact?.type ?? whatOf[kind] ?? kind;
  await out.line(
    `${String(seq).padStart(4)} `,
    faint(timestamp),
    ` ${actor.kind} ${actor.id}: ${what}  ${way}${outcome === 'pending' ? '' : `  ${outcome}`}`,
    code === null ? '' : bad(`  ${code}`),
  );
  for (const line of decision) await out.line(`       ${line}`);
};

export const ledgerShow = command({
  name: 'ledger show',
  description: 'Shows the records of a ledger, a page at a time: who decided what, and on which arguments.',
  args: { ledger: ledgerArgument },
  flags: {
    store: storeFlag,
    from: { description: 'the number of records to skip', value: 'N', default: '0' },
    limit: { description: 'the number of records to show', value: 'N', default: '100' },
    json: jsonFlag,
  },
  example: 'ledger show trail.jsonl --limit 20',
  run: ({ flags: { store, json, ...page }, args: { ledger } }, terminal) =>
    withRecords({ ledger, store }, terminal, async (records) => {
      const [from, limit] = [countOf('from', page.from), countOf('limit', page.limit, 1)];
      const { chartOf, isOtherChart, ledgerReader } = await import('../../../core/ledger/chart.ts');
      const { out } = terminal;
      const decisions = new Decisions();
      let chart: string | null = null;
      let read = ledgerReader(null);
      const shown: unknown[] = [];
      let at = 0;
      let unreadable = 0;
      let isMore = false;
      for await (const value of records) {
        if (out.isClosed || (isMore = at >= from + limit)) break;
        if (at === 0) read = ledgerReader((chart = chartOf([value])));
        const decision = json ? [] : decisions.of(value);
        if (at++ < from) continue;
        if (json) shown.push(value);
        else
          try {
            await print(read(`record ${at - 1}`, value), decision, out);
          } catch {
            unreadable += 1;
            await out.line(bad(`line ${at}: unreadable`));
          }
      }
      const next = isMore ? from + limit : null;
      if (json) await out.json({ records: shown, next, chart });
      else {
        if (isOtherChart(chart)) await terminal.err.line(`Records as ${writtenBy(chart)}`);
        if (next !== null) await terminal.err.line(`There are more: --from ${next}`);
      }
      return unreadable > 0 ? 1 : 0;
    }),
});
