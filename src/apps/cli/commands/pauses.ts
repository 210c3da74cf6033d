import type { Pausable, Pause } from '../../../base/ports/regulation.ts';
import { inProse, sayObstacle } from '../../../core/shell/quotas.ts';
import { command, jsonFlag, storeFlag } from '../command.ts';
import { faint, good } from '../printer.ts';
import { usage } from '../stop.ts';
import { asGuest } from '../stored.ts';

const args = {
  kind: { description: 'tool, class or agent' },
  name: { description: 'its name; the store does not know which there are' },
};

const store = { ...storeFlag, isRequired: true } as const;
const as = { description: 'who does it', value: 'IDENTITY', isRequired: true } as const;

const pausable = ({ kind, name }: { readonly kind: string; readonly name: string }): Pausable => {
  switch (kind) {
    case 'tool':
      return { tool: name };
    case 'class':
      return { taskClass: name };
    case 'agent':
      return { agent: name };
    default:
      throw usage(`kind: expected tool, class or agent, was ${JSON.stringify(kind)}`);
  }
};

export const pause = command({
  name: 'pause',
  description: 'Begins nothing more under a tool, a task class or an agent, in any process with the store.',
  details: [
    'From when it returns no call begins. Calls in flight end; tasks wait, without losing time, until `agentcharter',
    'resume`.',
  ].join('\n'),
  args,
  flags: {
    as,
    reason: { description: 'why, for those whose work waits', value: 'TEXT', isRequired: true },
    store,
    json: jsonFlag,
  },
  example: 'pause tool refund --as dana --reason incident-12 --store tasks.db',
  run: ({ flags: { store: from, as: by, reason, json }, args: given }, terminal) => {
    const of = pausable(given);
    return asGuest({ store: from }, terminal, async (guest) => {
      const isNew = await guest.pause(of, { by, reason });
      if (json) await terminal.out.json({ of, isNew });
      else
        await terminal.out.line(
          good('paused'),
          `: ${inProse(of)}${isNew ? '' : ' was paused already, and that reason stays'}`,
        );
      return 0;
    });
  },
});

export const resume = command({
  name: 'resume',
  description: 'Ends a pause: its work goes on within seconds.',
  args,
  flags: { as, store, json: jsonFlag },
  example: 'resume tool refund --as dana --store tasks.db',
  run: ({ flags: { store: from, as: by, json }, args: given }, terminal) => {
    const of = pausable(given);
    return asGuest({ store: from }, terminal, async (guest) => {
      const wasPaused = await guest.resume(of, { by });
      if (json) await terminal.out.json({ of, wasPaused });
      else if (wasPaused) await terminal.out.line(good('resumed'), `: ${inProse(of)}`);
      else await terminal.err.line(`${inProse(of)} is not paused`);
      return 0;
    });
  },
});

const lineOf = (paused: Pause): string => {
  const { ended } = paused;
  const end = ended === null ? '' : `; resumed by ${ended.by} at ${new Date(ended.at).toISOString()}`;
  return (
    sayObstacle({ paused }).replace(' is paused ', ended === null ? ' is paused ' : ' was paused ') + end
  );
};

export const pauses = command({
  name: 'pauses',
  description: 'Lists what is paused, by whom, and why.',
  args: {},
  flags: {
    store,
    ended: { description: 'also the pauses that have ended: the last 1,000 of all' },
    json: jsonFlag,
  },
  example: 'pauses --store tasks.db',
  run: ({ flags: { store: from, ended, json } }, terminal) =>
    asGuest({ store: from }, terminal, async (guest) => {
      const found = await guest.pauses({ ended });
      if (json) await terminal.out.json({ pauses: found });
      else for (const one of found) await terminal.out.line(lineOf(one));
      if (!json && found.length === 0) await terminal.err.line(faint('nothing is paused').text);
      return 0;
    }),
});
