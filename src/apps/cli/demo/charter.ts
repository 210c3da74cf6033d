import * as z from 'zod';
import { defineTaskClass } from '../../../base/define/task-class.ts';
import { defineTool } from '../../../base/define/tool.ts';
import { defineVerifier } from '../../../base/define/verifier.ts';
import type { EvidenceObject } from '../../../../schema/index.ts';
import type { OrchestratorOptions } from '../../../core/shell/options.ts';
import { agents } from './agents.ts';
import { byIds, search } from './freelancers.ts';

export interface Mail {
  readonly to: readonly string[];
  readonly subject: string;
  readonly text: string;
}

const Found = z.looseObject({ candidates: z.array(z.looseObject({ id: z.string(), email: z.string() })) });

/** Returns the addresses in evidence: tool results, never model output. */
const addressesIn = (evidence: readonly EvidenceObject[]): ReadonlySet<string> =>
  new Set(
    evidence
      .flatMap(({ payload }) => Found.safeParse(payload).data?.candidates ?? [])
      .map(({ email }) => email),
  );

const Addressed = z.union([
  z
    .looseObject({ arguments: z.looseObject({ to: z.array(z.string()) }) })
    .transform((action) => action.arguments.to),
  z.looseObject({ recipients: z.array(z.string()) }).transform(({ recipients }) => recipients),
  Found.transform(({ candidates }) => candidates.map(({ email }) => email)),
]);

/** Checks that every person in a draft or a mail occurs in the evidence. */
const known = defineVerifier({
  id: 'known-people',
  verify: ({ value, evidence }) => {
    const named = Addressed.safeParse(value).data ?? [];
    const strangers = named.filter((address) => !addressesIn(evidence).has(address));
    return {
      checks: [
        {
          check_id: 'someone',
          result: named.length > 0 ? 'pass' : 'fail',
          details: `${named.length} named`,
        },
        {
          check_id: 'in-evidence',
          result: strangers.length === 0 ? 'pass' : 'fail',
          details: strangers.join(),
        },
      ],
    };
  },
});

const Chosen = z.looseObject({ candidates: z.array(z.looseObject({ id: z.string(), name: z.string() })) });

/**
 * The hiring workflow of UpFormat 3.1: a recommendation, then an invitation. `send` is its only external
 * effect.
 */
export const hiring = (send: (mail: Mail) => Promise<void>): OrchestratorOptions => ({
  model: agents,
  tools: [
    defineTool({
      name: 'freelancers.search',
      description: 'Ranks freelancers by skills, in a place.',
      tier: 'read_only',
      input: z.object({ skills: z.array(z.string()).min(1), location: z.string() }),
      call: async ({ skills, location }) => ({ candidates: search(skills, location) }),
    }),
    defineTool({
      name: 'freelancers.read',
      description: 'Reads freelancers by their ids.',
      tier: 'read_only',
      input: z.object({ ids: z.array(z.string()).min(1) }),
      call: async ({ ids }) => ({ candidates: byIds(ids) }),
    }),
    defineTool({
      name: 'email.send',
      description: 'Sends one message.',
      tier: 'write_low_risk',
      input: z.object({ to: z.array(z.email()).min(1), subject: z.string(), text: z.string() }),
      call: async (mail) => {
        await send(mail);
        return { sent: mail.to.length };
      },
    }),
  ],
  verifiers: [known],
  policy: {
    decide: ({ action }) =>
      action === 'email.send'
        ? { verdict: 'allow', reasons: ['invitations may be sent'] }
        : { verdict: 'deny', reasons: [`no rule allows ${action}`] },
  },
  taskClasses: [
    defineTaskClass({
      id: 'recommendation',
      tools: ['freelancers.search'],
      beforeDeliver: {
        evidence: [{ type: 'tool_result', tool: 'freelancers.search' }],
        verifiers: [known.id],
      },
      followup: ({ payload }) => {
        const candidates = Chosen.safeParse(payload).data?.candidates ?? [];
        return {
          explanation: 'Who should be invited? Without an answer, the first two are invited.',
          payload: { candidates: candidates.map(({ id, name }) => ({ id, name })) },
          byDefault: { chosen: candidates.slice(0, 2).map(({ id }) => id) },
        };
      },
    }),
    defineTaskClass({
      id: 'invitation',
      tools: ['freelancers.read', 'email.send'],
      beforeWrite: {
        evidence: [{ type: 'tool_result', tool: 'freelancers.read' }],
        verifiers: [known.id],
      },
      beforeDeliver: { evidence: [{ type: 'tool_result', tool: 'email.send' }], verifiers: [known.id] },
    }),
  ],
});
