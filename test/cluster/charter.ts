import {
  defineTaskClass,
  defineTaskTool,
  defineVerifier,
  type CallContext,
  type DefinedTaskClass,
  type Model,
  type Tool,
  type Verifier,
} from 'agentcharter';
import { parseTool, type UnreadToolDefinition } from '../../src/base/define/tool.ts';
import { AnyInput, call, draft, plan } from '../src/core/shell/scripted.ts';
import type { Effect, Request, ToolName } from './events.ts';

/** The task classes that the outside submits; `part` is the child of `whole`. */
export const classNames = ['posting', 'shipping', 'mailing', 'paying', 'asking', 'whole'] as const;

/** Task classes whose tasks end the process that performs them: in the model, and in a verifier. */
export const poisonClasses = ['thinking', 'checking'] as const;
export type ClassName = (typeof classNames)[number] | (typeof poisonClasses)[number];

/** Milliseconds until the question of `asking` expires; no one answers it. */
export const askingDeadline = 1_500;

/** Milliseconds that a call of `mail`, and every rollback, may take. Pauses of a node are shorter: its resource cannot refuse old fences. */
export const mailDeadline = 6_000;

/** The parties of approval tokens. */
export const parties = { issuer: 'https://desk.example', audience: 'nodes' };

/** How tools reach the world. */
export interface Reach {
  readonly ask: (request: Request) => Promise<Effect['answer']>;
  /** Waits between the question whether a node may act and the act: the two are never one step. */
  readonly dawdle: () => Promise<void>;
  /** A tool that does not ask whether it may act: a planted fault. */
  readonly asksFirst: boolean;
}

type Input = Readonly<Record<string, unknown>>;

const act = async (
  { ask, dawdle, asksFirst }: Reach,
  { kind, tool }: Pick<Request, 'kind' | 'tool'>,
  { key, fence, mayAct }: Pick<CallContext, 'key' | 'fence' | 'mayAct'>,
): Promise<{ readonly did: string }> => {
  if (asksFirst && !mayAct()) throw new Error('another node holds the task');
  await dawdle();
  const answer = await ask({ kind, tool, key, fence });
  if (answer === 'refused') throw new Error('the resource saw a newer token');
  return { did: tool };
};

const writing = (reach: Reach, name: ToolName, more: Partial<UnreadToolDefinition<Input>>): Tool =>
  parseTool<Input>({
    name,
    description: `changes ${name}`,
    tier: 'write_low_risk',
    input: AnyInput,
    call: (_, context) => act(reach, { kind: 'call', tool: name }, context),
    rollback: {
      describe: (input) => ({ type: 'inverse', target: name, payload: { ...input } }),
      run: (_, context) => act(reach, { kind: 'rollback', tool: name }, context),
    },
    ...more,
  });

/** Milliseconds that a call may take whose resource refuses old fences: pauses of a node may be longer. */
const shortDeadline = 2_000;

const lookedUp = ({ ask }: Reach, tool: ToolName): Partial<UnreadToolDefinition<Input>> => ({
  doubt: 'reconcilable',
  deadline: shortDeadline,
  lookup: async (key, { fence }) => {
    const answer = await ask({ kind: 'lookup', tool, key, fence });
    if (answer === 'found') return { found: 'done', result: { did: tool } };
    return { found: answer === 'absent' ? 'absent' : 'unknown' };
  },
});

const begins = defineTaskTool({
  name: 'begin',
  description: 'has a part done',
  tier: 'write_low_risk',
  input: AnyInput,
  taskClass: 'part',
  request: (input) => ({ payload: { ...input } }),
});

/** Returns the tools of a node. */
export const toolsOf = (reach: Reach): readonly Tool[] => [
  writing(reach, 'post', { doubt: 'idempotent' }),
  writing(reach, 'ship', lookedUp(reach, 'ship')),
  writing(reach, 'pay', { ...lookedUp(reach, 'pay'), tier: 'write_high_risk' }),
  writing(reach, 'mail', { doubt: 'unsafe', deadline: mailDeadline }),
  begins,
];

/** The tool that each task class calls; `null` for none. */
const toolOf: Readonly<Record<ClassName | 'part', string | null>> = {
  posting: 'post',
  shipping: 'ship',
  mailing: 'mail',
  paying: 'pay',
  asking: null,
  thinking: null,
  checking: null,
  whole: 'begin',
  part: 'ship',
};

/** Returns the task classes of a node. */
export const taskClasses: readonly DefinedTaskClass[] = [
  ...classNames,
  ...poisonClasses,
  'part' as const,
].map((id) =>
  defineTaskClass({
    id,
    tools: [toolOf[id] ?? []].flat(),
    limits: { repairs: 0, corrections: 0, ...(id === 'thinking' && { revisions: 0 }) },
    ...(id === 'checking' && { beforeDeliver: { verifiers: ['judge'] } }),
    deadlines: { rollback: mailDeadline, ...(id === 'asking' && { question: askingDeadline }) },
  }),
);

/** Returns the verifiers of a node. `end` ends its process. */
export const verifiersOf = (end: (key: unknown) => void): readonly Verifier[] => [
  defineVerifier({
    id: 'judge',
    verify: ({ request }) => {
      end(request['of']);
      return { checks: [{ check_id: 'a', result: 'pass' }] };
    },
  }),
];

/** A model that says the same at every node. */
export const model: Model = {
  answer: async ({ asks, taskClass, request }) => {
    const tool = toolOf[taskClass as ClassName];
    if (asks !== 'plan') return draft();
    if (taskClass === 'asking') return plan([], { confidence: 0.1 });
    return plan(tool === null ? [] : [call(tool, { of: request['of'] })]);
  },
};
