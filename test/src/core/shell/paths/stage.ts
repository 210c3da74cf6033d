import {
  createOrchestrator,
  defineTaskClass,
  defineVerifier,
  type Acceptance,
  type CallContext,
  type DefinedTaskClass,
  type Findings,
  type Store,
  type TaskClassDefinition,
  type Tool,
  type Turn,
  type Verifier,
} from 'agentcharter';
import type { Grant } from 'agentcharter/approvals';
import type { PolicyDecision } from 'agentcharter/policies';
import type { Step } from 'agentcharter/stores';
import {
  clausesOf,
  type DeadlineOf,
  type Fact,
  type ProposedCall,
  type Requirements,
} from 'agentcharter/machines';
import { memoryStore } from 'agentcharter/stores/memory';
import type { World } from 'agentcharter/testing';
import * as z from 'zod';
import { parseTool } from '../../../../../src/base/define/tool.ts';
import { later } from '../scripted.ts';
import { simulatedClock } from '../simulated-clock.ts';

const required = ({ evidence = [], verifiers = [] }: Partial<Requirements> = {}) => ({
  evidence: evidence
    .flatMap(clausesOf)
    .map(({ type, tool }) => ({ type, ...(tool !== undefined && { tool }) })),
  verifiers,
});

/** Returns the contract of a world as its author would write it. */
export const definitionOf = ({ taskClass, ...world }: World): TaskClassDefinition => {
  const { defaults = [], followup = false, tools: _, host: _host, ...given } = taskClass;
  const { beforeWrite, beforeDeliver, ...rest } = given;
  return {
    id: 'class',
    atLimit: 'stop',
    tools: [...new Set(callsOf({ taskClass, ...world }).map(({ tool }) => tool))],
    ...rest,
    beforeWrite: required(beforeWrite),
    beforeDeliver: required(beforeDeliver),
    defaults: {
      ...(defaults.includes('information') && { information: { where: 'here' } }),
      ...(defaults.includes('tool') && { tool: { which: 'this' } }),
      ...(defaults.includes('approval') && { approval: 'refuse' }),
    },
    ...(followup && { followup: () => ({ explanation: '', payload: {}, byDefault: {} }) }),
  };
};

const callsOf = ({ plans, further = [], edited }: World): readonly ProposedCall[] => [
  ...plans.flat(),
  ...further,
  ...(edited === undefined ? [] : [edited]),
];

/** Decides what no one is asked about: the next fact, and how long each deadline runs. */
interface Fate {
  readonly next: () => Fact | undefined;
  readonly lengthOf: (of: DeadlineOf, now: number) => number;
  readonly endOf: (of: DeadlineOf, id: string) => number;
  /** Called with each step before it is written. */
  readonly onStep: (step: Step) => void;
}

type Later<Value> = ReturnType<typeof later<Value>>;

/** The open requests of an orchestrator; of several of one kind, the latest. */
interface Asked {
  acceptance: Later<Acceptance> | undefined;
  turn: { readonly asks: Turn['asks']; readonly answer: Later<unknown> } | undefined;
  /** Keyed by action. */
  readonly decisions: Map<string, Later<PolicyDecision>>;
  /** Keyed by the run's call id. */
  readonly calls: Map<string, { readonly context: CallContext; readonly answer: Later<unknown> }>;
  /** Keyed by verifier and subject. */
  readonly reports: Map<string, Later<Findings>>;
  /** Keyed by the run's action digest. */
  readonly rollbacks: Map<string, Later<unknown>>;
}

const awaited = <Key, Value>(answers: Map<Key, Later<Value>>, key: Key): Promise<Value> => {
  const answer = later<Value>();
  answers.set(key, answer);
  return answer.promise;
};

const Arguments = z.strictObject({ action: z.string() });

const toolOf = (
  { tool: name, tier, rollback }: ProposedCall,
  { calls, rollbacks }: Asked,
  length: () => number,
): Tool => {
  const tool = parseTool({
    name,
    description: '',
    tier,
    input: Arguments,
    call: (_, context: CallContext) => {
      const answer = later();
      calls.set(context.call, { context, answer });
      return answer.promise;
    },
    ...((rollback || tier === 'write_high_risk') && {
      rollback: {
        // a high-risk tool must declare a rollback; in a world without one, it does nothing
        describe: (input: z.infer<typeof Arguments>) => ({
          type: rollback ? 'inverse' : '',
          target: name,
          payload: input,
        }),
        run: (_, { key }) => awaited(rollbacks, key.slice('rollback:'.length)),
      },
    }),
  });
  return Object.freeze({
    ...tool,
    rollback: tool.rollback && Object.freeze({ ...tool.rollback }),
    get deadline() {
      return length();
    },
  });
};

const verifierOf = (id: string, { reports }: Asked, length: () => number): Verifier =>
  Object.freeze({
    ...defineVerifier({ id, verify: ({ digest }) => awaited(reports, `${digest} ${id}`) }),
    get deadline() {
      return length();
    },
  });

// an orchestrator uses a frozen task class as it is, so these getters set each deadline when it begins

/** A task class whose deadlines are as long as the timetable wants. */
const timed = (defined: DefinedTaskClass, length: (of: DeadlineOf) => number): DefinedTaskClass =>
  Object.freeze({
    ...defined,
    deadlines: new Proxy({ ...defined.deadlines }, { get: (_, of) => length(of as DeadlineOf) }),
    get maxAge() {
      return length('evidence');
    },
  });

const century = Date.parse('2126-01-01T00:00:00Z');
const expired = { refused: 'APPROVAL_EXPIRED', explanation: '' } as const;

/** Grants for tokens: of several for one action, the first expires when the timetable wants, and the others last. */
const grantsUntil = (end: (action: string) => number) => {
  const held = new Map<string, Grant & { readonly action: string }>();
  const withdrawn = new Set<string>();
  const give = (token: string, action: string): Grant => {
    const [approver = ''] = token.split(' ');
    const until = end(action);
    const others = [...held.values()].filter((one) => one.action === action && !withdrawn.has(one.jti));
    const expiresAt = others.some((one) => one.expiresAt === until) ? century : until;
    const grant = { approver, jti: token.replace(' ', '-'), expiresAt };
    held.set(token, { ...grant, action });
    return grant;
  };
  return {
    verify: (token: string, action: string, now: number): Grant | typeof expired => {
      const { approver, jti, expiresAt } = held.get(token) ?? give(token, action);
      return expiresAt <= now || withdrawn.has(jti) ? expired : { approver, jti, expiresAt };
    },
    /** Revokes the approval of this action. */
    withdraw: (action: string): typeof expired => {
      for (const { action: of, jti } of held.values()) if (of === action) withdrawn.add(jti);
      return expired;
    },
  };
};

/** Creates an orchestrator in a world that does nothing until told. */
export const stageIn = (world: World, { next, lengthOf, endOf, onStep }: Fate, start: number) => {
  const clock = simulatedClock(start);
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    commit: (step) => {
      onStep(step);
      return inner.commit(step);
    },
  };
  const asked: Asked = {
    acceptance: undefined,
    turn: undefined,
    decisions: new Map(),
    calls: new Map(),
    reports: new Map(),
    rollbacks: new Map(),
  };
  let isBound = false;
  /** The next reading limits an answer and is no deadline of the path. */
  const bound = (): void => {
    isBound = true;
  };
  const length = (of: DeadlineOf): number => {
    const isNone = isBound && of === 'policy';
    if (isNone) isBound = false;
    return isNone ? 1_000_000 : lengthOf(of, clock.now());
  };
  const grants = grantsUntil((action) => endOf('approval', action));
  const definition = definitionOf(world);
  const { beforeWrite, beforeDeliver } = world.taskClass;
  const defined = defineTaskClass({
    ...definition,
    accept: () => (asked.acceptance = later<Acceptance>()).promise,
    ...(definition.followup && {
      followup: () => {
        if (next()?.type === 'followup.offered') return { explanation: '', payload: {}, byDefault: {} };
        throw new Error('there is nothing to offer');
      },
    }),
  });
  const orchestrator = createOrchestrator({
    taskClasses: [timed(defined, length)],
    model: {
      answer: ({ asks }) => {
        asked.turn = { asks, answer: later() };
        return asked.turn.answer.promise;
      },
    },
    tools: [...new Map(callsOf(world).map((call) => [call.tool, call])).values()].map((call) =>
      toolOf(call, asked, () => length('call')),
    ),
    verifiers: [...new Set([...(beforeWrite?.verifiers ?? []), ...(beforeDeliver?.verifiers ?? [])])].map(
      (id) => verifierOf(id, asked, () => length('verifier')),
    ),
    policy: {
      version: '1',
      decide: (request) =>
        next()?.type === 'call.cleared'
          ? { verdict: 'allow', reasons: [], authority: 'scanner' } // asked once more, where the write begins
          : awaited(asked.decisions, Arguments.parse(request.arguments).action),
    },
    approvals: {
      verify: async (token, { action_digest }, now) => {
        bound();
        return next()?.type === 'call.refused'
          ? grants.withdraw(action_digest)
          : grants.verify(token, action_digest, now);
      },
    },
    attest: () => {
      if (next()?.type === 'call.cleared') bound();
      return 'none';
    },
    store,
    clock,
  });
  return { orchestrator, asked, clock };
};

export type Stage = ReturnType<typeof stageIn>;
