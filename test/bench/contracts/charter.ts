import type { Flows, Labels } from 'agentcharter/origins';
import type { z } from 'zod';

/** A tool of a suite, as its charter declares it. */
export interface ToolCharter {
  readonly input: z.ZodType<Readonly<Record<string, unknown>>>;
  /** The tier where tiers are the only protection. */
  readonly tier: 'read_only' | 'write_low_risk' | 'write_high_risk';
  /** The tier where flows protect the arguments as well; `tier` by default. */
  readonly tierWithFlows?: 'read_only' | 'write_low_risk' | 'write_high_risk';
  /** The labels of its result, by patterns of JSON Pointers. A tool without labels is untrusted. */
  readonly labels?: Labels;
  /** Where its arguments may come from, by patterns of JSON Pointers. */
  readonly flows?: Flows;
}

/** The contract of a suite: its tools, and its task class. */
export interface Charter {
  readonly tools: Readonly<Record<string, ToolCharter>>;
  /** What happens to a call whose flow is forbidden; the arm "+ refusing" refuses it in every suite. */
  readonly flows: 'ask';
}
