import { and, assign, createMachine, fromPromise, not, or, raise, setup, stateIn } from 'xstate';
import type { AnyStateMachine } from 'xstate';

const words = setup({
  // oxlint-disable-next-line typescript/no-unnecessary-type-assertion -- it is what XState infers its types from
  types: {} as { context: { count: number } },
  guards: {
    isOpen: () => true,
    isFree: () => false,
    isOver: (_seen, { limit }: { limit: number }) => limit > 0,
    isBoth: and(['isOpen', 'isFree']),
  },
  actions: {
    count: assign({ count: ({ context }) => context.count + 1 }),
    say: (_seen, _said: { word: string }) => {},
  },
  actors: { load: fromPromise(async () => 1), watch: fromPromise(async () => 2) },
  delays: { patience: 50, eternity: () => 1e6 },
});

const from = (machine: unknown): AnyStateMachine => machine as AnyStateMachine;

export const hostile = `</text><script>alert("1")</script> 'q' & ]]> {end} -- --> : ; # \n \u202e \u0000 [*] %% \`\${1}\` \\ "`;

/** A machine for each thing that XState lets one write, by what it shows. */
export const machines: Readonly<Record<string, AnyStateMachine>> = {
  'no state at all': from(createMachine({ on: { tick: { actions: 'beep' } } })),
  'a flat machine named like one of its states': from(
    createMachine({
      id: 'toggle',
      initial: 'toggle',
      states: { toggle: { on: { push: 'on' } }, on: { on: { push: '#toggle.toggle' } }, '#toggle': {} },
    }),
  ),
  'nested states and targets of every kind': from(
    createMachine({
      id: 'nested',
      initial: 'a',
      on: { restart: '.a', jump: '#deep', nod: {} },
      states: {
        a: {
          initial: 'one',
          on: { inner: '.two', again: { target: 'a', reenter: true }, itself: 'a', next: 'b.x' },
          states: { one: { on: { go: 'two', out: '#nested.b' } }, two: { on: { up: '#nested.a' } } },
        },
        b: {
          initial: 'x',
          states: { x: { initial: 'y', states: { y: { id: 'deep', on: { home: '#nested' } } } } },
        },
      },
    }),
  ),
  'parallel regions entered together': from(
    createMachine({
      id: 'player',
      initial: 'off',
      states: {
        off: { on: { play: { target: ['on.sound.loud', 'on.light.dim'] } } },
        on: {
          type: 'parallel',
          onDone: 'off',
          on: { 'mute.*': '.sound.quiet' },
          states: {
            sound: {
              initial: 'quiet',
              states: { quiet: { on: { louder: 'loud' } }, loud: { type: 'final' } },
            },
            light: { initial: 'bright', states: { bright: { on: { dim: 'dim' } }, dim: { type: 'final' } } },
          },
        },
      },
    }),
  ),
  'history, shallow, deep and without a default': from(
    createMachine({
      id: 'memory',
      initial: 'work',
      states: {
        work: {
          initial: 'draft',
          on: { pause: 'rest' },
          states: {
            draft: { initial: 'begun', states: { begun: { on: { more: 'half' } }, half: {} } },
            done: {},
            last: { type: 'history', target: 'draft' },
            all: { type: 'history', history: 'deep', target: 'draft.half' },
            some: { type: 'history' },
            named: { type: 'history', target: '#memory.rest' },
          },
        },
        rest: { on: { a: 'work.last', b: 'work.all', c: 'work.some', d: 'work.named' } },
        both: { type: 'parallel', states: { p: {}, q: {}, back: { type: 'history' } } },
      },
    }),
  ),
  'delays, by number and by name': from(
    words.createMachine({
      context: { count: 0 },
      initial: 'a',
      states: {
        a: { after: { 1000: 'b', patience: { guard: 'isOpen', target: 'c', actions: 'count' } } },
        b: { after: { eternity: [{ guard: 'isFree', target: 'a' }, { target: 'c' }] }, entry: 'count' },
        c: {},
      },
    }),
  ),
  'invoked actors, and how they end': from(
    words.createMachine({
      context: { count: 0 },
      initial: 'loading',
      states: {
        loading: {
          invoke: [
            {
              src: 'load',
              id: 'loader',
              onDone: { target: 'shown', actions: 'count' },
              onError: [{ guard: 'isOpen', target: 'loading', reenter: true }, { target: 'failed' }],
            },
            { src: 'watch', onSnapshot: { actions: 'count' }, onDone: 'shown' },
            { src: fromPromise(async () => 3), onDone: 'failed' },
          ],
        },
        shown: { invoke: { src: 'load', systemId: 'other' } },
        failed: {},
      },
    }),
  ),
  'guards with parameters, put together and without a name': from(
    words.createMachine({
      context: { count: 0 },
      initial: 'a',
      states: {
        a: {
          on: {
            one: { guard: { type: 'isOver', params: { limit: 3 } }, target: 'b' },
            two: { guard: { type: 'isOver', params: () => ({ limit: 4 }) }, target: 'b' },
            three: { guard: 'isBoth', target: 'b' },
            four: { guard: and(['isOpen', or(['isFree', not('isBoth')])]), target: 'b' },
            five: { guard: not(and(['isOpen', { type: 'isOver', params: { limit: 5 } }])), target: 'b' },
            six: { guard: stateIn({ b: 'c' }), target: 'b' },
            seven: { guard: stateIn('#there'), target: 'b' },
            eight: { guard: ({ context }) => context.count > 3, target: 'b' },
            nine: { guard: and([() => true, 'isOpen']), target: 'b' },
          },
        },
        b: { initial: 'c', id: 'there', states: { c: {} } },
      },
    }),
  ),
  'actions with parameters, built in and without a name': from(
    words.createMachine({
      context: { count: 0 },
      initial: 'a',
      entry: ['count', { type: 'say', params: { word: 'hello' } }, () => {}],
      exit: assign({ count: 0 }),
      states: {
        a: {
          entry: raise({ type: 'go' }),
          exit: { type: 'say', params: ({ context }) => ({ word: `${context.count}` }) },
          on: {
            go: {
              target: 'b',
              actions: ['count', function ring() {}, raise({ type: 'back' }, { delay: 'patience' })],
            },
          },
        },
        b: { on: { back: 'a' } },
      },
    }),
  ),
  'decisions that need no event': from(
    words.createMachine({
      context: { count: 0 },
      initial: 'gate',
      always: { guard: 'isOpen', actions: 'count' },
      states: {
        gate: {
          always: [
            { guard: 'isOpen', target: 'yes' },
            { guard: 'isFree', target: 'no', actions: 'count' },
            { target: 'no' },
          ],
        },
        yes: { on: { always: 'no', '*': 'gate' } },
        no: { always: { guard: 'isFree', target: 'yes' } },
      },
    }),
  ),
  'ends, inner and outer': from(
    createMachine({
      id: 'ends',
      initial: 'a',
      output: ({ context }) => context,
      states: {
        a: {
          initial: 'b',
          onDone: [
            { guard: 'isOpen', target: 'over', actions: 'note' },
            { target: 'a', reenter: true },
          ],
          states: { b: { on: { end: 'c' } }, c: { type: 'final', output: () => 1 } },
        },
        over: { type: 'final', output: 2 },
      },
    }),
  ),
  'metadata, tags, descriptions and first actions': from(
    createMachine({
      id: 'said',
      version: '1.2',
      description: 'all that is said about it',
      meta: { cites: 'chapter 1', owes: ['rest'], nothing: undefined, call: () => 1 },
      initial: { target: 'a', actions: 'begin' },
      states: {
        a: {
          description: 'a state',
          tags: ['busy', 'early'],
          meta: { cites: 7n },
          on: { go: { target: 'b', description: 'a way', meta: { cites: 'chapter 2' } } },
        },
        b: { tags: 'late', meta: 'only a text' },
      },
    } as never),
  ),
  'names that mean something elsewhere': from(
    createMachine({
      id: 'constructor',
      initial: 'a.b',
      states: {
        'a.b': { id: 'dotted', on: { [hostile]: 'page', constructor: 'toString', 'xstate.done.x': 'a' } },
        a: { initial: 'b', states: { b: { on: { up: '#dotted' } } } },
        page: { id: 'page', on: { __defineGetter__: { guard: hostile, actions: hostile, target: '#odd' } } },
        toString: { always: { guard: 'valueOf', target: 'page' } },
        '': {},
        ' ': {},
        [hostile]: { id: 'odd', tags: hostile, meta: { cites: hostile }, after: { [hostile]: '#dotted' } },
        'box 1': { invoke: { src: hostile, id: '__proto__', onDone: 'page' } },
      },
    } as never),
  ),
  'an event that is named like the prototype': from(
    createMachine(
      JSON.parse('{"initial":"a","states":{"a":{"on":{"__proto__":{"target":"b"}}},"b":{}}}') as object,
    ),
  ),
  routes: from(
    createMachine({
      id: 'app',
      initial: 'home',
      states: { home: { id: 'home', route: {} }, shop: { id: 'shop', route: { guard: 'isOpen' } } },
    }),
  ),
};
