import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { command, configFlag, storeFlag } from '../command.ts';
import { countOf } from '../counts.ts';
import { faint } from '../printer.ts';
import { asGuest } from '../stored.ts';
import { usage } from '../stop.ts';
import type { Terminal } from '../terminal.ts';

/** Prints a new link each time the person presses Enter. Returns a function that stops it. */
const offerLinks = async ({ stdin, isInteractive, out, err }: Terminal, newLink: () => string) => {
  const more = isInteractive ? 'Press Enter for a new one.' : 'Run the command again for a new one.';
  await err.line(faint(`The link works once. ${more}`));
  if (!isInteractive) return () => {};
  const lines = createInterface({ input: stdin }).on('line', () => void out.line(newLink()));
  return () => lines.close();
};

export const consoleCommand = command({
  name: 'console',
  description:
    'Serves the console of a store on this machine until you interrupt it. Prints a link that works once.',
  details: 'Without --as it is read-only. --as also needs --config. Press Enter for a new link.',
  args: {},
  flags: {
    store: storeFlag,
    config: configFlag,
    as: { description: 'the person who answers', value: 'IDENTITY' },
    port: { description: 'the port; 0 for a free one', value: 'N', default: '0' },
  },
  example: 'console --store tasks.db',
  run: ({ flags: { store, config, as, port } }, terminal) =>
    asGuest({ store, config }, terminal, async (guest) => {
      if (as !== undefined && config === undefined) throw usage('--as: expected --config as well');
      const { createConsole } = await import('../../console/index.ts');
      await using console = createConsole(guest, { identity: () => as ?? null, operates: () => true });
      const interrupted = terminal.interrupted();
      const link = new URL(await console.listen(countOf('port', port)));
      await terminal.out.line(link.href);
      if (as === undefined)
        await terminal.err.line(
          faint('It is read-only. To answer questions, add --config MODULE --as IDENTITY.'),
        );
      const stop = await offerLinks(terminal, () => {
        link.searchParams.set('token', console.newToken());
        return link.href;
      });
      if (!interrupted.aborted) await once(interrupted, 'abort');
      stop();
      return 0;
    }),
});
