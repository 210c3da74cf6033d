import { Identifier, ReasonCode } from '../../schema/index.ts';
import { resumed } from '../approvals.ts';
import { mayMove, moveCall } from '../call.ts';
import { entry, omit } from '../change.ts';
import { isNext } from '../gates.ts';
import { abandoned, doubted, ended, succeeded } from '../outcomes.ts';
import { isWrite } from '../owed.ts';
import { suspend } from '../pauses.ts';
import { askQuestion, closeQuestionsOf } from '../question.ts';
import { callOf, isNewQuestion, isStorable } from './checks.ts';
import { family } from './family.ts';
import { causes, digest, Evidence, ofCall } from './fields.ts';

const outcome = { ...ofCall, code: ReasonCode, causes: causes.optional() };

/** The facts of a call: its intent, its outcome, and what it waits for. */
export const callFacts = family({
  'call.started': {
    cites: 'UAICP 3 flow',
    shape: { ...ofCall, digest },
    accepts: (c, fact) => {
      const call = callOf(c, fact);
      return call?.digest === fact.digest && isNext(c, fact.call) && (call.cleared || !isWrite(call));
    },
    apply: (c, { call }) => ({
      ...moveCall(c, call, 'call.started'),
      counters: { ...c.counters, calls: c.counters.calls + 1 },
    }),
    isHoped: () => true,
    says: ({ call }, words) => `${words.call(call)} begins`,
  },
  'call.succeeded': {
    cites: 'UAICP 3 flow',
    shape: { ...ofCall, evidence: Evidence },
    accepts: (c, fact) => mayMove(callOf(c, fact), 'call.succeeded'),
    apply: (c, { call, evidence }) => succeeded(c, call, evidence),
    outcome: () => 'success',
    isHoped: () => true,
    mayBeLate: true,
    says: ({ call }, words) => `${words.call(call)} succeeds`,
  },
  'call.failed': {
    cites: 'UAICP 3 flow',
    shape: outcome,
    accepts: (c, fact) => mayMove(callOf(c, fact), 'call.failed'),
    apply: (c, { call, code, causes: why }) => ended(c, call, 'call.failed', code, why),
    outcome: () => 'failure',
    mayBeLate: true,
    says: ({ call, code }, words) => `${words.call(call)} fails (${code})`,
  },
  'call.doubted': {
    cites: 'interpretation 0005',
    shape: outcome,
    accepts: (c, fact) => mayMove(callOf(c, fact), 'call.doubted'),
    apply: (c, { call, code, causes: why }) => doubted(c, call, code, why),
    outcome: () => 'uncertain',
    mayBeLate: true,
    says: ({ call, code }, words) => `whether ${words.call(call)} happened is unknown (${code})`,
  },
  'dependency.awaited': {
    cites: 'UpFormat Table 2',
    shape: { ...ofCall, dependency: Identifier },
    accepts: (c, fact) => mayMove(callOf(c, fact), 'dependency.awaited') && isStorable(fact.dependency),
    apply: (c, { call, dependency }) =>
      suspend(
        c,
        {
          ...moveCall(c, call, 'dependency.awaited'),
          dependencies: {
            ...c.dependencies,
            [dependency]: [...(entry(c.dependencies, dependency) ?? []), call],
          },
        },
        doubted(c, call, 'BUDGET_SPENT'),
      ),
    says: ({ call }, words) => `${words.call(call)} waits for something outside`,
  },
  'dependency.met': {
    cites: 'UpFormat Table 2',
    shape: { dependency: Identifier },
    accepts: (c, { dependency }) => entry(c.dependencies, dependency) !== undefined,
    apply: (c, { dependency }) => {
      const waiting = entry(c.dependencies, dependency) ?? [];
      return {
        calls: resumed(c, (_, id) => waiting.includes(id), 'dependency.met'),
        dependencies: omit(c.dependencies, dependency),
      };
    },
    isHoped: () => true,
    says: () => 'what a call waited for arrives',
  },
  'question.raised': {
    cites: 'UpFormat 2',
    shape: { ...ofCall, question: Identifier },
    accepts: (c, fact) => mayMove(callOf(c, fact), 'question.raised') && isNewQuestion(c, fact.question),
    apply: (c, { call, question }) => {
      const closed = closeQuestionsOf(c, call);
      return suspend(
        c,
        {
          ...moveCall(c, call, 'question.raised'),
          ...closed,
          ...askQuestion({ ...c, ...closed }, question, 'question.raised', call),
        },
        abandoned(c, call, 'BUDGET_SPENT'),
      );
    },
    says: ({ call }, words) => `${words.call(call)} asks a person`,
  },
});
