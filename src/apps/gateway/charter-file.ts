import * as z from 'zod';
import { lazily } from '../../base/boundary/lazily.ts';
import { Duration } from '../../base/define/definition.ts';
import { requirementsSchema } from '../../base/define/evidence.ts';
import { FlowsDefinition, LabelsDefinition } from '../../base/define/labels.ts';
import { Identifier, JsonPointer, RiskTier } from '../../../schema/index.ts';

/** A name that becomes a part of a tool's name for clients. */
const ServerName = z.string().regex(/^[A-Za-z0-9-]+$/, 'must have letters, digits and hyphens only');

/** A text of the file; each `${NAME}` in it is replaced by the environment variable. */
const Secret = z.string().min(1);

const passedOn = {
  resources: z
    .boolean()
    .default(false)
    .describe('Whether clients read its resources. They are neither recorded nor judged.'),
  prompts: z
    .boolean()
    .default(false)
    .describe('Whether clients get its prompts, as `server_prompt`. They are neither recorded nor judged.'),
};

const Local = z.strictObject({
  command: z.string().min(1).describe('The program that is the server. It is started without a shell.'),
  args: z.array(z.string()).default([]),
  env: z
    .record(z.string(), Secret)
    .default({})
    .describe('Variables of the server, besides PATH, HOME and the like.'),
  cwd: z.string().optional().describe('Its folder, from the folder of the file. By default that folder.'),
  isTrusted: z
    .boolean()
    .default(false)
    .describe(
      'Whether the annotations of tools that `tools` does not name choose their tiers. By default those tools are left out.',
    ),
  ...passedOn,
});

const Remote = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).describe('The address of a server that speaks streamable HTTP.'),
  headers: z.record(z.string(), Secret).default({}),
  isTrusted: z.boolean().default(false),
  ...passedOn,
});

const UndoPointer = JsonPointer.regex(
  /^\/(?:arguments|result)(?:\/|$)/,
  'must begin with /arguments or /result, such as /arguments/order',
);

/** A person undoes it, or another tool of the server whose arguments are read from `{ arguments, result }` by JSON Pointer. */
const RollbackTerms = z.union([
  z.literal('person'),
  z.strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), UndoPointer).default({}) }),
]);

const Client = z.strictObject({
  name: Identifier.describe('Who the client is, in every record (UAICP 5.4).'),
  token: z
    .string()
    .regex(/^\$\{\w+\}$/, 'must name an environment variable, such as ${DESK_TOKEN}')
    .optional()
    .describe('Its bearer token for `--http`, such as `${DESK_TOKEN}`. Never the secret itself.'),
  subject: Identifier.optional().describe('Whom the tokens of `authorization` are for that are this client.'),
  asks: Identifier.optional().describe(
    'The person of `people` who sits at it, and is asked there. By default no one: its program could answer for them.',
  ),
  tools: z
    .array(z.string())
    .optional()
    .describe('The tools that it sees, as `server.tool` or `server.*`. By default all.'),
});

/** Keys over HTTP come from this machine only: another could put its own in their place. */
const KeysUrl = z
  .url({ protocol: /^https?$/ })
  .regex(
    /^https:|^http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])[:/]/,
    'must begin with https://, or be of this machine',
  );

const Authorization = z.strictObject({
  issuer: z
    .url({ protocol: /^https?$/ })
    .describe('The authorization server, as its tokens name it (`iss`).'),
  jwks: KeysUrl.describe('The address of its keys, a JSON Web Key Set.'),
  audience: z.string().min(1).describe('What tokens for this gateway are for (`aud`).'),
  claim: z.string().min(1).default('sub').describe('The claim of tokens that is the `subject` of a client.'),
});

const Rule = z.strictObject({
  tools: z.array(z.string()).min(1).describe('Tools, as `server.tool` or `server.*`.'),
  verdict: z.enum(['allow', 'needs_review', 'deny']),
  reason: z.string().min(1).describe('For the person who is asked, and for the agent that is refused.'),
});

const PolicyFile = z
  .strictObject({
    cedar: z
      .string()
      .min(1)
      .exactOptional()
      .describe("A file of policies in Cedar's language, from the folder of the file."),
    module: z
      .string()
      .min(1)
      .exactOptional()
      .describe('A module whose default export is a policy, from the folder of the file.'),
  })
  .refine((named) => Object.keys(named).length === 1, 'must have one of `cedar` and `module`')
  .meta({ minProperties: 1, maxProperties: 1 });

/** The schema of the file of a gateway. */
export const CharterFile = lazily(() => {
  const Contract = z.strictObject({
    tier: RiskTier.exactOptional().describe(
      'The risk of a call (UAICP 5.3). By default `write_high_risk`, and of a trusted server what its annotations say.',
    ),
    rollback: RollbackTerms.exactOptional(),
    doubt: z
      .enum(['idempotent', 'unsafe'])
      .exactOptional()
      .describe('What to do with a call of unknown outcome: repeat it, or ask a person.'),
    errorMeans: z
      .literal('notDone')
      .exactOptional()
      .describe('Vouches that a write that answers with an error did not happen.'),
    deadline: Duration.exactOptional().describe('Milliseconds until a call times out.'),
    repeats: z
      .literal(true)
      .exactOptional()
      .describe('Whether each call is made, also one with the arguments of an earlier one.'),
    stops: z.literal(true).exactOptional().describe('Whether the server heeds a cancellation.'),
    isHidden: z.literal(true).exactOptional(),
    labels: LabelsDefinition().exactOptional(),
    flows: FlowsDefinition().exactOptional(),
  });
  return z.strictObject({
    servers: z
      .record(ServerName, z.union([Local, Remote]))
      .describe('The servers, by the name that begins the names of their tools.'),
    tools: z.record(z.string(), Contract).default({}).describe('The contracts of tools, by `server.tool`.'),
    policy: z
      .union([z.array(Rule), PolicyFile])
      .default([])
      .describe('Who is asked about writes. By default, and for tools that no rule names, a person.'),
    beforeDeliver: requirementsSchema()
      .pick({ evidence: true })
      .default({})
      .describe('What a task that `begin` opened needs before it is concluded (UAICP 5.1).'),
    people: z
      .array(Identifier)
      .min(1)
      .default(['operator'])
      .describe('Who may answer. Each person has a console of their own.'),
    store: z
      .string()
      .min(1)
      .default('.agentcharter')
      .describe('The folder of the records, from the folder of the file.'),
    clients: z
      .array(Client)
      .default([])
      .describe('The clients of `--http`. Over stdio the first one, or `local`, is the client.'),
    authorization: Authorization.optional().describe(
      'Who issues tokens for clients of `--http` that have a `subject`. By default, clients have tokens of their own only.',
    ),
    owner: Identifier.default('local').describe('Who answers for the clients (UAICP 5.4).'),
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'must have letters, digits and hyphens only')
      .default('charter')
      .describe("What the names of the gateway's own tools begin with."),
    limits: z
      .strictObject({
        calls: z
          .int()
          .min(1)
          .max(10_000)
          .default(100)
          .describe(
            'The calls of a task. Then it is concluded, and the next begins. In one that the client began, a person is asked after ten times as many.',
          ),
        idle: z
          .number()
          .positive()
          .max(1_440)
          .default(30)
          .describe('The minutes without a call after which a task is concluded.'),
      })
      .prefault({}),
  });
});
export type CharterFile = z.infer<ReturnType<typeof CharterFile>>;

type Terms = Pick<CharterFile, 'policy'>;

/** Returns the rules of a file; none of one whose policy is elsewhere. */
export const rulesIn = ({ policy }: Terms) => (Array.isArray(policy) ? policy : []);

/** Returns the file of a policy that is elsewhere, and the member that names it; `null` for rules in the file itself. */
export const policyFileIn = ({ policy }: Terms) => {
  if (Array.isArray(policy)) return null;
  const { cedar, module } = policy;
  if (cedar !== undefined) return { member: 'cedar', path: cedar } as const;
  return module === undefined ? null : ({ member: 'module', path: module } as const);
};

export type ServerTerms = CharterFile['servers'][string];
export type ToolTerms = CharterFile['tools'][string];
