import type { RiskTier } from '../../../schema/index.ts';
import { scenarioClock, type ScenarioClock } from '../clock.ts';
import { happenings, type Happening, type TraceStep } from './seen.ts';
import type {
  CallOf,
  Capability,
  Fact,
  Findings,
  Json,
  ProposedCall,
  Required,
  Scenario,
  ScenarioTool,
  ScenarioVerifier,
  ToolAnswer,
} from './subject.ts';

/** The kit's tools, and their tiers. */
const tiers = {
  'ledger.read': 'read_only',
  'rates.read': 'read_only',
  'note.add': 'write_low_risk',
  'money.send': 'write_high_risk',
} as const satisfies Record<string, RiskTier>;
type ToolName = keyof typeof tiers;

/** What is available when a tool answers or a step runs. */
export interface Asked {
  /** The ids of the run, from a tool call. */
  readonly of: CallOf;
  readonly now: number;
  readonly hash: (payload: unknown) => string;
}

/** How a tool answers; `held` until the scenario releases it. */
export type Answer = 'held' | 'throws' | ((asked: Asked) => ToolAnswer);

/** How a verifier answers; `time` is 0 for the first call. */
export type Opinion = 'held' | 'throws' | ((time: number) => Findings);

/** The deviations of a scenario from a regular world, and its external events. */
export interface Setup {
  /** The capabilities that this scenario needs. */
  readonly needs?: readonly Capability[];
  readonly plan?: (attempt: number) => readonly ProposedCall[];
  readonly chunks?: readonly string[];
  readonly parent_trace_id?: string;
  readonly answers?: Readonly<Partial<Record<ToolName, Answer>>>;
  /** Tools without a rollback. */
  readonly irreversible?: readonly ToolName[];
  readonly verifiers?: Readonly<Record<string, Opinion>>;
  readonly policy?: 'allow' | 'deny' | 'throws';
  readonly beforeWrite?: Partial<Required>;
  readonly beforeDeliver?: Partial<Required>;
  readonly repairs?: number;
  /** Whether the subject receives envelopes at the end. */
  readonly admits?: boolean;
  /** External events, each after the run has rested. */
  readonly steps?: readonly Step[];
}

/** Releases held calls, or submits a fact. */
export type Step = 'release' | ((asked: Asked) => Fact);

/** A named scenario. */
export interface ScenarioDefinition extends Setup {
  readonly id: string;
}

/** The payload of a regular run. */
export const delivered: Json = { total: 100 };

/** The agent of every run. */
export const agent = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** Milliseconds. */
export const minute = 60_000;
export const hour = 60 * minute;

/** A verifier that passes. */
export const passes: Opinion = () => ({ status: 'pass', checks: [{ check_id: 'sum', result: 'pass' }] });

/** The scenario for its subject, and the kit's observations. */
export interface World {
  readonly scenario: Scenario;
  readonly clock: ScenarioClock;
  readonly trace: readonly TraceStep[];
  readonly note: (happening: Happening) => void;
  readonly asked: () => Asked;
  /** Returns whether a held tool or verifier call is pending. */
  readonly isHolding: () => boolean;
  readonly release: () => void;
}

/** Creates a gate that holds calls until it is released. */
const createGate = () => {
  const waiting = new Set<() => void>();
  return {
    isHolding: () => waiting.size > 0,
    hold: () => new Promise<void>((resolve) => void waiting.add(resolve)),
    release: () => {
      for (const resolve of waiting) resolve();
      waiting.clear();
    },
  };
};
type Gate = ReturnType<typeof createGate>;

interface Making {
  readonly setup: ScenarioDefinition;
  readonly clock: ScenarioClock;
  readonly gate: Gate;
  readonly note: World['note'];
  readonly hash: Asked['hash'];
}

/** Returns a JSON copy of the arguments, so that later changes have no effect. */
const plainCopy = (input: object): Json => JSON.parse(JSON.stringify(input)) as Json; // an object stays one

const plainAnswer: Answer = () => ({ kind: 'result', payload: delivered });

const rollbackOf = (name: ToolName, { setup, note }: Making): ScenarioTool['rollback'] =>
  tiers[name] === 'read_only' || setup.irreversible?.includes(name) === true
    ? null
    : {
        describe: (input) => ({ type: `${name}.undo`, target: name, payload: { ...input } }),
        run: async ({ payload }) => {
          const input = typeof payload === 'object' ? payload : {};
          note({ kind: 'undone', tool: name, arguments: plainCopy(input) });
        },
      };

const toolOf = (name: ToolName, making: Making): ScenarioTool => ({
  name,
  tier: tiers[name],
  rollback: rollbackOf(name, making),
  call: async (input, { request_id, trace_id }) => {
    const { setup, clock, gate, note, hash } = making;
    note({ kind: 'called', tool: name, arguments: plainCopy(input), request_id, trace_id });
    const answer = setup.answers?.[name] ?? plainAnswer;
    if (answer === 'held') await gate.hold();
    if (answer === 'throws') {
      note({ kind: 'failed', tool: name });
      throw new Error(`${name} is out of order`);
    }
    const make = answer === 'held' ? plainAnswer : answer;
    const made = make({ of: { request_id, trace_id }, now: clock.now(), hash });
    note({ kind: 'answered', tool: name, evidence: made.kind === 'evidence' ? made.evidence : null });
    return made;
  },
});

const verifierOf = (id: string, opinion: Opinion, { gate, note }: Making): ScenarioVerifier => {
  let times = 0;
  return {
    id,
    verify: async ({ evidence }) => {
      const findings = typeof opinion === 'string' ? opinion : opinion(times);
      times += 1;
      note({ kind: 'verified', verifier: id, reported: findings, evidence: evidence.length });
      if (findings === 'throws') throw new Error(`${id} is out of order`);
      if (findings !== 'held') return findings;
      await gate.hold();
      return { status: 'pass', checks: [{ check_id: 'sum', result: 'pass' }] };
    },
  };
};

const toolNames = Object.keys(tiers) as readonly ToolName[]; // the keys of a constant

/** Creates the world of a scenario: a regular world with the deviations of its setup. */
export const createWorld = (setup: ScenarioDefinition, hash: Asked['hash']): World => {
  const clock = scenarioClock();
  const gate = createGate();
  const trace: TraceStep[] = [];
  const note = (happening: Happening): void => {
    trace.push({ at: new Date(clock.now()).toISOString(), ...happening });
  };
  const making: Making = { setup, clock, gate, note, hash };
  const { verifiers = { totals: passes }, policy = 'allow' } = setup;
  const scenario: Scenario = {
    id: setup.id,
    request: {
      payload: { wanted: 'the total' },
      explanation: 'What is the total?',
      identity: agent,
      parent_trace_id: setup.parent_trace_id ?? null,
    },
    clock,
    plan: async (attempt) => {
      note({ kind: 'planned', attempt });
      return setup.plan?.(attempt) ?? [{ tool: 'ledger.read', arguments: {} }];
    },
    draft: async (attempt) => {
      note({ kind: 'drafted', attempt });
      return { payload: delivered, chunks: setup.chunks ?? [] };
    },
    tools: toolNames.map((name) => toolOf(name, making)),
    verifiers: Object.entries(verifiers).map(([id, opinion]) => verifierOf(id, opinion, making)),
    policy: async ({ tool }) => {
      note({ kind: 'decided', tool, verdict: policy });
      if (policy === 'throws') throw new Error('the policy is out of order');
      return policy;
    },
    requires: {
      beforeWrite: { evidence: [], verifiers: [], ...setup.beforeWrite },
      beforeDeliver: { evidence: ['ledger.read'], verifiers: ['totals'], ...setup.beforeDeliver },
    },
    repairs: setup.repairs ?? 0,
    maxAge: hour,
    deadlines: { call: minute, verifier: minute },
  };
  const asked = (): Asked => {
    const { request_id = '', trace_id = '' } = happenings({ trace }, 'called').at(-1) ?? {};
    return { of: { request_id, trace_id }, now: clock.now(), hash };
  };
  return { scenario, clock, trace, note, asked, isHolding: gate.isHolding, release: gate.release };
};
