import type { Replay } from '../../../core/ledger/replay.ts';
import { command, jsonFlag, storeFlag } from '../command.ts';
import { chartsInWords, eachLedger, ledgerArgument } from '../ledgers.ts';
import { bad, faint, good, type Printer } from '../printer.ts';
import type { ExitCode } from '../stop.ts';

const printed: Readonly<Record<Replay['verdict'], ReturnType<typeof good>>> = {
  same: good('the same'),
  different: bad('not the same'),
  not_derived: faint('intact'),
};

const print = async (ledger: string, result: Replay, out: Printer) => {
  const { verdict, records, states, findings } = result;
  const charts = chartsInWords(result, verdict !== 'not_derived');
  const rest = verdict === 'not_derived' ? '' : `, ${records} records agree`;
  await out.line(`${ledger}: `, printed[verdict], rest, charts === '' ? '' : `; ${charts}`);
  for (const { seq, code, message } of findings)
    await out.line(`  record ${seq}: `, bad(code), `: ${message}`);
  const ways = states.filter((state, at) => state !== states[at - 1]);
  if (verdict === 'same') await out.line(`  ${ways.join(' -> ')}`);
};

/** Exit code 2 for a ledger that cannot be replayed: neither success nor forgery. */
const codes: Readonly<Record<Replay['verdict'], ExitCode>> = { same: 0, different: 1, not_derived: 2 };

export const ledgerReplay = command({
  name: 'ledger replay',
  description: 'Replays the facts of a ledger through the chart. Exit code 1 if they lead to other states.',
  details: [
    'Without LEDGER, replays every task of --store. A ledger that another version of the chart wrote is only verified: its',
    'states are not re-derived, and the exit code is 2.',
  ].join('\n'),
  args: { ledger: { ...ledgerArgument, isOptional: true } },
  flags: { store: storeFlag, json: jsonFlag },
  example: 'ledger replay trail.jsonl',
  run: async ({ flags: { store, json }, args: { ledger } }, terminal) => {
    const { replay } = await import('../../../core/ledger/replay.ts');
    const printed: (Replay & { ledger: string })[] = [];
    const code = await eachLedger(
      { ledger, store },
      terminal,
      async ({ ledger: name, records, emissions }) => {
        const found = replay(records, emissions && { emissions });
        printed.push({ ledger: name, ...found });
        return codes[found.verdict];
      },
    );
    if (json) await terminal.out.json({ same: code === 0, ledgers: printed });
    else for (const { ledger: name, ...found } of printed) await print(name, found, terminal.out);
    return code;
  },
});
