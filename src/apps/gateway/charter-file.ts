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

const Local = z.strictObject({
  /** The program that is the server. It is started without a shell. */
  command: z.string().min(1),
  args: z.array(z.string()).default([]),
  /** Variables of the server, besides PATH, HOME and the like. */
  env: z.record(z.string(), Secret).default({}),
  /** Its folder, from the folder of the file. By default that folder. */
  cwd: z.string().optional(),
  /** Whether the annotations of tools that `tools` does not name choose their tiers. By default those tools are left out. */
  isTrusted: z.boolean().default(false),
});

const Remote = z.strictObject({
  /** The address of a server that speaks streamable HTTP. */
  url: z.url({ protocol: /^https?$/ }),
  headers: z.record(z.string(), Secret).default({}),
  isTrusted: z.boolean().default(false),
});

/** A person undoes it, or another tool of the server whose arguments are read from `{ arguments }` by JSON Pointer. */
const RollbackTerms = z.union([
  z.literal('person'),
  z.strictObject({ tool: z.string().min(1), arguments: z.record(z.string(), JsonPointer).default({}) }),
]);

const Client = z.strictObject({
  /** Who the client is, in every record (UAICP 5.4). */
  name: Identifier,
  /** Its bearer token for `--http`, such as `${DESK_TOKEN}`. Never the secret itself. */
  token: z
    .string()
    .regex(/^\$\{\w+\}$/, 'must name an environment variable, such as ${DESK_TOKEN}')
    .optional(),
  /** The tools that it sees, as `server.tool` or `server.*`. By default all. */
  tools: z.array(z.string()).optional(),
});

const Rule = z.strictObject({
  /** Tools, as `server.tool` or `server.*`. */
  tools: z.array(z.string()).min(1),
  verdict: z.enum(['allow', 'needs_review', 'deny']),
  /** For the person who is asked, and for the agent that is refused. */
  reason: z.string().min(1),
});

/** The schema of the file of a gateway. */
export const CharterFile = lazily(() => {
  const Contract = z.strictObject({
    /** The risk of a call (UAICP 5.3). By default `write_high_risk`, and of a trusted server what its annotations say. */
    tier: RiskTier.exactOptional(),
    rollback: RollbackTerms.exactOptional(),
    /** What to do with a call of unknown outcome: repeat it, or ask a person. */
    doubt: z.enum(['idempotent', 'unsafe']).exactOptional(),
    /** Vouches that a write that answers with an error did not happen. */
    errorMeans: z.literal('notDone').exactOptional(),
    /** Milliseconds until a call times out. */
    deadline: Duration.exactOptional(),
    /** Whether each call is made, also one with the arguments of an earlier one. */
    repeats: z.literal(true).exactOptional(),
    /** Whether the server heeds a cancellation. */
    stops: z.literal(true).exactOptional(),
    isHidden: z.literal(true).exactOptional(),
    labels: LabelsDefinition().exactOptional(),
    flows: FlowsDefinition().exactOptional(),
  });
  return z.strictObject({
    /** The servers, by the name that begins the names of their tools. */
    servers: z.record(ServerName, z.union([Local, Remote])),
    /** The contracts of tools, by `server.tool`. */
    tools: z.record(z.string(), Contract).default({}),
    /** Who is asked about writes. By default, and for tools that no rule names, a person. */
    policy: z.array(Rule).default([]),
    /** What a task that `begin` opened needs before it is concluded (UAICP 5.1). */
    beforeDeliver: requirementsSchema().pick({ evidence: true }).default({}),
    /** Who may answer. Each person has a console of their own. */
    people: z.array(Identifier).min(1).default(['operator']),
    /** The folder of the records, from the folder of the file. */
    store: z.string().min(1).default('.agentcharter'),
    /** The clients of `--http`. Over stdio the first one, or `local`, is the client. */
    clients: z.array(Client).default([]),
    /** Who answers for the clients (UAICP 5.4). */
    owner: Identifier.default('local'),
    /** What the names of the gateway's own tools begin with. */
    prefix: z
      .string()
      .regex(/^[A-Za-z0-9-]+$/, 'must have letters, digits and hyphens only')
      .default('charter'),
    limits: z
      .strictObject({
        /** The calls of a task. Then it is concluded, and the next begins. */
        calls: z.int().min(1).max(10_000).default(500),
        /** The minutes without a call after which a task is concluded. */
        idle: z.number().positive().max(1_440).default(30),
      })
      .prefault({}),
  });
});
export type CharterFile = z.infer<ReturnType<typeof CharterFile>>;
export type ServerTerms = CharterFile['servers'][string];
export type ToolTerms = CharterFile['tools'][string];
