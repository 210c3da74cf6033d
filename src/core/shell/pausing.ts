import * as z from 'zod';
import { Identifier } from '../../../schema/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { parseDocument } from '../../base/boundary/parse-document.ts';
import { deepFreeze } from '../../base/canonical/deep-freeze.ts';
import { currentName } from '../../base/define/formerly.ts';
import { CharterError } from '../../base/errors.ts';
import { subjectOf, type Pausable, type Subject } from '../../base/ports/regulation.ts';
import { manualRollback } from '../kernel/words.ts';
import type { Environment } from './environment.ts';
import { actorOf } from './keyed.ts';
import type { Operator } from './operator-surface.ts';
import { inProse } from './quotas.ts';

const Paused = lazily(() =>
  z.union(
    [
      z.strictObject({ tool: Identifier }),
      z.strictObject({ taskClass: Identifier }),
      z.strictObject({ agent: Identifier }),
    ],
    { error: "must be { tool: 'refund' }, { taskClass: 'refunds' } or { agent: 'agent-7' }" },
  ),
);

const Reason = lazily(() =>
  z.looseObject({
    reason: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .regex(/^[^\p{Cc}]*$/u, 'must be one line'),
  }),
);

const WhichPauses = lazily(() => z.strictObject({ ended: z.boolean().default(false) }));

/** How many pauses are read that may have ended. */
const mostRead = 1_000;

/** Creates what pauses tools, task classes and agents. */
export const createPausing = (
  { store, clock, emit, pauses, isOwner, tools, taskClassOf }: Environment,
  during: <Result>(operation: string, work: () => Promise<Result>) => Promise<Result>,
): Pick<Operator, 'pause' | 'resume' | 'pauses'> => {
  /** Returns what is named, by its current name. Throws `document_invalid`, or `not_found` where it would change nothing. */
  const named = (operation: string, given: Pausable): Pausable => {
    const of = parseDocument(operation, Paused(), given);
    if ('agent' in of || !isOwner) return of;
    if ('taskClass' in of) return { taskClass: taskClassOf(of.taskClass).id };
    if (tools.has(of.tool)) return { tool: currentName(tools, of.tool) };
    const known = [...tools.keys()].filter((tool) => tool !== manualRollback);
    const message = `unknown tool ${JSON.stringify(of.tool)}: expected one of ${known.join(', ')}${didYouMean(of.tool, known)}`;
    throw new CharterError('not_found', message, { kind: 'tool', id: of.tool, known });
  };

  const changed = async (
    of: Pausable,
    code: 'paused' | 'resumed',
    by: string,
    write: (subject: Subject) => Promise<boolean>,
  ): Promise<boolean> => {
    if (!(await write(subjectOf(of)))) return false;
    await pauses.lasting(true);
    emit('log', { level: 'warn', code, taskId: '', message: `${inProse(of)} is ${code} by ${by}` });
    return true;
  };

  return {
    pause: async (given, who) => {
      const { id: by } = actorOf(who);
      const { reason } = parseDocument('pause', Reason(), who);
      const of = named('pause', given);
      return during('pause', () =>
        changed(of, 'paused', by, (subject) => store.pause(subject, by, reason, clock.now())),
      );
    },
    resume: async (given, who) => {
      const { id: by } = actorOf(who);
      const of = named('resume', given);
      return during('resume', () =>
        changed(of, 'resumed', by, (subject) => store.resume(subject, by, clock.now())),
      );
    },
    pauses: async (given = {}) => {
      const { ended } = parseDocument('pauses', WhichPauses(), given);
      return during('pauses', async () =>
        deepFreeze([...(await store.pauses(ended ? { limit: mostRead } : undefined))]),
      );
    },
  };
};
