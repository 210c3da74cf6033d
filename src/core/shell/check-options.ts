import * as z from 'zod';
import { Identifier } from '../../../schema/index.ts';
import { didYouMean } from '../../base/boundary/did-you-mean.ts';
import { isObject } from '../../base/boundary/is-object.ts';
import { checkCode } from '../../base/boundary/issues-of.ts';
import { lazily } from '../../base/boundary/lazily.ts';
import { valueBounds } from '../../base/canonical/freeze.ts';
import { pointerTo } from '../../base/canonical/unreadable.ts';
import { Callable, keysIn, refuseDefinition } from '../../base/define/definition.ts';
import type { Issue } from '../../base/errors.ts';
import { quotasSchema } from '../../base/define/quota.ts';

/** Returns the schema of a host object with these functions; other members are allowed. */
const withFunctions = (names: readonly string[], accepted?: string) =>
  z.looseObject(
    Object.fromEntries(names.map((name) => [name, Callable])),
    accepted === undefined ? undefined : `must be ${accepted}`,
  );

const listOf = <Member extends z.ZodType>(member: Member, from: string) =>
  z.array(member, `must be an array of what \`${from}\` returned`);

const namedSchema = lazily(() =>
  z.looseObject({
    name: z.string('must be a name'),
    call: z.custom<unknown>(
      (value) => typeof value === 'function',
      'must be a function: wrap the tool with `defineTool` or `guardTool`',
    ),
    formerly: z.array(z.string(), 'must be an array of names').optional(),
  }),
);
const verifyingSchema = lazily(() => z.looseObject({ id: z.string('must be an id'), verify: Callable }));
const taskClassSchema = lazily(() =>
  z.looseObject(
    {
      id: z.string('must be an id'),
      contract: z.looseObject({}, 'must be what `defineTaskClass` returned'),
    },
    'must be what `defineTaskClass` returned',
  ),
);

/** A language model of a framework is no `Model`: its agents run behind a guard. */
const isForeignModel = (value: unknown): boolean =>
  isObject(value) && ['doGenerate', 'invoke', 'getResponse'].some((name) => name in value);

const modelSchema = lazily(() =>
  z.custom<unknown>((value) => isObject(value) && typeof value['answer'] === 'function', {
    error: ({ input }) =>
      isForeignModel(input)
        ? 'must be an object with a function `answer`, and not the model of a framework: use `createGuard` and the adapter of that framework'
        : 'must be an object with a function `answer`',
  }),
);

const whole = (least: number, most = Infinity) => {
  const isWhole = (value: unknown): boolean =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most;
  const limit = most === Infinity ? '' : `, and ${most} at most`;
  return z.custom<number>(isWhole, `must be a whole number of at least ${least}${limit}`);
};
const notMilliseconds = 'must be a number of milliseconds of at least 0';

/** The minimum length of the secret in bytes. */
const minSecretBytes = 24;
const isSecret = (value: unknown): boolean =>
  typeof value === 'string' && Buffer.byteLength(value) >= minSecretBytes;

/** The schema of the options, which reports missing and misspelt members to callers without types. */
const optionsSchema = lazily(() =>
  z.strictObject(
    {
      taskClasses: listOf(taskClassSchema(), 'defineTaskClass'),
      model: modelSchema(),
      tools: z
        .array(namedSchema(), 'must be an array of what `defineTool` or `guardTool` returned')
        .optional(),
      verifiers: listOf(verifyingSchema(), 'defineVerifier').optional(),
      policy: withFunctions(['decide'], 'an object `{ decide }`, or what `tablePolicy` returned')
        .extend({
          version: z
            .custom(
              (value) => Identifier.safeParse(value).success,
              'must be 1 to 128 printable ASCII characters',
            )
            .optional(),
        })
        .optional(),
      approvals: withFunctions(['verify']).optional(),
      mayRespond: Callable.optional(),
      attest: Callable.optional(),
      redact: Callable.optional(),
      store: withFunctions(
        ['commit', 'load'],
        'a store, such as `sqliteStore(file)` or `memoryStore()`',
      ).optional(),
      blobs: z
        .strictObject(
          {
            store: withFunctions(['put', 'get', 'erase'], 'a store, such as `sqliteBlobs(file)`'),
            above: whole(0, valueBounds.text).optional(),
            most: whole(valueBounds.text).optional(),
          },
          'must be an object, such as { store: sqliteBlobs(file) }',
        )
        .optional(),
      clock: withFunctions(['now', 'wakeAt']).optional(),
      ids: withFunctions(['uuid', 'traceId']).optional(),
      telemetry: withFunctions(['begin']).optional(),
      skew: z.number(notMilliseconds).nonnegative(notMilliseconds).optional(),
      streamSecret: z.custom(isSecret, `must be a secret of ${minSecretBytes} bytes or more`).optional(),
      limits: z.object({}).catchall(whole(0)).optional(),
      quotas: quotasSchema().optional(),
      concurrency: whole(1).optional(),
      idleTasks: whole(0).optional(),
      role: z.enum(['owner', 'guest'], 'must be owner or guest').optional(),
      takes: z.boolean('must be true or false').optional(),
    },
    'must be an object of options',
  ),
);

/** The options of a guest: those of an orchestrator, whose model it does not need. */
const guestOptionsSchema = lazily(() => optionsSchema().extend({ model: modelSchema().optional() }));

/** The options of a guard: those of an orchestrator whose model is the guard's. */
const guardOptionsSchema = lazily(() =>
  z.strictObject(
    {
      ...optionsSchema().omit({ model: true, role: true }).shape,
      agents: z.record(z.string(), Callable).optional(),
      gather: Callable.optional(),
    },
    'must be an object of options',
  ),
);

/** Members with which the others can be read, whatever they are. */
const values = /^\/(?:skew|streamSecret|limits|concurrency|idleTasks|role|takes|policy\/version)\b/;

const checked = (kind: 'orchestrator' | 'guard', schema: z.ZodType, options: unknown): readonly Issue[] => {
  const { issues = [] } = checkCode(schema, options, keysIn(schema));
  if (issues.some(({ path }) => !values.test(path))) refuseDefinition(kind, null, issues);
  return issues;
};

/** Returns the issues of values. Throws `definition_invalid` if a member is missing, misspelt or of the wrong kind. */
export const checkOptions = (options: unknown): readonly Issue[] => {
  const isGuest = isObject(options) && options['role'] === 'guest';
  return checked('orchestrator', isGuest ? guestOptionsSchema() : optionsSchema(), options);
};

/** Throws `definition_invalid` as `checkOptions` does, for a guard; an agent needs a task class of its name. */
export const checkGuardOptions = (options: {
  readonly agents?: object;
  readonly taskClasses: readonly { readonly id: string }[];
}): void => {
  checked('guard', guardOptionsSchema(), options);
  const known = options.taskClasses.map(({ id }) => id);
  const unknown = Object.keys(options.agents ?? {}).filter((name) => !known.includes(name));
  refuseDefinition(
    'guard',
    null,
    unknown.map((name) => ({
      path: pointerTo(['agents', name]),
      message: `unknown task class: expected one of ${known.join(', ')}${didYouMean(name, known)}`,
    })),
  );
};
