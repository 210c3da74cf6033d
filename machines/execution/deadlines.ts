import { entry } from './acceptance.ts';
import { doubted } from './calls.ts';
import { changeCall, changeCalls, changeEffect, failing, without, type Change } from './changes.ts';
import type { Context } from './context.ts';
import type { FactOf } from './facts.ts';

const unanswered = (c: Context, id: string): Change => {
  const question = entry(c.questions, id);
  const questions = without(c.questions, id);
  const isDefaulted = (kind: 'information' | 'approval' | 'tool') => c.taskClass.defaults.includes(kind);
  switch (question?.kind) {
    case 'information':
      if (isDefaulted('information')) return { questions };
      break;
    case 'approval':
      if (!isDefaulted('approval')) break;
      return {
        questions,
        calls: changeCalls(c, ({ digest }) => digest === question.about, {
          status: 'refused',
          code: 'QUESTION_EXPIRED',
        }),
      };
    case 'tool':
      if (isDefaulted('tool')) return { questions, ...changeCall(c, question.about, { status: 'allowed' }) };
      break;
    case 'help':
    case 'plan':
    case 'draft':
    case 'doubt':
    case undefined:
      break; // silence is never a waiver, nor knowledge of an effect
  }
  return failing(c, { code: 'QUESTION_EXPIRED', about: id });
};

/** What silence does: each duty has a deadline, and its passing a target. It is never an approval. */
export const passed = (c: Context, { of, id }: FactOf<'deadline.passed'>): Change => {
  switch (of) {
    case 'accept':
      return failing(c, { code: 'IDENTITY_INVALID', about: 'request' });
    case 'model':
      return failing(c, { code: 'MODEL_UNAVAILABLE', about: 'model' });
    case 'policy':
      return failing(c, { code: 'POLICY_UNAVAILABLE', about: id });
    case 'call':
      return doubted(c, id, 'TOOL_TIMEOUT');
    case 'dependency':
      return doubted(c, entry(c.dependencies, id) ?? id, 'TOOL_TIMEOUT');
    case 'evidence': {
      const evidence = entry(c.calls, id)?.evidence ?? null;
      return changeCall(c, id, { evidence: evidence === null ? null : { ...evidence, stale: true } });
    }
    case 'approval':
      return {
        calls: changeCalls(c, ({ digest, status }) => digest === id && status === 'allowed', {
          authority: null,
        }),
      };
    case 'verifier': {
      const space = id.indexOf(' ');
      const report = { verifier: id.slice(space + 1), of: id.slice(0, space), evidence: c.collected };
      return { reports: { ...c.reports, [id]: { ...report, status: 'timeout' } } };
    }
    case 'question':
      return unanswered(c, id);
    case 'rollback':
      return changeEffect(c, id, 'stuck');
    case 'offer':
      return { followup: 'withdrawn' };
    case 'followup':
      return { followup: 'defaulted' };
  }
};
