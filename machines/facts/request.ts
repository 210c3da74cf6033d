import { z } from 'zod';
import { Identifier, ReasonCode, Uuid } from '../../schema/index.ts';
import { failing } from '../change.ts';
import { begin } from '../context.ts';
import { suspend } from '../pauses.ts';
import { askQuestion } from '../question.ts';
import { isNewQuestion } from './checks.ts';
import { family } from './family.ts';
import { StopCode } from './fields.ts';

/** The facts of the request, and those that end a run from outside. */
export const requestFacts = family({
  'request.accepted': {
    cites: 'UAICP 3 states',
    shape: {},
    isHoped: () => true,
    says: () => 'the request is accepted',
  },
  'request.refused': {
    cites: 'UAICP 5.3',
    shape: { code: ReasonCode },
    apply: (c, { code }) => failing(c, { code, about: 'request' }),
    says: ({ code }) => `the request is refused (${code})`,
  },
  'information.requested': {
    cites: 'UpFormat Table 3',
    shape: { question: Identifier },
    accepts: (c, { question }) => isNewQuestion(c, question),
    apply: (c, { question }) => suspend(c, askQuestion(c, question, 'information.requested', 'request')),
    says: () => 'the request lacks information',
  },
  'changes.requested': {
    cites: 'UpFormat Table 3',
    shape: { request: Uuid },
    accepts: () => false, // only a delivered task can be changed
    acceptsAfter: (c, { request }) => request !== c.request,
    apply: (c, { request }) => ({
      ...begin({ taskClass: c.taskClass, request }),
      ...(c.goesOn === true && { goesOn: false }),
    }),
    isRepeatable: () => true,
    says: () => 'a person asks for changes',
  },
  'task.cancelled': {
    cites: 'UpFormat Table 2',
    shape: { urgent: z.literal(true).optional() },
    apply: (c) => failing(c, { code: 'CANCELLED', about: 'task' }),
    isRepeatable: () => true,
    says: ({ urgent }) => `the task is cancelled${urgent === true ? ' at once' : ''}`,
  },
  'run.failed': {
    cites: 'UAICP 4.1',
    shape: { code: StopCode },
    apply: (c, { code }) => failing(c, { code, about: 'run' }),
    isRepeatable: () => true,
    says: ({ code }) => `the run fails (${code})`,
  },
});
