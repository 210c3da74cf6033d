import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { command, jsonFlag, storeFlag } from '../command.ts';
import { good } from '../printer.ts';
import { usage } from '../stop.ts';
import { asGuest } from '../stored.ts';

const instantIn = (text: string): number => {
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(at)) return at;
  throw usage(`--settled-before: expected a date such as 2026-08-31, was ${JSON.stringify(text)}`);
};

export const prune = command({
  name: 'prune',
  description: 'Removes settled tasks for good, thread by thread. Others work meanwhile.',
  details: [
    'A thread goes when all of its tasks settled before the date. Keys, messages and approvals stay taken, and the hash',
    'of each last record stays. With --archive, the ledger of each task is written to a file of its own first, which',
    '`agentcharter ledger verify` reads. What tasks keep in a store of large values is removed by `prune` of an',
    'orchestrator that has it. In a file, the tasks that began and that were written last stay.',
  ].join('\n'),
  args: {},
  flags: {
    store: { ...storeFlag, isRequired: true },
    'settled-before': { description: 'a date, or a time of RFC 3339', value: 'DATE', isRequired: true },
    archive: { description: 'a folder for the ledgers', value: 'FOLDER' },
    json: jsonFlag,
  },
  example: 'prune --settled-before 2026-08-31 --archive old --store tasks.db',
  run: ({ flags: { store, 'settled-before': date, archive: folder, json } }, terminal) => {
    const settledBefore = instantIn(date);
    return asGuest({ store }, terminal, async (guest) => {
      const place = folder === undefined ? '' : terminal.path(folder);
      if (folder !== undefined) await mkdir(place, { recursive: true });
      const done = await guest.prune({
        settledBefore,
        ...(folder !== undefined && {
          archive: (lines: string, taskId: string) =>
            writeFile(join(place, `${taskId}.jsonl`), lines, { mode: 0o600, flush: true }),
        }),
      });
      if (json) await terminal.out.json(done);
      else
        await terminal.out.line(
          good('pruned'),
          `: ${done.pruned} tasks; ${done.kept} of that age stay: with others of their threads, held, or last in a file`,
        );
      return 0;
    });
  },
});
