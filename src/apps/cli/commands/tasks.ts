import { command, jsonFlag, storeFlag } from '../command.ts';
import type { TaskSummary } from '../../../core/kernel/summary.ts';
import type { Orchestrator } from '../../../core/shell/surface.ts';
import { outcomeOf } from '../ends.ts';
import { countOf } from '../counts.ts';
import { pageFlags, printPages } from '../pages.ts';
import { faint, type Printer } from '../printer.ts';
import { usage } from '../stop.ts';
import { asGuest } from '../stored.ts';
import type { Terminal } from '../terminal.ts';

const print = ({ taskId, taskClass, state, outcome, reasons }: TaskSummary, out: Printer): Promise<void> => {
  const why = reasons.map(({ code, about }) => ` ${code} ${about}`.trimEnd()).join(',');
  return out.line(
    `${taskId}  ${taskClass.padEnd(16)} ${state.padEnd(26)} `,
    outcomeOf({ outcome, reasons }),
    why,
  );
};

/** Prints the tasks that nothing goes on with, each with the reason. */
const printStuck = async (
  guest: Orchestrator,
  { limit = '1000', json }: { readonly limit: string | undefined; readonly json: boolean },
  { out, err }: Terminal,
): Promise<void> => {
  const stuck = await guest.stuck({ limit: countOf('limit', limit, 1) });
  if (json) return out.json({ tasks: stuck });
  for (const task of stuck) {
    await print(task, out);
    await out.line(faint(`  ${task.reason}: ${task.message}`));
  }
  if (stuck.length === 0) await err.line('no task is stuck');
};

export const tasks = command({
  name: 'tasks',
  description: 'Lists the tasks of a store, the oldest first.',
  args: {},
  flags: {
    store: { ...storeFlag, isRequired: true },
    unsettled: { description: 'only tasks that have not settled' },
    stuck: { description: 'only tasks with something to do that nothing goes on with, and why' },
    ...pageFlags,
    json: jsonFlag,
  },
  example: 'tasks --store tasks.db',
  run: ({ flags: { store, unsettled, stuck, ...paging } }, terminal) =>
    asGuest({ store }, terminal, async (guest) => {
      if (stuck) {
        if (unsettled || paging.after !== undefined)
          throw usage('--stuck: expected no --unsettled or --after with it');
        await printStuck(guest, paging, terminal);
        return 0;
      }
      await printPages(paging, terminal, {
        name: 'tasks',
        read: (page) => guest.list({ ...page, ...(unsettled && { isSettled: false }) }),
        print: (task) => print(task, terminal.out),
      });
      return 0;
    }),
});
