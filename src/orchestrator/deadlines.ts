import type { Context, Duty } from '../../machines/index.ts';
import type { DefinedTaskClass } from '../define/task-class.ts';
import type { Brought } from '../ports/ledger.ts';
import type { Deadline } from '../ports/store.ts';
import { rfc3339 } from './clock.ts';
import type { Dossier } from './dossier.ts';
import type { Environment } from './environment.ts';
import { isUndoneByLedger } from './intents.ts';
import type { TermsOf } from './questions.ts';

type Wake = Extract<Duty, { kind: 'wake' }>;

const keyOf = ({ of, id }: Pick<Deadline, 'of' | 'id'>): string => `${of} ${id}`;

/** Where the deadlines of a task come from. */
export interface Timing {
  readonly taskClass: DefinedTaskClass;
  readonly dossier: Dossier;
  readonly tools: Environment['tools'];
  readonly verifiers: Environment['verifiers'];
}

/** Evidence is as old as it says itself, and never younger than we have known it. */
const endOfEvidence = (id: string, now: number, { taskClass, dossier }: Timing): number | undefined => {
  const collected = Date.parse(dossier.evidence[id]?.collected_at ?? '');
  return taskClass.maxAge && Math.min(now, Number.isNaN(collected) ? now : collected) + taskClass.maxAge;
};

/** An approval says itself when it ends; of several, the first that ends ends all. */
const endOfApproval = (digest: string, { dossier }: Timing): number | undefined => {
  const ends = (dossier.approvals[digest] ?? []).map(({ expiresAt }) => Date.parse(expiresAt));
  return ends.length === 0 ? undefined : Math.min(...ends);
};

/** When a deadline passes that begins to run now; `undefined` for what never ends. */
const endOf = ({ of, id }: Wake, now: number, timing: Timing): number | undefined => {
  const { taskClass, dossier, tools, verifiers } = timing;
  switch (of) {
    case 'evidence':
      return endOfEvidence(id, now, timing);
    case 'approval':
      return endOfApproval(id, timing);
    case 'call':
      return now + (tools.get(dossier.calls[id]?.tool ?? '')?.deadline ?? taskClass.deadlines.call);
    case 'verifier':
      return now + (verifiers.get(id.slice(id.indexOf(' ') + 1))?.deadline ?? taskClass.deadlines.verifier);
    case 'rollback': {
      const call = Object.values(dossier.calls).find(({ digest }) => digest === id);
      // each write of a child has a deadline for its own rollback
      return isUndoneByLedger(tools.get(call?.tool ?? '')) ? undefined : now + taskClass.deadlines.rollback;
    }
    default:
      return now + taskClass.deadlines[of];
  }
};

/** The deadlines after a step: those still owed keep their hour, new ones begin to run, the others are gone. */
export const runningDeadlines = (
  running: readonly Deadline[],
  duties: readonly Duty[],
  now: number,
  timing: Timing,
): readonly Deadline[] => {
  const byKey = new Map(running.map((deadline) => [keyOf(deadline), deadline]));
  return duties
    .filter((duty): duty is Wake => duty.kind === 'wake')
    .flatMap((wake): Deadline[] => {
      // one more approval may end before those that came first
      const known = wake.of === 'approval' ? undefined : byKey.get(keyOf(wake));
      if (known !== undefined) return [known];
      const at = endOf(wake, now, timing);
      return at === undefined || !Number.isFinite(at) ? [] : [{ of: wake.of, id: wake.id, at }];
    })
    .toSorted((one, other) => one.at - other.at);
};

/** Until when a question waits, and what its task class, or its offer, takes for an answer then. */
export const termsOf =
  ({ defaults = {} }: DefinedTaskClass, running: readonly Deadline[], offered: unknown): TermsOf =>
  (kind, asked) => {
    const isDefaulted = kind === 'information' || kind === 'tool' || kind === 'approval';
    const byDefault = kind === 'followup' ? offered : isDefaulted ? defaults[kind] : undefined;
    const ends = running.find(({ of, id }) =>
      kind === 'followup' ? of === kind : of === 'question' && id === asked,
    );
    return { deadline: ends === undefined ? null : rfc3339(ends.at), byDefault: byDefault ?? null };
  };

/** What stands for an answer that never came, where the task class declares it: recorded as an edit, by no person. */
export const defaultAnswer = (
  { of, id }: Deadline,
  questions: Context['questions'],
  { defaults }: DefinedTaskClass,
  target: string | undefined,
): Brought => {
  const kind = of === 'question' && Object.hasOwn(questions, id) ? questions[id]?.kind : undefined;
  const value = kind === 'information' || kind === 'tool' ? defaults?.[kind] : undefined;
  if (value === undefined || target === undefined) return {};
  return { feedback: { type: 'edit', target, content: { value } } };
};
