import { isDeepStrictEqual } from 'node:util';
import type { StoredTask } from 'agentcharter/stores';
import { replay, verifyLedger } from 'agentcharter/ledger';
import { validateTrace } from '../../differential/trace.ts';
import { courses, declared, endOfConfirmedEffect, type Verdict } from './courses.ts';
import type { Begun, Boundary, Line } from './fate.ts';
import type { Lived } from './process.ts';
import type { Outcome } from './trial.ts';

const must = (holds: boolean, law: string, cause?: unknown): void => {
  if (!holds) throw new Error(law, { cause });
};

const withoutNames = (value: unknown): string =>
  JSON.stringify(value ?? null)
    .replaceAll(/sha256:[0-9a-f]{64}/g, 'sha256')
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'uuid');

/** How a task ended: state, phase and outcome, and what it says, but for identifiers and digests. */
const endOf = ({ emissions }: StoredTask) => {
  const message = emissions.findLast(({ name }) => name === 'UpFormatMessage');
  const envelope = emissions.findLast(({ name }) => name === 'MessageEnvelope');
  if (message?.name !== 'UpFormatMessage' || envelope?.name !== 'MessageEnvelope')
    throw new Error('a task said nothing');
  const { state, explanation, payload } = message.document;
  const { state: phase, outcome } = envelope.document;
  return { state, phase, outcome, said: withoutNames({ explanation, payload }) };
};

const endsOf = ({ tasks }: Outcome) => tasks.map(endOf);

/** How often each thing was done about an effect in doubt, other than a read. */
export interface Resolved {
  readonly repeated: number;
  readonly adopted: number;
  readonly asked: number;
}

const isWrite = (tool: string): boolean => Object.hasOwn(declared, tool);

const recoveriesOf = ({ tasks }: Pick<Outcome, 'tasks'>) =>
  tasks
    .flatMap(({ records }) => records.flatMap(({ brought: { recovery } }) => recovery ?? []))
    .filter(({ tool }) => isWrite(tool));

const confirmedEffectsIn = ({ tasks }: Pick<Outcome, 'tasks'>): readonly string[] =>
  tasks
    .flatMap(({ records }) => records)
    .flatMap(({ kind, fact }) =>
      kind === 'fact' && fact?.type === 'human.responded' && fact.effect !== undefined ? [fact.effect] : [],
    );

export const resolvedIn = (outcome: Outcome): Resolved => {
  const times = (resolution: string): number =>
    recoveriesOf(outcome).filter((recovery) => recovery.resolution === resolution).length;
  return {
    repeated: times('repeated'),
    adopted: times('adopted'),
    asked: confirmedEffectsIn(outcome).length,
  };
};

const checkEnd = (outcome: Outcome, undisturbed: Outcome): void => {
  const [ends, expected] = [endsOf(outcome), endsOf(undisturbed)];
  if (!confirmedEffectsIn(outcome).includes('done'))
    return must(isDeepStrictEqual(ends, expected), 'it ends as without a crash', {
      ends,
      expected,
    });
  const [last] = ends.slice(-1);
  const isKnown =
    last?.state === endOfConfirmedEffect.state &&
    last.phase === endOfConfirmedEffect.phase &&
    last.said.includes(endOfConfirmedEffect.reason);
  must(
    isKnown && isDeepStrictEqual(ends.slice(0, -1), expected.slice(0, -1)),
    'it ends as a person was told',
    ends,
  );
};

const checkTask = async ({
  indexEntry,
  records,
  emissions,
  intents,
  deadlines,
}: StoredTask): Promise<void> => {
  must(indexEntry.isSettled && !indexEntry.isOwed && indexEntry.asking === 0, 'no task is lost', indexEntry);
  must(intents.length === 0 && deadlines.length === 0, 'no intent is left open', { intents, deadlines });
  const { intact, findings } = await verifyLedger(records, { emissions });
  must(intact, 'the ledger is intact', findings);
  validateTrace({ records, deadlines });
  const replayed = replay(records);
  must(
    replayed.same && replayed.records === records.length,
    'the chart goes where the ledger says',
    replayed,
  );
};

/** Holds what was left in the file and in the world against the run that nobody disturbed; throws where a law is broken. */
export const checkOutcome = async (outcome: Outcome, undisturbed: Outcome): Promise<void> => {
  const { story, tasks, done, broken, integrity, lives } = outcome;
  const { tasks: wanted, effects } = courses[story.course];
  must(broken.length === 0, broken.join(', '));
  const tools = done.map(({ tool }) => tool);
  must(isDeepStrictEqual(tools, effects), 'each effect happens once', done);
  must(isDeepStrictEqual(integrity, [{ integrity_check: 'ok' }]), 'the file is whole', integrity);
  must(tasks.length === wanted, 'no task is lost, and none begins twice', tasks.length);
  for (const task of tasks) await checkTask(task);
  const hashes = new Set(tasks.flatMap(({ records }) => records.map(({ hash }) => hash)));
  const kept = lives.flatMap(({ lines }) =>
    lines.flatMap((line) => (line.says === 'kept' ? [line.hash] : [])),
  );
  must(
    kept.every((hash) => hashes.has(hash)),
    'what the store answered for is there after a crash',
  );
  checkEnd(outcome, undisturbed);
};

/** The boundaries that a process came to, in order. */
export const boundariesIn = ({ lines }: Pick<Lived, 'lines'>): readonly Boundary[] =>
  lines.flatMap((line) => (line.says === 'boundary' ? [line.boundary] : []));

const toolOf = ({ kind, tool }: Begun): string => (kind === 'rollback' ? 'wire.reinstate' : tool);

/** What must become of what a process left that was killed at the last boundary of these lines. */
export const expectedVerdict = (lines: readonly Line[]): Verdict => {
  const passed = lines.flatMap((line) => (line.says === 'boundary' ? [line] : []));
  const begun = passed.findLast((line) => line.begun !== undefined)?.begun ?? [];
  const tool = begun.map(toolOf).find(isWrite);
  if (tool === undefined) return 'goes on';
  const isDone = passed.some(({ boundary: { at, of } }) => at === 'sent' && of === tool);
  const isSent = passed.at(-1)?.boundary.at === 'sent' || isDone;
  return declared[tool]?.[isSent ? 1 : 0] ?? 'goes on';
};

/** What became of it, by what is on record. */
export const verdictOf = (outcome: Omit<Outcome, 'story'>): Verdict => {
  const [told] = confirmedEffectsIn(outcome);
  if (told !== undefined) return told === 'done' ? 'told done' : 'told absent';
  const [recovery] = recoveriesOf(outcome);
  if (recovery === undefined) return 'goes on';
  if (recovery.resolution === 'adopted') return 'adopted';
  if (recovery.found === 'absent') return 'absent';
  return outcome.repeated > 0 ? 'repeated, known' : 'repeated';
};
