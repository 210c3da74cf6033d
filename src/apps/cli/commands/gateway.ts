import { once } from 'node:events';
import { Writable } from 'node:stream';
import { command } from '../command.ts';
import { countOf } from '../counts.ts';
import { eachLedger, readableRecords } from '../ledgers.ts';
import { good } from '../printer.ts';
import { usage, type ExitCode } from '../stop.ts';
import type { Terminal } from '../terminal.ts';
import type { Surroundings } from '../../gateway/inner-server.ts';
import type { Charter } from '../../gateway/read-charter.ts';

/** Returns a signal that aborts when the person interrupts, or when the client leaves. */
const untilLeft = async (terminal: Terminal, hasLeft: Promise<unknown>): Promise<void> => {
  const interrupted = terminal.interrupted();
  if (!interrupted.aborted) await Promise.race([once(interrupted, 'abort'), hasLeft]);
};

/** Standard output as a stream for a protocol. */
const outputOf = ({ out }: Terminal): Writable =>
  new Writable({
    write: (chunk: Uint8Array, _, done) => void out.raw(chunk).then(() => done(), done),
  });

const check = async (around: Surroundings, { out }: Terminal): Promise<ExitCode> => {
  const { bindServers } = await import('../../gateway/gateway.ts');
  const { checkClashes, offersOf } = await import('../../gateway/passed-on.ts');
  const { reportOf } = await import('../../gateway/report.ts');
  const { charter, say } = around;
  const bound = await bindServers(around);
  try {
    const running = bound.flatMap(({ server, failure }) => (failure === null ? [server] : []));
    const offers = await offersOf(running, say);
    checkClashes(charter, offers);
    for (const line of reportOf(around, bound, offers)) await out.line(line);
    return bound.every(({ failure }) => failure === null) ? 0 : 1;
  } finally {
    await Promise.all(bound.map(({ server }) => server.close()));
  }
};

/** Prints what the policy would have done, from the records of `--shadow`. */
const report = async (charter: Charter, terminal: Terminal): Promise<ExitCode> => {
  const { createShadowReport } = await import('../../gateway/shadow-report.ts');
  const { tasksIn } = await import('../../gateway/options.ts');
  const made = createShadowReport();
  const code = await eachLedger(
    { ledger: undefined, store: tasksIn(charter) },
    terminal,
    async ({ records }) => {
      made.add(await readableRecords(records));
      return 0;
    },
  );
  for (const line of made.lines()) await terminal.out.line(line);
  return code;
};

const accept = async (around: Surroundings, name: string, { out }: Terminal): Promise<ExitCode> => {
  const { acceptTool } = await import('../../gateway/gateway.ts');
  const { didYouMean } = await import('../../../base/boundary/did-you-mean.ts');
  const { before, now, known } = await acceptTool(around, name);
  if (now === null)
    throw usage(`--accept: no tool ${JSON.stringify(name)} is exposed${didYouMean(name, known)}`);
  for (const [member, value] of Object.entries({ ...before, ...now })) {
    const [was, is] = [before?.[member], now[member]].map((one) => JSON.stringify(one) ?? 'nothing');
    if (was !== is)
      await out.lines(`${member} was ${was}\n${' '.repeat(member.length)}  is ${JSON.stringify(value)}`);
  }
  await out.line(good('accepted'), `: ${name}`);
  return 0;
};

const serve = async (
  around: Surroundings,
  port: string | undefined,
  terminal: Terminal,
): Promise<ExitCode> => {
  const { startGateway } = await import('../../gateway/gateway.ts');
  const { doorOf, entrancesOf } = await import('../../gateway/entrance.ts');
  const { serveHttp, serveStdio } = await import('../../gateway/serve.ts');
  const { charter, variables, say } = around;
  const entrances = port === undefined ? null : entrancesOf(charter, variables);
  const gateway = await startGateway(around);
  try {
    if (entrances === null) {
      const { stdin: input } = terminal;
      const end = await serveStdio(gateway, charter, { input, output: outputOf(terminal) }, say);
      await untilLeft(terminal, once(input, 'end'));
      await end();
    } else {
      await using face = await serveHttp(gateway, await doorOf(charter, entrances, say), say);
      say(`MCP clients connect to ${await face.listen(countOf('http', port ?? ''))}/mcp`);
      await untilLeft(terminal, new Promise(() => {}));
    }
    return 0;
  } finally {
    await gateway.close();
  }
};

export const gateway = command({
  name: 'gateway',
  description:
    'Stands between any MCP client and MCP servers: tiers, policy, approvals and a log for their tools.',
  details: [
    'CHARTER is a YAML file with `servers` and `tools`: docs/embed/gateway.md. Over stdio, an MCP client starts the',
    'command as its server: standard output is the protocol. All words go to standard error, with links for people.',
  ].join('\n'),
  args: { charter: { description: 'the file; none with --demo', isOptional: true } },
  flags: {
    demo: {
      description:
        'show one in a temporary folder: two servers, a scripted agent, and a refund that you approve',
    },
    yes: { description: 'with --demo, approve the refund in your place; without a terminal it does so too' },
    http: { description: 'serve streamable HTTP at this port of this machine; 0 for a free one', value: 'N' },
    check: { description: 'print what is exposed, to whom, and what is left out; serve nothing' },
    shadow: { description: 'stop nothing: make each call, and record what the policy would have done' },
    report: {
      description: 'print what the policy would have done with the calls under --shadow; serve nothing',
    },
    accept: {
      description: 'accept the definition of this tool as it is now, and show what changed',
      value: 'TOOL',
    },
  },
  example: 'gateway charter.yaml --check',
  run: async ({ flags, args: { charter: file } }, terminal) => {
    if (flags.demo) {
      if (file !== undefined) throw usage('gateway: expected CHARTER or --demo, not both');
      const { gatewayDemo } = await import('../demo/gateway.ts');
      return gatewayDemo(terminal.isInteractive && !flags.yes, terminal);
    }
    if (flags.yes) throw usage('gateway: expected --yes together with --demo');
    if (file === undefined) throw usage('gateway: expected CHARTER, or --demo');
    const { readCharter } = await import('../../gateway/read-charter.ts');
    const charter = await readCharter(terminal.path(file));
    const say = (line: string): void => void terminal.err.line(line);
    if (flags.report) return report(charter, terminal);
    const { readPolicy } = await import('../../gateway/policy.ts');
    const policy = await readPolicy(charter);
    const { randomIds, systemClock } = await import('../../../core/shell/clock.ts');
    const around: Surroundings = {
      charter,
      variables: terminal.env,
      say,
      isShadow: flags.shadow,
      policy,
      clock: systemClock,
      ids: randomIds,
    };
    if (flags.check) return check(around, terminal);
    if (flags.accept !== undefined) return accept(around, flags.accept, terminal);
    return serve(around, flags.http, terminal);
  },
});
