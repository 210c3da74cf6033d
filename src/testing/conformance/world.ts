import type { RiskTier } from '../../../schema/index.ts';
import { scenarioClock, type ScenarioClock } from './clock.ts';
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

/** What is at hand when a tool answers, or something happens from outside. */
export interface Asked {
  /** The run, as it named itself when it called a tool. */
  readonly of: CallOf;
  readonly now: number;
  readonly hash: (payload: unknown) => string;
}

/** What a tool does when it is called; `held` until the scenario releases it. */
export type Answer = 'held' | 'throws' | ((asked: Asked) => ToolAnswer);

/** What a verifier says; `time` is 0 when it is asked first. */
export type Opinion = 'held' | 'throws' | ((time: number) => Findings);

/** What a scenario changes of a world in which everything is in order, and what happens in it from outside. */
export interface Setup {
  /** What the subject must have for this scenario to be played. */
  readonly needs?: readonly Capability[];
  readonly plan?: (attempt: number) => readonly ProposedCall[];
  readonly chunks?: readonly string[];
  readonly parent_trace_id?: string;
  readonly answers?: Readonly<Partial<Record<ToolName, Answer>>>;
  /** Tools that declare no rollback. */
  readonly irreversible?: readonly ToolName[];
  readonly verifiers?: Readonly<Record<string, Opinion>>;
  readonly policy?: 'allow' | 'deny' | 'throws';
  readonly beforeWrite?: Partial<Required>;
  readonly beforeDeliver?: Partial<Required>;
  readonly repairs?: number;
  /** The subject is shown envelopes when it is over. */
  readonly admits?: boolean;
  /** What happens from outside, each when the run rests. */
  readonly steps?: readonly Step[];
}

/** Lets go of what is held, or states a fact. */
export type Step = 'release' | ((asked: Asked) => Fact);

/** A scenario by its name. */
export interface ScenarioDefinition extends Setup {
  readonly id: string;
}

/** What is delivered where everything is in order. */
export const delivered: Json = { total: 100 };

/** The agent in whose name every run is made. */
export const agent = { agent_id: 'clerk', owner_id: 'acme', control_class: 'human-supervised' } as const;

/** Milliseconds. */
export const minute = 60_000;
export const hour = 60 * minute;

/** A verifier that has nothing against it. */
export const passes: Opinion = () => ({ status: 'pass', checks: [{ check_id: 'sum', result: 'pass' }] });

/** The scenario as its subject sees it, and what the kit sees of the subject. */
export interface World {
  readonly scenario: Scenario;
  readonly clock: ScenarioClock;
  readonly trace: readonly TraceStep[];
  readonly note: (happening: Happening) => void;
  readonly asked: () => Asked;
  /** Whether a tool or a verifier has been asked that does not answer. */
  readonly isHolding: () => boolean;
  readonly release: () => void;
}

/** What is held, until it is let go. */
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

/** Arguments as they were when they came: JSON, whatever the subject does with its own. */
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
      const said = typeof opinion === 'string' ? opinion : opinion(times);
      times += 1;
      note({ kind: 'verified', verifier: id, said, evidence: evidence.length });
      if (said === 'throws') throw new Error(`${id} is out of order`);
      if (said !== 'held') return said;
      await gate.hold();
      return { status: 'pass', checks: [{ check_id: 'sum', result: 'pass' }] };
    },
  };
};

const toolNames = Object.keys(tiers) as readonly ToolName[]; // the keys of a constant

/** The world of a scenario, in which everything is in order but what its setup changes. */
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
      note({ kind: 'decided', tool, said: policy });
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
