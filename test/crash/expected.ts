import type { TaskSummary } from 'agentcharter';
import type { ReasonCode } from 'agentcharter/schema';
import type { Death, Trial } from './trial.ts';
import type { Declaration } from './backend.ts';

/** How a run ended, as far as nobody may see that it was disturbed. */
export interface End {
  readonly state: string;
  readonly outcome: string;
  readonly codes: readonly ReasonCode[];
  readonly payload: unknown;
  readonly followup: unknown;
  /** How the tasks ended that are calls of it. */
  readonly parts: readonly string[];
}

const parts = ({ tasks }: Trial): readonly string[] =>
  tasks
    .filter(({ indexEntry }) => indexEntry.parent !== null)
    .map(({ indexEntry }) => (JSON.parse(indexEntry.summary) as { summary: TaskSummary }).summary)
    .map(({ state, outcome }) => `${state} ${outcome}`);

export const endOf = (trial: Trial): End => {
  const { settled } = trial;
  return {
    state: settled?.state ?? 'none',
    outcome: settled?.outcome ?? 'none',
    codes: [...new Set(settled?.reasons.map(({ code }) => code))].toSorted(),
    payload: settled?.outcome === 'success' ? settled.message.payload : null,
    followup: settled?.followup ?? null,
    parts: parts(trial),
  };
};

const leftAt = (
  deaths: readonly Death[],
  kind: 'call' | 'rollback',
  tools: readonly string[],
): readonly Death[] =>
  deaths.filter(({ intents }) =>
    intents.some((intent) => intent.kind === kind && tools.includes(intent.tool)),
  );

/** Writes whose rollback is their run's own: what is slow comes back when its run has ended, which says nothing any more. */
const rolledBack = ({ story: { scenario } }: Trial): readonly string[] =>
  scenario.name === 'late' ? ['first'] : ['first', 'second', 'stray', 'slow'];

const isKnown = (says: Declaration): boolean => says === 'idempotent' || says === 'reconcilable';

/** A part of a run that is cancelled: whoever comes first, all that may be added is that it is not known what it left. */
const isOpenEnded = ({ story: { scenario } }: Trial): boolean => scenario.name === 'abandoned';

/** Whether what was slow was made again after a death; the cancel may come first. */
const wasRepeated = ({ tasks }: Trial, { sizes }: Death): boolean =>
  tasks.some(({ indexEntry, records }) =>
    records
      .slice(sizes.get(indexEntry.taskId) ?? 0)
      .some(
        ({ kind, brought: { recovery } }) =>
          kind === 'fact' && recovery?.tool === 'slow' && recovery.resolution === 'repeated',
      ),
  );

/** Reasons that crashes add or take away, and why: all that a trial may differ in from the run that nobody disturbed. */
const codesAfter = (trial: Trial, undisturbed: readonly ReasonCode[]): readonly ReasonCode[] => {
  const { story, deaths } = trial;
  const { scenario, says } = story;
  const codes = new Set(undisturbed);
  // nobody can say whether a rollback happened: it is not run twice, and whoever reads the end is told
  if (!isKnown(says.rollback) && leftAt(deaths, 'rollback', rolledBack(trial)).length > 0)
    codes.add('ROLLBACK_REQUIRED');
  // nobody looked in time, and silence is not knowledge
  const isUnanswered = deaths.some(({ open, until }) =>
    open.some(({ question }) => question.kind === 'doubt' && Date.parse(question.deadline ?? '') <= until),
  );
  if (isUnanswered) codes.add('EFFECT_IN_DOUBT').add('QUESTION_EXPIRED');
  if (scenario.name !== 'cancelled' && scenario.name !== 'late') return [...codes];
  for (const death of leftAt(deaths, 'call', ['slow'])) {
    // a person would be asked, and the cancel that follows leaves nobody to ask
    const isAsked = says.call === 'unsure' || says.call === 'unsafe';
    if (isAsked && death.hasBegun) codes.add('EFFECT_IN_DOUBT');
    // a run that fails makes nothing again: what cannot be looked up stays in doubt, and what can is known
    const isGivenUp = death.isCancelled || !wasRepeated(trial, death);
    if (says.call === 'idempotent' && isGivenUp) codes.add('EFFECT_IN_DOUBT');
    if (says.call === 'reconcilable' && isGivenUp) codes.delete('EFFECT_IN_DOUBT');
  }
  return [...codes];
};

const inDoubt: readonly ReasonCode[] = ['EFFECT_IN_DOUBT', 'ROLLBACK_REQUIRED'];

/** Tools whose question somebody answers: it is open when a process dies, and not past its hour when the next begins. */
const answered = ({ deaths, written }: Trial): ReadonlySet<string> => {
  const calls = written.flatMap(({ record: { brought } }) => brought.calls ?? []);
  return new Set(
    deaths.flatMap(({ open, until }) =>
      open
        .filter(({ question }) => question.kind === 'tool' && Date.parse(question.deadline ?? '') > until)
        .flatMap(({ question }) => calls.find(({ id }) => id === question.about)?.tool ?? []),
    ),
  );
};

/** What was read with the answers that counted: a person's, or the default of silence. */
const readAfter = (trial: Trial, payload: unknown): unknown => {
  const { name } = trial.story.scenario;
  if (name !== 'expired' && name !== 'raced') return payload;
  const tools = answered(trial);
  const read = ['quick', 'slow'].map((tool) => ({
    read: tool,
    met: null,
    answer: { value: { choice: tools.has(tool) ? 'person' : 'default' } },
  }));
  return { read };
};

/** What a run may end with whose part is cancelled by it, or is about to be, when its process dies. */
const openEnd = (trial: Trial, undisturbed: End): End => {
  const { says } = trial.story;
  const wasLeft = trial.deaths.some(({ intents }) =>
    intents.some(({ kind }) => (kind === 'call' ? says.call !== 'reconcilable' : !isKnown(says.rollback))),
  );
  const doubtCodes = endOf(trial).codes.filter((code) => inDoubt.includes(code));
  if (!wasLeft || !doubtCodes.includes('EFFECT_IN_DOUBT')) return undisturbed;
  const codes = [...undisturbed.codes, ...doubtCodes].toSorted();
  return { ...undisturbed, codes, outcome: 'uncertain', parts: ['cancelled uncertain'] };
};

export const expectedEnd = (trial: Trial, undisturbed: End): End => {
  if (isOpenEnded(trial)) return openEnd(trial, undisturbed);
  const codes = codesAfter(trial, undisturbed.codes).toSorted();
  if (codes.length === 0) return { ...undisturbed, payload: readAfter(trial, undisturbed.payload) };
  return {
    state: undisturbed.outcome === 'success' ? 'failed' : undisturbed.state, // a write that may stand strands its run
    outcome: codes.some((code) => inDoubt.includes(code)) ? 'uncertain' : 'failure',
    codes,
    payload: null,
    followup: null,
    parts: undisturbed.parts,
  };
};

/** Actions that may stand though they did not in the run that nobody disturbed: a crash left them in doubt, and the end says so. */
export const mayStand = (trial: Trial): readonly string[] => {
  const { codes } = endOf(trial);
  if (!codes.some((code) => inDoubt.includes(code))) return [];
  const left = trial.deaths.flatMap(({ intents }) => intents.map(({ tool }) => `${tool} {}`));
  return trial.story.scenario.name === 'late' ? [...left, 'slow {}'] : left;
};
