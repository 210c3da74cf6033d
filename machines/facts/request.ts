import { Identifier, ReasonCode, Uuid } from '../../schema/index.ts';
import { failing, suspend } from '../change.ts';
import { begin } from '../context.ts';
import { askQuestion } from '../question.ts';
import { isNewQuestion } from './checks.ts';
import { fact } from './family.ts';
import { StopCode } from './fields.ts';

/** The facts of the request, and those that end a run from outside. */
export const requestFacts = [
  fact('request.accepted', 'UAICP 3 states', {}),
  fact(
    'request.refused',
    'UAICP 5.3',
    { code: ReasonCode },
    { apply: (c, { code }) => failing(c, { code, about: 'request' }) },
  ),
  fact(
    'information.requested',
    'UpFormat Table 3',
    { question: Identifier },
    {
      accepts: (c, { question }) => isNewQuestion(c, question),
      apply: (c, { question }) => suspend(c, askQuestion(c, question, 'information.requested', 'request')),
    },
  ),
  fact(
    'changes.requested',
    'UpFormat Table 3',
    { request: Uuid },
    {
      accepts: () => false, // only a delivered task can be changed
      acceptsAfter: (c, { request }) => request !== c.request,
      apply: (c, { request }) => begin({ taskClass: c.taskClass, request }),
    },
  ),
  fact(
    'task.cancelled',
    'UpFormat Table 2',
    {},
    { apply: (c) => failing(c, { code: 'CANCELLED', about: 'task' }) },
  ),
  fact(
    'run.failed',
    'UAICP 4.1',
    { code: StopCode },
    { apply: (c, { code }) => failing(c, { code, about: 'run' }) },
  ),
] as const;
