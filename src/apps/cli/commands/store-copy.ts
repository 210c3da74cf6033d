import { command, jsonFlag } from '../command.ts';
import type { CopyReport } from '../copy-store.ts';
import { bad, good, type Printer } from '../printer.ts';
import { bar } from '../progress.ts';
import { usage } from '../stop.ts';
import { openStore } from '../stored.ts';

const print = async ({ copied, present, findings, isReleased }: CopyReport, out: Printer): Promise<void> => {
  for (const { taskId, code, message } of findings) await out.line(`${taskId}  `, bad(code), `: ${message}`);
  await out.line(
    isReleased ? good('moved') : bad('not moved'),
    `: ${copied} tasks copied, ${present} there already, ${findings.length} findings`,
  );
  await out.line(
    isReleased
      ? 'Do not open the first store again, except to read it: its tasks would be performed twice.'
      : 'No copied task is performed yet. Go on with the first store, or repeat the command.',
  );
};

export const storeCopy = command({
  name: 'store copy',
  description: 'Moves every task of a store to another one, with its ledger, and verifies what arrived.',
  details: [
    'Stop everything that uses the stores first: a store in use is refused. If it is interrupted, repeat it. A server',
    'performs no copied task before all are there. A task whose ledger does not verify stays behind. Exit code 1 with',
    'findings. With AGENTCHARTER_STORE_KEYS=NEW:KEY,OLD:KEY, each the base64 of 32 bytes, it reads what any of these keys',
    'encoded, or none, and encodes everything with the first.',
  ].join('\n'),
  args: {
    from: { description: 'the store to read: a file, or postgres://USER@HOST/DATABASE' },
    to: { description: 'the store to write: a file, which is created if needed, or a postgres:// address' },
  },
  flags: { json: jsonFlag },
  example: 'store copy tasks.db copy.db',
  run: async ({ flags: { json }, args }, terminal) => {
    const { isPostgresAddress } = await import('../../../stores/postgres/address.ts');
    const place = (address: string) => (isPostgresAddress(address) ? address : terminal.path(address));
    if (place(args.from) === place(args.to)) throw usage('store copy: expected two different stores');
    const { copyStore } = await import('../copy-store.ts');
    const from = await openStore(args.from, terminal, { mayBegin: false });
    const to = await openStore(args.to, terminal, { mayBegin: true });
    const progress = terminal.progress();
    try {
      const report = await copyStore(from, to, (done, of) => progress.print(`copying ${bar(done, of)}`));
      progress.end();
      if (json) await terminal.out.json(report);
      else await print(report, terminal.out);
      return report.findings.length === 0 ? 0 : 1;
    } finally {
      progress.end();
      await from.close();
      await to.close();
    }
  },
});
