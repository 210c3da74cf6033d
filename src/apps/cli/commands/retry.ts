import { command, jsonFlag, storeFlag } from '../command.ts';
import { good } from '../printer.ts';
import { asGuest } from '../stored.ts';

export const retry = command({
  name: 'retry',
  description: 'Lets a stuck task be taken at once by a process that can perform it.',
  details: [
    'For tasks that `tasks --stuck` lists because processes ended with them. With --skip, the model, policy, verifier or',
    'look-up that the task waits for is not called: people or the gates decide. Exit code 2 if a process performs it now.',
  ].join('\n'),
  args: { task: { description: 'the id of the task' } },
  flags: {
    store: { ...storeFlag, isRequired: true },
    skip: { description: 'do not call the code that it waits for' },
    json: jsonFlag,
  },
  example: 'retry 01936d5e-0000-7000-8000-000000000002 --store tasks.db',
  run: ({ flags: { store, skip, json }, args: { task } }, terminal) =>
    asGuest({ store }, terminal, async (guest) => {
      await (skip ? guest.skip(task) : guest.retry(task));
      if (json) await terminal.out.json({ taskId: task, skips: skip });
      else
        await terminal.out.line(
          good('free'),
          `: ${task} may be taken at once${skip ? ', without what it waits for if its store has leases' : ''}`,
        );
      return 0;
    }),
});
