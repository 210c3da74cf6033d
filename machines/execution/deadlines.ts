import { entry } from './acceptance.ts';
import { disapproved, resumed } from './approvals.ts';
import { declined, doubted, unfinished } from './calls.ts';
import { changeEffect, failing, kept, askQuestion, suspend, reported, omit, type Change } from './changes.ts';
import type { Context, EvidenceReference } from './context.ts';
import type { FactOf } from './facts.ts';
import { mayPause, modelTurnId } from './owed.ts';

/** Applies the default answer of a question that no one answered; fails the run if it has none. */
const expireQuestion = (c: Context, id: string): Change => {
  const question = entry(c.questions, id);
  const questions = omit(c.questions, id);
  const isDefaulted = (kind: 'information' | 'approval' | 'tool') => c.taskClass.defaults.includes(kind);
  switch (question?.kind) {
    case 'information':
      if (isDefaulted('information')) return { questions };
      break;
    case 'approval':
      if (!isDefaulted('approval')) break;
      return {
        questions,
        calls: declined(c, question.about, 'QUESTION_EXPIRED'),
      };
    case 'tool':
      if (isDefaulted('tool')) return { questions, calls: resumed(c, (_, call) => call === question.about) };
      break;
    case 'host':
      return { questions, ...kept(c) };
    case 'help':
    case 'plan':
    case 'draft':
    case 'doubt':
    case undefined:
      break; // silence is never a waiver, nor knowledge of an effect
  }
  return failing(c, { code: 'QUESTION_EXPIRED', about: id });
};

/** The agent stays away: what it wrote is a person's to keep or to undo, and silence keeps it. */
const hostAway = (c: Context): Change => {
  if (c.effects.every(({ status }) => status !== 'committed'))
    return failing(c, { code: 'HOST_UNAVAILABLE', about: 'host' });
  return mayPause(c)
    ? suspend(c, askQuestion(c, `host:${modelTurnId(c)}`, { kind: 'host', about: 'host' }))
    : kept(c);
};

/** Marks evidence as stale in every call and effect that refers to it. */
const markStale = (c: Context, id: string): Change => {
  const old = (evidence: EvidenceReference | null) =>
    evidence?.id === id ? { ...evidence, stale: true } : evidence;
  return {
    calls: Object.fromEntries(
      Object.entries(c.calls).map(([name, call]) => [name, { ...call, evidence: old(call.evidence) }]),
    ),
    effects: c.effects.map((effect) => ({ ...effect, evidence: old(effect.evidence) })),
  };
};

/** Applies a deadline that has passed. It never counts as an approval. */
export const applyDeadline = (c: Context, { of, id }: FactOf<'deadline.passed'>): Change => {
  switch (of) {
    case 'accept':
      return failing(c, { code: 'GUARD_ERROR', about: 'request' });
    case 'model':
      return failing(c, { code: 'MODEL_UNAVAILABLE', about: 'model' });
    case 'policy':
      return failing(c, { code: 'POLICY_UNAVAILABLE', about: id });
    case 'host':
      return hostAway(c);
    case 'start':
      return unfinished(c, id, 'CALL_NOT_STARTED');
    case 'call':
      return doubted(c, id, 'TOOL_TIMEOUT');
    case 'dependency':
      return (entry(c.dependencies, id) ?? []).reduce<Change>(
        (change, call) => ({ ...change, ...doubted({ ...c, ...change }, call, 'TOOL_TIMEOUT') }),
        {},
      );
    case 'evidence':
      return markStale(c, id);
    case 'approval':
      return { calls: disapproved(c, id) };
    case 'verifier': {
      const space = id.indexOf(' ');
      const about = { verifier: id.slice(space + 1), of: id.slice(0, space), evidence: c.collected };
      return reported(c, { ...about, status: 'fail', code: 'VERIFIER_TIMEOUT' });
    }
    case 'question':
      return expireQuestion(c, id);
    case 'rollback':
      return changeEffect(c, id, 'stuck');
    case 'offer':
      return { followup: 'withdrawn' };
    case 'followup':
      return { followup: 'defaulted' };
  }
};
