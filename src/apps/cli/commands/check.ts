import { chartArgument, explored, limitFlag, moduleShape } from '../charts.ts';
import { command, jsonFlag } from '../command.ts';
import { bad, good } from '../printer.ts';
import { usage } from '../stop.ts';

export const check = command({
  name: 'check',
  description:
    'Explores every state of a chart and checks its properties. Exit code 1, with a shortest run, if one is broken.',
  details: moduleShape,
  args: { chart: chartArgument },
  flags: { limit: limitFlag, json: jsonFlag },
  example: 'check invoice.js',
  run: async ({ flags: { json, ...walk }, args: { chart } }, terminal) => {
    const { graph, properties } = await explored(chart, walk, terminal);
    if (properties.length === 0)
      throw usage(
        `${chart}: expected \`properties\`, made by inEveryState, inEveryStep, staysReachable, everyRunEnds`,
      );
    const { check: hold } = await import('../../../testing/check.ts');
    const broken = hold(graph, properties);
    const counted = { states: graph.states.length, steps: graph.edges.length, properties: properties.length };
    const { out } = terminal;
    if (json) await out.json({ holds: broken.length === 0, ...counted, broken });
    else {
      for (const { trace, test } of broken) {
        await out.lines(trace);
        await out.line();
        await out.lines(test);
        await out.line();
      }
      const verdict = broken.length === 0 ? good('all hold') : bad(`${broken.length} broken`);
      await out.line(
        `properties: ${properties.length}, `,
        verdict,
        `; states: ${counted.states}; steps: ${counted.steps}`,
      );
    }
    return broken.length === 0 ? 0 : 1;
  },
});
