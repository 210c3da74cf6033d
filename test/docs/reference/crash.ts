import { faults } from '../../crash/faults.ts';
import type { Row } from '../../crash/process/figures.ts';
import { scenarios } from '../../crash/scenarios.ts';
import { quiet } from '../../crash/try-out.ts';
import { declarations } from '../../crash/backend.ts';
import { list, page } from './markdown.ts';

/** What happens in each scenario; a new one does not compile until it stands here. */
const descriptions: Readonly<Record<string, string>> = {
  approved: 'a read, a verifier, a question, and a high-risk write under a signed approval',
  undone: 'two writes, and a failure after them: both are rolled back, the newest first',
  repaired: 'an attempt that fails after a write, and another plan',
  asking: 'a tool that asks a person first',
  waiting: 'a tool that waits for an outside event',
  nested: 'a nested task that writes',
  offering: 'a draft of low confidence, and an optional refinement',
  cancelled: 'a cancel between a write and the end',
  abandoned: 'a parent that is cancelled while its child writes',
  discarded:
    'a parent that fails after its child delivered two writes: both are rolled back in the child’s ledger',
  lost: 'a tool that throws after it has written',
  late: 'a write that completes after its run has ended',
  expired: 'two deadlines that pass while no process runs',
  raced: 'an answer and a deadline that race',
  lapsed: 'an optional refinement without an answer',
};

const scenarioList = (): Promise<readonly (readonly [string, string])[]> =>
  Promise.all(
    scenarios.map(async (scenario) => {
      const sentence = descriptions[scenario.name];
      if (sentence === undefined) throw new TypeError(`${scenario.name} has no description`);
      const all = await Promise.all(
        declarations.map(async (one) => (await quiet(scenario, { call: one, rollback: one })).moments),
      );
      return [scenario.name, `${sentence} (${all.flat().length})`] as const;
    }),
  );

const resolutions: readonly (readonly [string, string])[] = [
  ['idempotent', 'repeated under the same key'],
  ['reconcilable', 'looked up by its key; if it did not happen, it is made'],
  ['reconcilable, unknown', 'looked up, and a person decides'],
  ['unsafe', 'never repeated: a person says whether it happened'],
];

/** What was tried against the durable store, and what each trial asserts. */
export const crashPage = async (rows: readonly Row[]): Promise<string> => {
  const scenarioItems = await scenarioList();
  return page(
    'Crashes',
    `See what happens to your tasks and writes when a process dies. Each trial ends the process before, during or after a step: a commit of the store, a call of a tool, a
rollback, a lookup. It then begins another process, and asserts that

- the task ends as without the crash, or names what is unknown;
- a write happens at most once, and effectively once if its tool honours the idempotency key and the run delivers;
- nothing is written before its clearance is recorded, and rollbacks run newest first;
- no question or answer is lost, each deadline passes once, and a repeated request counts once;
- the ledger is intact and replays, no intent stays open, and nothing acknowledged is gone.`,
    '## In one process',
    `\`npm run test:crash\` crashes every moment of each scenario, for each declaration of a tool below. It adds random pairs of crashes, and files whose log is cut inside a
transaction.`,
    'The scenarios, with the number of moments over all four declarations:',
    list(scenarioItems),
    `A write without an outcome, by the declaration of its tool:`,
    list(resolutions),
    '## Real processes, killed',
    'The example workflows run on the SQLite store, in processes that `SIGKILL` ends at these moments, as often as the number says. Another process counts the effects of the tools.',
    list(
      [...new Set(rows.map(({ place }) => place))].map((place) => [
        place,
        String(rows.reduce((sum, row) => sum + (row.place === place ? row.boundaries : 0), 0)),
      ]),
    ),
    '## Planted faults',
    `${Object.keys(faults).length} [faults](../../test/crash/faults.ts) were planted, such as a store that forgets deadlines. The trials found each. Spin checks models of racing processes: [on one machine](../../test/spin/resumers/README.md), and [on several](../../test/spin/nodes/README.md).`,
    '## Not covered',
    `Power failures (the store relies on the order of writes and on sync), other systems than Linux, network file systems, and tools that forget their keys while a task waits, or that
report \`absent\` for a write that may still complete.`,
  );
};
