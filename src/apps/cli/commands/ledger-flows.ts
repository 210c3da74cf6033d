import type { FlowUses } from '../../../core/ledger/flow-report.ts';
import { command, jsonFlag, storeFlag } from '../command.ts';
import { eachLedger, ledgerArgument, readableRecords } from '../ledgers.ts';
import { faint } from '../printer.ts';
import { bar } from '../progress.ts';
import type { Terminal } from '../terminal.ts';

const counted = ['calls', 'held', 'approved', 'rejected', 'edited', 'unanswered'] as const;

const print = async ({ tasks, erased, flows }: FlowUses, { out, err }: Terminal): Promise<void> => {
  const names = flows.map(({ tool, pattern }) => `${tool} ${pattern}`);
  const width = Math.max(4, ...names.map(({ length }) => length));
  if (flows.length > 0) await out.line(faint(['flow'.padEnd(width), ...counted, 'verdict'].join('  ')));
  for (const [at, flow] of flows.entries()) {
    const counts = counted.map((name) => String(flow[name]).padStart(name.length));
    await out.line([names[at]?.padEnd(width), ...counts, flow.verdict.replaceAll('_', ' ')].join('  '));
    if (flow.why !== null) await out.line(`  ${flow.why}`);
  }
  await err.line(faint(`tasks: ${tasks}; flows: ${flows.length}; erased calls, not counted: ${erased}`));
};

export const ledgerFlows = command({
  name: 'ledger flows',
  description: 'Counts the calls that each flow of a tool held, and what people answered.',
  details:
    'Without LEDGER, reads every task of --store. A reason is the most frequent one. Verifies nothing.',
  args: { ledger: { ...ledgerArgument, isOptional: true } },
  flags: { store: storeFlag, json: jsonFlag },
  example: 'ledger flows --store tasks.db',
  run: async ({ flags: { store, json }, args: { ledger } }, terminal) => {
    const { createFlowReport } = await import('../../../core/ledger/flow-report.ts');
    const report = createFlowReport();
    const progress = terminal.progress();
    const code = await eachLedger({ ledger, store }, terminal, async ({ records }, { at, of }) => {
      if (of > 1) progress.print(`reading ${bar(at, of)}`);
      report.add(await readableRecords(records));
      return 0;
    }).finally(progress.end);
    if (json) await terminal.out.json(report.uses());
    else await print(report.uses(), terminal);
    return code;
  },
});
