import type { Replay } from '../../ledger/replay.ts';
import { command, jsonFlag, storeFlag } from '../command.ts';
import { eachLedger, ledgerArgument } from '../ledgers.ts';
import { bad, good, type Printer } from '../printer.ts';

const print = async (ledger: string, { same, records, states, findings }: Replay, out: Printer) => {
  await out.line(`${ledger}: `, same ? good('the same') : bad('not the same'), `, ${records} records agree`);
  for (const { seq, code, message } of findings)
    await out.line(`  record ${seq}: `, bad(code), `: ${message}`);
  const ways = states.filter((state, at) => state !== states[at - 1]);
  if (same) await out.line(`  ${ways.join(' -> ')}`);
};

export const ledgerReplay = command({
  name: 'ledger replay',
  says: 'Tells the facts of a ledger to the chart once more: ends with 1 where they lead elsewhere.',
  more: 'Without LEDGER, every task of --store.',
  args: { ledger: { ...ledgerArgument, isOptional: true } },
  flags: { store: storeFlag, json: jsonFlag },
  example: 'ledger replay trail.jsonl',
  run: async ({ flags: { store, json }, args: { ledger } }, terminal) => {
    const { replay } = await import('../../ledger/replay.ts');
    const told: (Replay & { ledger: string })[] = [];
    const code = await eachLedger({ ledger, store }, terminal, async (whole) => {
      const found = replay(whole.records);
      told.push({ ledger: whole.ledger, ...found });
      return found.same ? 0 : 1;
    });
    if (json) await terminal.out.json({ same: code === 0, ledgers: told });
    else for (const { ledger: name, ...found } of told) await print(name, found, terminal.out);
    return code;
  },
});
