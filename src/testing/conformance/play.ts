import * as z from 'zod';
import { Phase } from '../../../schema/index.ts';
import { issueWords } from '../../base/boundary/issue-words.ts';
import { restingTurns, turns } from '../clock.ts';
import { happenings, type EmittedName, type Seen } from './seen.ts';
import type { Documents, Run, Subject } from './subject.ts';
import { createWorld, type Asked, type ScenarioDefinition, type Step, type World } from './world.ts';

/** The time limit of a subject, and its abort signal. */
interface Patience {
  readonly signal: AbortSignal;
}

const List = z.array(z.unknown());

/** The outer structure of a subject's documents. The rules check their content. */
const DocumentLists = z.object({
  envelopes: List,
  evidence: List,
  reports: List,
  audit: z.array(z.looseObject({ of: z.looseObject({ kind: z.enum(['transition', 'call']) }) })),
  chunks: z.array(z.looseObject({ envelope: z.unknown(), isUnverified: z.boolean() })),
  result: z
    .object({
      outcome: z.string(),
      reasonCodes: z.array(z.string()),
      payload: z.record(z.string(), z.unknown()).nullable(),
    })
    .nullable(),
});

const nothing: Documents = { envelopes: [], evidence: [], reports: [], audit: [], chunks: [], result: null };

/** Returns a copy of the current documents, so that later changes have no effect. */
const readDocuments = async (run: Run): Promise<Documents> => {
  const copy: unknown = JSON.parse(JSON.stringify(await run.documents()));
  DocumentLists.parse(copy, issueWords.data);
  return copy as Documents; // only the outer structure is checked here
};

const listsOf = ({
  result,
  ...lists
}: Documents): readonly (readonly [EmittedName, readonly unknown[]])[] => [
  ['envelope', lists.envelopes],
  ['evidence', lists.evidence],
  ['report', lists.reports],
  ['audit', lists.audit],
  ['chunk', lists.chunks],
  ['result', result === null ? [] : [result]],
];

const noteDocuments = ({ note }: World, before: Documents, after: Documents): void => {
  const known = new Map(listsOf(before).map(([name, list]) => [name, list.length]));
  for (const [name, list] of listsOf(after))
    for (const document of list.slice(known.get(name))) note({ kind: 'emitted', name, document });
};

/** Waits until the run rests, or a held call blocks it. */
const rest = async (run: Run, world: World, { signal }: Patience): Promise<void> => {
  const now: { isQuiet: boolean; error?: unknown } = { isQuiet: false };
  run.quiet().then(
    () => Object.assign(now, { isQuiet: true }),
    (error: unknown) => Object.assign(now, { isQuiet: true, error }),
  );
  for (let still = 0, seen = 0; !now.isQuiet && still < restingTurns;) {
    await turns(1);
    signal.throwIfAborted();
    const isStill = world.isHolding() && world.trace.length === seen;
    still = isStill ? still + 1 : 0;
    seen = world.trace.length;
  }
  if ('error' in now) throw now.error;
};

const take = async (step: Step, run: Run, { clock, asked, note, release }: World): Promise<void> => {
  if (step === 'release') {
    note({ kind: 'released' });
    return release();
  }
  const fact = step(asked());
  if (fact.type === 'time.passed') await clock.advance(fact.milliseconds);
  note({ kind: 'stated', fact, answer: await run.state(fact) });
};

/** Checks whether a subject admits its own envelope, and one of an unknown version. */
const admit = async (
  { admits }: Subject,
  { envelopes, chunks }: Documents,
  { note }: World,
): Promise<void> => {
  const own = z.looseObject({ uaicp_version: z.string() }).safeParse(chunks[0]?.envelope ?? envelopes[0]);
  if (admits === undefined || !own.success) return;
  for (const version of [own.data.uaicp_version, '99.0']) {
    let isLetIn: boolean;
    try {
      isLetIn = (await admits({ ...own.data, uaicp_version: version })) !== false;
    } catch {
      isLetIn = false;
    }
    note({ kind: 'admitted', version, isLetIn });
  }
};

const inWords = (error: unknown): string => {
  if (!(error instanceof z.ZodError)) return error instanceof Error ? error.message : String(error);
  const [issue] = error.issues;
  return `its answer cannot be read: /${issue?.path.join('/')} ${issue?.message}`;
};

/** Releases held calls and closes the run. Later events are ignored. */
const leave = async (run: Run | null, { release }: World): Promise<void> => {
  const close = async (): Promise<void> => run?.close?.();
  release();
  await Promise.race([close().catch(() => {}), turns(restingTurns)]);
};

/** Plays a scenario with a subject. Errors of the subject become part of the result. */
export const play = async (
  subject: Subject,
  definition: ScenarioDefinition,
  hash: Asked['hash'],
  patience: Patience,
): Promise<Seen> => {
  const world = createWorld(definition, hash);
  const { signal } = patience;
  const expired = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('it did not come to rest in time')));
  });
  const inTime = <Value>(work: Value | Promise<Value>): Promise<Value> => Promise.race([work, expired]);
  let documents = nothing;
  let run: Run | null = null;
  let error: string | null = null;

  const look = async (now: Run): Promise<void> => {
    await inTime(rest(now, world, patience));
    const after = await inTime(readDocuments(now));
    noteDocuments(world, documents, after);
    documents = after;
    world.note({ kind: 'rested', phase: Phase.parse(await inTime(now.phase()), issueWords.data) });
  };
  try {
    run = await inTime(subject.start(world.scenario));
    await look(run);
    for (const step of definition.steps ?? []) {
      await inTime(take(step, run, world));
      await look(run);
    }
    if (definition.admits === true) await inTime(admit(subject, documents, world));
  } catch (thrown) {
    error = inWords(thrown);
    world.note({ kind: 'threw', error });
  }
  const trace = [...world.trace];
  await leave(run, world);
  const phases = happenings({ trace }, 'rested').map(({ phase }) => phase);
  return { scenario: definition.id, trace, documents, phases, error };
};
