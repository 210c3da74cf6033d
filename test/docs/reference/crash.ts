import { faults } from '../../crash/faults.ts';
import type { Row } from '../../crash/process/figures.ts';
import { scenarios } from '../../crash/scenarios.ts';
import { quiet } from '../../crash/try-out.ts';
import { declarations } from '../../crash/backend.ts';
import { page, table } from './markdown.ts';

/** What happens in each scenario; a new one does not compile until it stands here. */
const descriptions: Readonly<Record<string, string>> = {
  approved: 'a read, a verifier, a question, and a high-risk write under a signed approval',
  undone: 'two writes, and a failure after them: both are rolled back, the newest first',
  repaired: 'an attempt that fails after a write, and another plan',
  asking: 'a tool that wants a person first',
  waiting: 'a tool that waits for an outside event',
  nested: 'a call that is a task of its own, and writes',
  offering: 'a draft of low confidence, and an optional refinement',
  cancelled: 'a cancel between a write and the end',
  abandoned: 'a parent that is cancelled while its child writes',
  discarded:
    'a parent that fails after its child delivered two writes: both are rolled back in the child’s ledger',
  lost: 'a tool that throws after it has written',
  late: 'a write that lands after its run has ended',
  expired: 'two deadlines that pass while nobody is there',
  raced: 'an answer and a deadline that race',
  lapsed: 'an optional refinement that nobody answers',
};

const kinds = ['commit', 'call', 'rollback', 'lookup'] as const;

const scenarioRows = (): Promise<readonly (readonly string[])[]> =>
  Promise.all(
    scenarios.map(async (scenario) => {
      const sentence = descriptions[scenario.name];
      if (sentence === undefined) throw new TypeError(`${scenario.name} is not told of`);
      const all = await Promise.all(
        declarations.map(async (one) => (await quiet(scenario, { call: one, rollback: one })).moments),
      );
      const counts = kinds.map((kind) =>
        all.reduce((sum, moments) => sum + moments.filter(({ what }) => what === kind).length, 0),
      );
      return [scenario.name, sentence, ...counts.map(String)];
    }),
  );

const resolutions = [
  ['idempotent', 'made again under the same key, which its tool remembers'],
  ['reconcilable', 'looked up by its key: adopted where it was done, made where it was not'],
  ['reconcilable, not known', 'looked up, and left to a person'],
  ['unsafe', 'never made again: a person says whether it happened'],
];

/** What was tried against the durable store, and what each trial asks. */
export const crashPage = async (rows: readonly Row[]): Promise<string> => {
  const scenarioTable = await scenarioRows();
  return page(
    'Crashes',
    `A process may die before, in the middle of, and after every step: a commit of the store, a call of a tool, its rollback, a look-up. Each trial lets it
die there, once or twice, begins another one, and asks that

- the task ends as if nothing had happened, or says what is not known where its tools declare so;
- an effect happens once: at most once where its tool does not know its key, and exactly once where it does and the run delivers;
- nothing is written before its clearance is on record, and what is rolled back is rolled back newest first;
- no question and no answer is lost, every deadline passes once, and nobody's send counts twice;
- the ledger is intact and replays, no intent stays open, and nothing that was acknowledged is gone.`,
    '## In one process',
    `Every moment of every scenario, with each of the four things that a tool may say of a missing outcome, is a trial of its own in CI (\`npm run test:crash\`); pairs of crashes are
drawn at random beside them, and some of all on real files whose log is cut in the middle of a transaction. The columns count the moments, over the four.`,
    table(['scenario', 'what happens', ...kinds], scenarioTable),
    table(['a tool that is', 'and whose outcome is missing is'], resolutions),
    '## Real processes, killed',
    `The example workflows on the SQLite store, each in a process of its own that \`SIGKILL\` ends; the tools' effects are counted by another process.`,
    table(
      ['workflow', 'killed', 'boundaries', 'what becomes of an effect that had begun'],
      rows.map(({ workflow, place, boundaries, verdicts }) => [
        workflow,
        place,
        String(boundaries),
        verdicts.join('; ') || 'none had',
      ]),
    ),
    '## Planted faults',
    'Each of these is found, by the law beside it.',
    table(
      ['what is wrong', 'the law that it breaks'],
      Object.entries(faults).map(([name, { law }]) => [name, law]),
    ),
    `A model of racing processes, with the designs that hold and those that do not, is checked by Spin:
[test/spin/resumers](../../test/spin/resumers/README.md).`,
    '## Not covered',
    `Power failures (only the order of writes and the sync are relied on), other systems than Linux, files on a network, and tools that forget their keys while a
task waits or that say \`absent\` of what may still land.`,
  );
};
