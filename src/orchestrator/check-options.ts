import * as z from 'zod';
import { issuesOf } from '../boundary/issues-of.ts';
import { Callable, keysIn } from '../define/definition.ts';
import { CharterError, type Issue } from '../errors.ts';

/** Returns the schema of a host object with these functions; other members are allowed. */
const withFunctions = (...names: readonly string[]) =>
  z.looseObject(Object.fromEntries(names.map((name) => [name, Callable])));

const listOf = (member: z.ZodType, from: string) =>
  z.array(member, `expected an array of what \`${from}\` returned`);

const Named = z.looseObject({ name: z.string('expected a name'), call: Callable });
const Verifying = z.looseObject({ id: z.string('expected an id'), verify: Callable });
const TaskClass = z.looseObject(
  {
    id: z.string('expected an id'),
    contract: z.looseObject({}, 'expected what `defineTaskClass` returned'),
  },
  'expected what `defineTaskClass` returned',
);

/** The schema of the options, which reports missing and misspelt members to callers without types. */
const Options = z.strictObject(
  {
    taskClasses: listOf(TaskClass, 'defineTaskClass'),
    model: withFunctions('answer'),
    tools: listOf(Named, 'defineTool').optional(),
    verifiers: listOf(Verifying, 'defineVerifier').optional(),
    policy: withFunctions('decide').optional(),
    approvals: withFunctions('verify').optional(),
    mayRespond: Callable.optional(),
    attest: Callable.optional(),
    redact: Callable.optional(),
    store: withFunctions('commit', 'load').optional(),
    clock: withFunctions('now', 'wakeAt').optional(),
    ids: withFunctions('uuid', 'traceId').optional(),
    telemetry: withFunctions('begin').optional(),
    skew: z.unknown().optional(),
    streamSecret: z.unknown().optional(),
    limits: z.looseObject({}).optional(),
    concurrency: z.unknown().optional(),
    idleTasks: z.unknown().optional(),
    role: z.unknown().optional(),
  },
  'expected an object of options',
);

/** Throws `definition_invalid` with these issues, if there are any. */
export const refuseOptions = (issues: readonly Issue[]): void => {
  if (issues.length === 0) return;
  const detail = issues.map(({ path, message }) => `${path} ${message}`.trim()).join('; ');
  throw new CharterError('definition_invalid', `orchestrator: ${detail}`, {
    definition: 'orchestrator',
    issues,
  });
};

/** Throws `definition_invalid` if a member of the options is missing, misspelt or of the wrong kind. */
export const checkOptions = (options: unknown): void => {
  const read = Options.safeParse(options);
  if (!read.success) refuseOptions(issuesOf(read.error, keysIn(Options)));
};
