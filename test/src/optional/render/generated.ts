import * as fc from 'fast-check';
import { and, assign, not, or, raise, stateIn } from 'xstate';
import { hostile } from './machines.ts';

type Config = Readonly<Record<string, unknown>>;

const name = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.constantFrom('go', 'stop', 'tick', 'a.b', 'constructor', 'always', '*', 'go.*', hostile),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }) },
);
const plain = fc.jsonValue({ maxDepth: 2 });

const guard = fc.oneof(
  name,
  fc.record({ type: name, params: fc.dictionary(fc.string({ maxLength: 4 }), plain, { maxKeys: 2 }) }),
  fc.record({ type: name }),
  fc.constantFrom<unknown>(
    () => true,
    and(['a', not('b')]),
    or([and(['a', 'b']), () => false]),
    stateIn({ a: 'b' }),
  ),
);
const action = fc.oneof(
  name,
  fc.record({ type: name, params: fc.dictionary(fc.string({ maxLength: 4 }), plain, { maxKeys: 2 }) }),
  fc.constantFrom<unknown>(() => {}, assign({}), raise({ type: 'go' })),
);
const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined, freq: 2 });

/** One state before it knows where the others are: a target is a number. */
interface Drawn {
  readonly kind: 'atomic' | 'compound' | 'parallel' | 'final' | 'history';
  readonly ways: Config;
  readonly children: readonly Drawn[];
}

const way = fc.record({
  target: optional(fc.oneof(fc.nat(60), fc.array(fc.nat(60), { minLength: 1, maxLength: 1 }))),
  guard: optional(guard),
  actions: optional(fc.oneof(action, fc.array(action, { maxLength: 3 }))),
  reenter: optional(fc.boolean()),
  description: optional(fc.string()),
  meta: optional(plain.filter((value) => value !== null)),
});
const ways = fc.oneof(way, fc.array(way, { maxLength: 3 }));
const waysByName = fc.dictionary(name, ways, { maxKeys: 3 });

const own = fc.record({
  on: optional(waysByName),
  always: optional(ways),
  after: optional(fc.dictionary(fc.constantFrom('10', '2000', 'soon', hostile), ways, { maxKeys: 2 })),
  invoke: optional(
    fc.array(fc.record({ src: name, id: optional(name), onDone: optional(ways), onError: optional(ways) }), {
      maxLength: 2,
    }),
  ),
  onDone: optional(ways),
  entry: optional(fc.oneof(action, fc.array(action, { maxLength: 2 }))),
  exit: optional(action),
  tags: optional(fc.array(name, { maxLength: 2 })),
  description: optional(fc.string()),
  meta: optional(plain.filter((value) => value !== null)),
});

const { drawn } = fc.letrec<{ drawn: Drawn }>((tie) => ({
  drawn: fc.record({
    kind: fc.constantFrom('atomic', 'compound', 'compound', 'parallel', 'final', 'history'),
    ways: own,
    children: fc.oneof(
      { maxDepth: 3, depthSize: 'medium' },
      fc.constant([]),
      fc.array(tie('drawn'), { minLength: 1, maxLength: 4, size: 'max' }),
    ),
  }),
}));

const inside = (drawn: Drawn): readonly Drawn[] =>
  drawn.kind === 'compound' || drawn.kind === 'parallel' ? drawn.children : [];
const counted = (drawn: Drawn): number => 1 + inside(drawn).reduce((sum, child) => sum + counted(child), 0);

/** A configuration in which every target is a state, by the id that it was given. */
const configured = (root: Drawn): Config => {
  const total = counted(root);
  const aimed = (written: unknown): unknown => {
    if (Array.isArray(written)) return written.map(aimed);
    if (typeof written === 'number') return `#s${written % total}`;
    return written;
  };
  const waysOf = (written: unknown): unknown => {
    if (Array.isArray(written)) return written.map(waysOf);
    if (typeof written !== 'object' || written === null) return written;
    return 'target' in written ? { ...written, target: aimed(written.target) } : written;
  };
  const each = (written: unknown): unknown =>
    typeof written === 'object' && written !== null
      ? Object.fromEntries(Object.entries(written).map(([key, value]) => [key, waysOf(value)]))
      : undefined;
  let next = 0;
  const state = (drawn: Drawn): Config => {
    const id = `s${next++}`;
    const { ways } = drawn;
    if (drawn.kind === 'history')
      return { id, type: 'history', history: next % 2 === 0 ? 'deep' : 'shallow' };
    const invoke = (ways['invoke'] ?? []) as readonly Config[];
    const children = inside(drawn).map(
      (child, index) => [`${index % 2 === 0 ? 'x' : 'x.'}${index}`, state(child)] as const,
    );
    const initial = children.find(([, { type }]) => type !== 'history')?.[0];
    const isCompound = children.length > 0 && drawn.kind === 'compound' && initial !== undefined;
    return {
      ...ways,
      id,
      ...(drawn.kind === 'final' ? { type: 'final' } : {}),
      ...(children.length > 0 ? { states: Object.fromEntries(children) } : {}),
      ...(isCompound ? { initial } : children.length > 0 ? { type: 'parallel' } : {}),
      on: each(ways['on']),
      after: each(ways['after']),
      always: waysOf(ways['always']),
      onDone: waysOf(ways['onDone']),
      invoke: invoke.map((one) => ({
        ...one,
        onDone: waysOf(one['onDone']),
        onError: waysOf(one['onError']),
      })),
    };
  };
  return state(root);
};

/** Configurations of machines that XState takes, with names that mean something to every format. */
export const generated: fc.Arbitrary<Config> = fc
  .record({
    kind: fc.constantFrom<Drawn['kind']>('compound', 'compound', 'parallel'),
    ways: own,
    children: fc.oneof(
      { weight: 1, arbitrary: fc.constant([]) },
      { weight: 9, arbitrary: fc.array(drawn, { minLength: 2, maxLength: 5, size: 'max' }) },
    ),
  })
  .map(configured);
