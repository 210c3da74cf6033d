import type { CallContext, Found, Tool } from 'agentcharter';
import type { RiskTier } from 'agentcharter/schema';
import { parseTool } from '../../src/base/define/tool.ts';
import { AnyInput } from '../src/core/shell/scripted.ts';
import type { Asking } from './clearance.ts';
import type { Life } from './life.ts';
import type { Declaration, Effect, Backend } from './backend.ts';

type Input = Readonly<Record<string, unknown>>;

/** What a tool stands in: a process that may die, and a world that does not. */
export interface Site {
  readonly life: Life;
  readonly backend: Backend;
  /** What its tools say of effects in doubt, and what is true of them. */
  readonly says: { readonly call: Declaration; readonly rollback: Declaration };
  /** Told before a tool is called, or a rollback run. */
  readonly watch: (asking: Asking) => void;
}

interface Wanted {
  readonly tier?: RiskTier;
  readonly takes?: number;
  readonly deadline?: number;
  /** Of this the first answer is lost: it happened all the same. */
  readonly isLost?: 'call' | 'rollback';
  /** What it says instead of doing anything. */
  readonly first?: (context: CallContext) => unknown;
}

const doubtOf = (says: Declaration) => (says === 'unsure' ? 'reconcilable' : says);

export const reading = ({ life, watch }: Site, name: string, { takes = 0, first }: Wanted = {}): Tool =>
  parseTool({
    name,
    description: `reads ${name}`,
    tier: 'read_only',
    input: AnyInput,
    call: async (_input, context) => {
      watch({ kind: 'call', key: context.key, tier: 'read_only' });
      return life.touch('call', name, async () => {
        if (takes > 0) await life.sleep(takes);
        return first?.(context) ?? { read: name, met: context.met, answer: context.answer?.content ?? null };
      });
    },
  });

export const writing = (
  { life, backend, says, watch }: Site,
  name: string,
  { tier = 'write_low_risk', takes = 0, deadline, first, isLost }: Wanted = {},
): Tool => {
  const actionOf = (input: unknown): string => `${name} ${JSON.stringify(input)}`;
  const act = (effect: Effect, says: Declaration): unknown => {
    const isFirst = !backend.asked.some(({ key }) => key === effect.key);
    const result = backend.act(effect, says === 'idempotent');
    if (isFirst && isLost === effect.kind) throw new Error('the answer was lost');
    return result;
  };
  const lookup = (says: Declaration, kind: 'call' | 'rollback') => (key: string) =>
    life.touch('lookup', `${kind} ${name}`, (): Found => {
      if (says === 'unsure') return { found: 'unknown' };
      const effect = backend.done.find((one) => one.key === key);
      return effect === undefined
        ? { found: 'absent' }
        : { found: 'done', result: { did: effect.action, met: null, answer: null } };
    });
  return parseTool<Input>({
    name,
    description: `writes ${name}`,
    tier,
    ...(deadline !== undefined && { deadline }),
    input: AnyInput,
    call: async (input, context) => {
      watch({ kind: 'call', key: context.key, tier });
      return life.touch('call', name, async () => {
        backend.begun.add(name);
        if (takes > 0) await life.sleep(takes);
        const { key } = context;
        const effect = { kind: 'call', tool: name, key, action: actionOf(input) } as const;
        return first?.(context) ?? act(effect, says.call);
      });
    },
    doubt: doubtOf(says.call),
    ...(doubtOf(says.call) === 'reconcilable' && { lookup: lookup(says.call, 'call') }),
    rollback: {
      describe: (input) => ({ type: 'inverse', target: name, payload: { of: { ...input } } }),
      run: async ({ payload }, { key }) => {
        watch({ kind: 'rollback', key, tier });
        return life.touch('rollback', name, () => {
          const effect = { kind: 'rollback', tool: name, key, action: `un${actionOf(payload)}` } as const;
          return act(effect, says.rollback);
        });
      },
      doubt: doubtOf(says.rollback),
      ...(doubtOf(says.rollback) === 'reconcilable' && { lookup: lookup(says.rollback, 'rollback') }),
    },
  });
};
