import { deriveContext, mediate } from 'agentcharter/semantics';
import { nameEquality, nameSimilarity, type Method, type Proposal } from './baselines.ts';
import type { Pair } from './pairs/pair.ts';
import { units } from './units.ts';

/** How a method does on some pairs. */
export interface Figures {
  readonly pairs: number;
  /** Values of targets that have a right source. */
  readonly wanted: number;
  readonly right: number;
  readonly wrong: number;
  /** Pairs of which a mapping is presented as safe: all right, or with something wrong in it, or missing. */
  readonly safe: number;
  readonly unsafe: readonly string[];
  /** Right sources that stand first, or at all, among what a person is asked. */
  readonly first: number;
  readonly asked: number;
}

interface Offer extends Proposal {
  /** What a person is asked: the sources of a target's path, ranked. */
  readonly asks: ReadonlyMap<string, readonly string[]>;
}

const contextsOf = ({ source, target, prefixes }: Pair) => {
  const hints = prefixes === undefined ? {} : { prefixes };
  return [deriveContext(source, hints), deriveContext(target, hints)] as const;
};

const ours = (pair: Pair): Offer => {
  const mediation = mediate(...contextsOf(pair), { units });
  return {
    links: mediation.links,
    isComplete: mediation.outcome === 'mapping',
    asks: new Map(
      mediation.choices.map(({ to, alternatives }) => [to, alternatives.map(({ from }) => from)]),
    ),
  };
};

/** What mediation says of a pair as a whole. */
export const outcomeOf = (pair: Pair): string => mediate(...contextsOf(pair), { units }).outcome;

const baseline =
  (method: Method) =>
  (pair: Pair): Offer => ({ ...method(...contextsOf(pair)), asks: new Map() });

export const methods = {
  mediate: ours,
  'equal names': baseline(nameEquality),
  'similar names': baseline(nameSimilarity),
} as const;

export function figuresOf(pairs: readonly Pair[], method: (pair: Pair) => Offer): Figures {
  const seen = pairs.map((pair) => {
    const { links, isComplete, asks } = method(pair);
    const isRight = ({ from, to }: { from: string; to: string }): boolean => pair.right[to] === from;
    const right = links.filter(isRight).length;
    const open = Object.entries(pair.right).filter(([to]) => !links.some((link) => link.to === to));
    return {
      name: pair.name,
      wanted: Object.keys(pair.right).length,
      right,
      wrong: links.length - right,
      isSafe: isComplete,
      isUnsafe: isComplete && (right < links.length || pair.expects !== 'mapping'),
      first: open.filter(([to, from]) => asks.get(to)?.[0] === from).length,
      asked: open.filter(([to, from]) => asks.get(to)?.includes(from) === true).length,
    };
  });
  const sum = (of: (one: (typeof seen)[number]) => number): number =>
    seen.reduce((total, one) => total + of(one), 0);
  return {
    pairs: pairs.length,
    wanted: sum(({ wanted }) => wanted),
    right: sum(({ right }) => right),
    wrong: sum(({ wrong }) => wrong),
    safe: sum(({ isSafe }) => Number(isSafe)),
    unsafe: seen.flatMap(({ name, isUnsafe }) => (isUnsafe ? [name] : [])),
    first: sum(({ first }) => first),
    asked: sum(({ asked }) => asked),
  };
}
