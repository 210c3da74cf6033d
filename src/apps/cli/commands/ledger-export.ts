import { command, storeFlag } from '../command.ts';
import { ledgerArgument, withRecords } from '../ledgers.ts';

export const ledgerExport = command({
  name: 'ledger export',
  description: 'Writes a ledger as JSON Lines, one record per line, for verify and replay.',
  args: { ledger: ledgerArgument },
  flags: { store: storeFlag },
  example: 'ledger export 01936d5e-0000-7000-8000-000000000002 --store tasks.db',
  run: ({ flags: { store }, args: { ledger } }, terminal) =>
    withRecords({ ledger, store }, terminal, async (records) => {
      for await (const record of records) {
        if (terminal.out.isClosed) break;
        await terminal.out.json(record);
      }
      return 0;
    }),
});
