import { command, jsonFlag, storeFlag } from '../command.ts';
import { printQuestion } from '../question.ts';
import { asGuest } from '../stored.ts';

export const inbox = command({
  name: 'inbox',
  says: 'Shows the questions that wait for a person, and what each answer leads to.',
  args: { task: { says: 'only those of this task, and of the tasks nested in it', isOptional: true } },
  flags: { store: { ...storeFlag, isRequired: true }, json: jsonFlag },
  example: 'inbox --store tasks.db',
  run: ({ flags: { store, json }, args: { task } }, terminal) =>
    asGuest({ store }, terminal, async (guest) => {
      const questions = await guest.inbox(task);
      if (json) await terminal.out.json({ questions });
      else
        for (const [at, question] of questions.entries()) {
          if (at > 0) await terminal.out.line();
          await printQuestion(question, terminal.out);
        }
      return 0;
    }),
});
