import given from './case.json' with { type: 'json' };
import { openBank } from './bank.ts';
import { clerk } from './model.ts';
import { reportOn } from './report.ts';
import { reverse } from './reversal.ts';
for (const answer of ['signed','nothing','forged'] as const) for (const reads of [['ledger.snapshot','beneficiary.read'],['ledger.snapshot']]) {
  const bank = openBank(given, () => {});
  const left = await reverse({ given, bank, model: clerk(reads), answer });
  const {documents, ...r} = await reportOn(left, bank, new Date().toISOString());
  console.log(answer, reads, r);
}
