import type { CallContext } from '../../../../src/index.ts';
import { fails, passes, type Given } from './scene.ts';
import { call, draft, plan, readTool, writeTool } from './scripted.ts';
import { settle } from './simulated-clock.ts';

/** Makes every random choice in order; when the numbers run out, it always takes the mildest choice. */
export const fate = (numbers: readonly number[]) => {
  let at = 0;
  return {
    isTired: () => at >= numbers.length,
    among: <Choice>(choices: readonly [Choice, ...Choice[]]): Choice =>
      choices[(numbers[at++] ?? 0) % choices.length] ?? choices[0],
  };
};
export type Fate = ReturnType<typeof fate>;

/** Repeats a choice, to make it more likely. */
const usually = <Choice>(times: number, choice: Choice): readonly [Choice, ...Choice[]] => [
  choice,
  ...Array.from({ length: times - 1 }, () => choice),
];

export interface Effect {
  readonly tool: string;
  readonly key: string;
}

/** Tools with random behavior, and the effects that they had. */
export const world = ({ among }: Fate) => {
  const effects: Effect[] = [];
  const hanging: (() => void)[] = [];
  const temper =
    (tool: string, isWrite: boolean) =>
    async (_: unknown, { key, notYet, notDone, needsHuman, met, answer }: CallContext): Promise<unknown> => {
      const act = (): unknown => {
        if (isWrite) effects.push({ tool, key });
        return { tool };
      };
      switch (
        among([
          ...usually(10, 'act' as const),
          'throw',
          'lose',
          'refuse',
          'wait',
          'ask',
          'hang',
          'late',
          'junk',
          'turns',
        ])
      ) {
        case 'act':
          return act();
        case 'throw':
          throw new Error('connection reset');
        case 'lose':
          act();
          throw new Error('answer lost');
        case 'refuse':
          return notDone('no');
        case 'wait':
          return met === null
            ? notYet({ dependency: `${tool} of ${key}`, agent: 'scout', explanation: '' })
            : act();
        case 'ask':
          return answer === null ? needsHuman({ explanation: 'Which?' }) : act();
        case 'hang':
          return new Promise(() => {});
        case 'late':
          await new Promise<void>((resolve) => hanging.push(resolve));
          return act();
        case 'junk':
          act();
          return new Map();
        default:
          await settle();
          return act();
      }
    };
  const rollback = {
    describe: () => ({ type: 'inverse', target: 'it', payload: {} }),
    run: async () => {
      if (among([true, true, false])) return null;
      throw new Error('gone');
    },
  };
  return {
    effects,
    finish: () => hanging.splice(0).forEach((resolve) => resolve()),
    tools: [
      readTool('read', { call: temper('read', false) }),
      readTool('look', { call: temper('look', false) }),
      writeTool('low', { call: temper('low', true), rollback }),
      writeTool('high', { call: temper('high', true), rollback, tier: 'write_high_risk' }),
      { ...writeTool('once', { call: temper('once', true) }), rollback: null },
    ],
  };
};

const someCalls = ({ among }: Fate) =>
  Array.from({ length: among([2, 0, 1, 3]) }, () =>
    call(among(['read', 'low', 'high', 'look', 'once']), { amount: among([1, 1, 2]) }),
  );

export const modelOf =
  (choices: Fate) =>
  ({ asks }: { readonly asks: string }): unknown => {
    const { among } = choices;
    const confidence = among([0.9, 0.9, 0.9, 0.1]);
    const output = (): unknown => {
      if (asks === 'draft' && among([false, false, false, true]))
        return { canProceed: true, confidence: 0.9, calls: someCalls(choices), explanation: '' };
      return asks === 'draft'
        ? draft({ n: among([1, 2]) }, { confidence })
        : plan(someCalls(choices), { confidence });
    };
    switch (among([...usually(40, 'output' as const), 'junk', 'throw', 'hang', 'missing', 'choice'])) {
      case 'output':
        return asks === 'correction'
          ? { choice: 'fixed', output: among<unknown>([plan(someCalls(choices)), draft()]), explanation: '' }
          : output();
      case 'junk':
        return among([undefined, 'text', plan([call('nothing')]), { ...draft(), state: 'deliver' }]);
      case 'throw':
        throw new Error('rate limit');
      case 'hang':
        return new Promise(() => {});
      case 'missing':
        return plan([], { canProceed: false, missing: { constructor: 'a field' } });
      default:
        return { choice: among(['needHuman', 'beyondCapability']), explanation: 'because' };
    }
  };

/** A policy's verdict, mostly allow. */
export const decisionOf = ({ among }: Fate): unknown =>
  among<unknown>([
    ...usually(8, { verdict: 'allow', reasons: [] }),
    { verdict: 'needs_review', reasons: [] },
    { verdict: 'needs_review', reasons: [] },
    { verdict: 'deny', reasons: [] },
    new Promise(() => {}),
    'sure',
  ]);

const breaks = (): never => {
  throw new Error('down');
};

/** A verifier with random behavior. */
export const verifierOf =
  ({ among }: Fate): NonNullable<Given['verifiers']>[string] =>
  (subject, signal) =>
    among([...usually(8, passes), fails, breaks, () => ({ checks: [] }), () => new Promise<never>(() => {})])(
      subject,
      signal,
    );
