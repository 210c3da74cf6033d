import { command, jsonFlag, storeFlag } from '../command.ts';
import type { TaskSummary } from '../../core/kernel/summary.ts';
import { outcomeOf } from '../ends.ts';
import { pageFlags, printPages } from '../pages.ts';
import type { Printer } from '../printer.ts';
import { asGuest } from '../stored.ts';

const print = ({ taskId, taskClass, state, outcome, reasons }: TaskSummary, out: Printer): Promise<void> => {
  const why = reasons.map(({ code, about }) => ` ${code} ${about}`.trimEnd()).join(',');
  return out.line(
    `${taskId}  ${taskClass.padEnd(16)} ${state.padEnd(26)} `,
    outcomeOf({ outcome, reasons }),
    why,
  );
};

export const tasks = command({
  name: 'tasks',
  description: 'Lists the tasks of a store, the oldest first.',
  args: {},
  flags: {
    store: { ...storeFlag, isRequired: true },
    unsettled: { description: 'only tasks that have not settled' },
    ...pageFlags,
    json: jsonFlag,
  },
  example: 'tasks --store tasks.db',
  run: ({ flags: { store, unsettled, ...paging } }, terminal) =>
    asGuest({ store }, terminal, async (guest) => {
      await printPages(paging, terminal, {
        name: 'tasks',
        read: (page) => guest.list({ ...page, ...(unsettled && { isSettled: false }) }),
        print: (task) => print(task, terminal.out),
      });
      return 0;
    }),
});
