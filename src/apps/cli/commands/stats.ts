import type { Age } from '../../../base/ports/stats.ts';
import { command, jsonFlag, storeFlag } from '../command.ts';
import { asGuest } from '../stored.ts';

const shownAge = (milliseconds: number): string => {
  const seconds = Math.floor(milliseconds / 1_000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return `${Math.floor(seconds / 3_600)} h`;
};

const waiting = ({ tasks, age }: Age): string =>
  tasks === 0 ? '0' : `${tasks}, the first for ${shownAge(age)}`;

export const stats = command({
  name: 'stats',
  description: 'Prints the figures of a store: what is owed, held, asked, overdue and stuck.',
  args: {},
  flags: { store: { ...storeFlag, isRequired: true }, json: jsonFlag },
  example: 'stats --store tasks.db',
  run: ({ flags: { store, json } }, terminal) =>
    asGuest({ store }, terminal, async (guest) => {
      // those of this process say nothing about the others
      const { totals: _totals, slots: _slots, held: _held, heldElsewhere, ...figures } = await guest.stats();
      if (json) {
        await terminal.out.json({ ...figures, held: heldElsewhere });
        return 0;
      }
      const lines = {
        tasks: `${figures.tasks}, of which ${figures.settled} are settled`,
        owed: waiting(figures.owed),
        held: `${heldElsewhere}`,
        asking: `${waiting(figures.asking)} (${figures.questions} questions)`,
        overdue: waiting(figures.overdue),
        stuck: waiting(figures.stuck),
      };
      for (const [name, text] of Object.entries(lines)) await terminal.out.line(`${name.padEnd(8)} ${text}`);
      return 0;
    }),
});
