import type { Box, Chart } from '../../../src/optional/render/chart.ts';
import { note } from '../../../src/optional/render/text.ts';

/** What an arrow of the first picture says, in plain words. */
export const said: Readonly<Record<string, string>> = {
  'submitted to waiting': 'waits for another system',
  'submitted to needsHumanDecision': 'asks a person',
  'submitted to completed': 'delivered',
  'submitted to failed': 'stopped',
  'submitted to cancelled': 'cancelled',
  'submitted.intake to submitted.plan': 'request accepted',
  'submitted.plan to submitted.execute': 'calls proposed',
  'submitted.execute to submitted.verify': 'evidence collected',
  'submitted.verify to submitted.execute': 'evidence missing',
  'submitted.verify to submitted.deliver': 'checks passed',
  'submitted.verify to submitted.undoing': 'stopped, from any phase: writes are undone',
  'submitted.verify to submitted.plan': 'tries again',
  'waiting to submitted': 'an answer arrives',
  'needsHumanDecision to submitted': 'answered',
  'completed to followup': 'offers a choice',
  'followup to submitted': 'changes wanted',
  'followup to completed': 'chosen',
};

/** The arrows that the picture leaves out: `said` has another of the same meaning. */
export const unsaid: readonly string[] = [
  'submitted.intake to submitted.undoing',
  'submitted.plan to submitted.undoing',
  'submitted.execute to submitted.undoing',
  'submitted.undoing to submitted.execute',
  'submitted.execute to submitted.plan',
  'submitted.undoing to submitted.fail_safe',
  'waiting to needsHumanDecision',
];

/** The states that are drawn as another one: fail_safe is reached when the writes are undone. */
const drawnAs: Readonly<Record<string, string>> = { 'submitted.undoing': 'submitted.fail_safe' };

const bare = (box: Box): Box => ({
  ...box,
  rows: [],
  children: box.children.filter(({ id }) => drawnAs[id] === undefined).map(bare),
});

/** Returns the overview of the task's chart with plain words at its arrows, and without guards. */
export const plain = (overview: Chart): Chart => {
  const edges = overview.edges.flatMap(({ from, to, returns }) => {
    const words = said[`${from} to ${to}`];
    if (words === undefined) return [];
    return [{ from: drawnAs[from] ?? from, to: drawnAs[to] ?? to, returns, lines: [note(words)] }];
  });
  return {
    ...overview,
    description: edges
      .map(({ from, to, lines }) => `${from} to ${to}: ${lines[0]?.spans[0]?.text}`)
      .join('; '),
    legend: [],
    root: bare(overview.root),
    edges,
  };
};
