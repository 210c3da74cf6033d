import { readFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { isObject } from '../../base/boundary/is-object.ts';
import { moduleProblem } from '../../base/boundary/module-problem.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import { Callable } from '../../base/define/definition.ts';
import { Decision } from '../../base/define/policy-decision.ts';
import { causeOf, isCharterError } from '../../base/errors.ts';
import type { Clock } from '../../base/ports/clock.ts';
import type { Policy } from '../../base/ports/policy.ts';
import { shadowPolicy, tablePolicy } from '../../gates/policies/index.ts';
import type { Tool } from '../../base/ports/tool.ts';
import { policyFileIn } from './charter-file.ts';
import type { Surroundings } from './inner-server.ts';
import type { Charter } from './read-charter.ts';
import { namesIn, rulesFor } from './rules.ts';

const Exported = z.object({
  decide: Callable,
  version: z.string().optional(),
  ruleNames: z
    .array(z.object({ rule: z.string(), tools: z.array(z.string()), taskClasses: z.array(z.string()) }))
    .optional(),
});

const isPolicy = (value: unknown): value is Policy => Exported.safeParse(value).success;

/** Returns the policy in Cedar's language in a file. Throws `document_invalid` with what is wrong in it. */
const readCedar = async ({ file, fault }: Charter, given: string): Promise<Policy> => {
  const wrong = (words: string) => fault([{ path: pointerTo(['policy', 'cedar']), message: words }]);
  const policies = await readFile(resolve(dirname(file), given), 'utf8').catch((error: unknown) => {
    throw wrong(`cannot be read: ${causeOf(error)}. Expected a file with policies in the language of Cedar`);
  });
  const { cedarPolicy } = await import('../../gates/policies/cedar.ts');
  try {
    return cedarPolicy({ policies });
  } catch (error) {
    if (!isCharterError(error, 'definition_invalid')) throw error;
    const words = error.details.issues.map(({ message }) => message).join('; ');
    throw wrong(
      `${basename(given)}: ${words}. Expected policies such as permit (principal, action, resource == Tool::"server.tool");`,
    );
  }
};

/** Returns the policy that a module exports. Throws `document_invalid` for one that cannot be loaded, or exports none. */
const readModule = async ({ file, fault }: Charter, given: string): Promise<Policy> => {
  const path = resolve(dirname(file), given);
  const wrong = (words: string) =>
    fault([
      {
        path: pointerTo(['policy', 'module']),
        message: `${words}. Expected a module whose default export is a policy: an object { decide }, such as tablePolicy(...)`,
      },
    ]);
  const loaded: unknown = await import(pathToFileURL(path).href).catch((error: unknown) => {
    throw wrong(`cannot be loaded: ${moduleProblem(error, path)}`);
  });
  const policy = isObject(loaded) ? loaded['default'] : undefined;
  if (isPolicy(policy)) return policy;
  throw wrong(`${basename(given)} has ${policy === undefined ? 'no' : 'another'} default export`);
};

/** Returns the policy that a file names; `null` for one with a table. Throws `document_invalid`. */
export const readPolicy = async (charter: Charter): Promise<Policy | null> => {
  const named = policyFileIn(charter.terms);
  if (named === null) return null;
  return named.member === 'cedar' ? readCedar(charter, named.path) : readModule(charter, named.path);
};

/** Milliseconds in which a policy decides: less than its task class waits, after which the run would fail. */
const decisionTime = 5_000;

/** Returns what a policy decides. Rejects for one that throws, decides nothing valid, or is too late. */
const decisionIn = (clock: Clock, decide: () => ReturnType<Policy['decide']>): Promise<Decision> =>
  new Promise((resolve, reject) => {
    const cancel = clock.wakeAt(clock.now() + decisionTime, () =>
      reject(new Error(`it did not decide within ${decisionTime} milliseconds`)),
    );
    (async () => Decision.parse(await decide()))().finally(cancel).then(resolve, reject);
  });

/**
 * Returns a policy whose `deny` ends the call, by default, and so does a failure: the run is all that a client does, and would undo what
 * was written before. Names of servers that are down may be unknown.
 */
const forGateway = (
  policy: Policy,
  tools: readonly Tool[],
  { clock, say }: Pick<Surroundings, 'clock' | 'say'>,
): Policy => {
  const known = new Set(tools.map(({ name }) => name));
  const ruleNames = namesIn(policy).map((rule) => ({
    ...rule,
    tools: rule.tools.filter((name) => known.has(name)),
  }));
  const decide: Policy['decide'] = async (request, options) => {
    try {
      const decision = await decisionIn(clock, () => policy.decide(request, options));
      return decision.verdict === 'deny' ? { ends: 'call', ...decision } : decision;
    } catch (error) {
      const failed = `the policy failed: ${causeOf(error)}`;
      say(`${request.action}: ${failed}`);
      return { verdict: 'deny', ends: 'call', reasons: [failed] };
    }
  };
  return Object.assign(
    { decide, ruleNames },
    policy.version === undefined ? {} : { version: policy.version },
  );
};

/** Returns what decides on the writes of these tools. */
export const policyFor = (
  charter: Charter,
  tools: readonly Tool[],
  { policy: read, isShadow, ...around }: Pick<Surroundings, 'policy' | 'isShadow' | 'clock' | 'say'>,
): Policy => {
  const policy =
    read === null ? tablePolicy({ rules: rulesFor(charter, tools) }) : forGateway(read, tools, around);
  return isShadow ? shadowPolicy(policy) : policy;
};
