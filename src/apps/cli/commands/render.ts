import { writeFile } from 'node:fs/promises';
import type { AnyStateMachine } from 'xstate';
import type { RenderFormat, Simulation } from '../../../optional/render/index.ts';
import { chartArgument, machineOf } from '../charts.ts';
import { command } from '../command.ts';
import { usage } from '../stop.ts';

const formats = ['svg', 'png', 'mermaid', 'json', 'xstate'] as const satisfies readonly RenderFormat[];

/** Actions that occur at every transition or state of our charts. A picture omits them. */
const ours = ['task', 'execution'];

const simulationOf = async (machine: AnyStateMachine): Promise<Simulation> => {
  const { sampleSimulation } = await import('../../../testing/charter/simulation.ts');
  return sampleSimulation(machine).simulation;
};

export const render = command({
  name: 'render',
  description: 'Draws a chart as a picture, a diagram, or its configuration.',
  details:
    'The default export of MODULE is an XState machine. Pictures need elkjs; png also needs @resvg/resvg-js.',
  args: { chart: chartArgument },
  flags: {
    format: { description: 'the format', value: 'FORMAT', choices: formats, default: 'svg' },
    overview: { description: 'draw only the outer states of a picture' },
    out: { description: 'write it to this file', value: 'FILE' },
  },
  example: 'render task --format mermaid',
  run: async ({ flags: { format, overview, out }, args: { chart } }, terminal) => {
    if (format === 'png' && out === undefined && terminal.out.isTerminal)
      throw usage('a png is not text: expected --out FILE, or a pipe');
    const machine = await machineOf(chart, terminal);
    const { render: rendered } = await import('../../../optional/render/index.ts');
    const progress = terminal.progress();
    progress.print(`drawing ${chart}`);
    const isOurs = ours.includes(chart);
    const picture = await rendered(machine, {
      format,
      ...(isOurs && format === 'xstate' && { simulation: await simulationOf(machine) }),
      ...(overview && { view: 'overview' as const }),
      ...(isOurs && { leaveOut: ['applyFact', 'applyTurn', 'enter'] }),
    }).finally(progress.end);
    if (out !== undefined) await writeFile(terminal.path(out), picture);
    else if (typeof picture === 'string') await terminal.out.document(picture);
    else await terminal.out.raw(picture);
    return 0;
  },
});
