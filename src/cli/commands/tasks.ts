import { command, jsonFlag, storeFlag } from '../command.ts';
import type { TaskSummary } from '../../orchestrator/summary.ts';
import { bad, good, type Printer } from '../printer.ts';
import { asGuest } from '../stored.ts';

const print = ({ taskId, taskClass, state, outcome, reasons }: TaskSummary, out: Printer): Promise<void> => {
  const why = reasons.map(({ code, about }) => ` ${code} ${about}`.trimEnd()).join(',');
  const printed = outcome === 'success' ? good(outcome) : outcome === 'pending' ? outcome : bad(outcome);
  return out.line(`${taskId}  ${taskClass.padEnd(16)} ${state.padEnd(26)} `, printed, why);
};

export const tasks = command({
  name: 'tasks',
  says: 'Lists the tasks of a store, in the order in which they began.',
  args: {},
  flags: {
    store: { ...storeFlag, isRequired: true },
    unsettled: { says: 'only those that are under way' },
    json: jsonFlag,
  },
  example: 'tasks --store tasks.db',
  run: ({ flags: { store, unsettled, json } }, terminal) =>
    asGuest({ store }, terminal, async (guest) => {
      const all = await guest.list();
      const printed = unsettled ? all.filter(({ isSettled }) => !isSettled) : all;
      if (json) await terminal.out.json({ tasks: printed });
      else for (const task of printed) await print(task, terminal.out);
      return 0;
    }),
});
