import { createActor } from 'xstate';
import { describe, expect, test } from 'vitest';
import { callLife } from '../../machines/call.ts';
import { effectLife } from '../../machines/effect.ts';
import { lateWriteLife } from '../../machines/late-write.ts';
import { firstState, wayOf, type Life, type Way } from '../../machines/life.ts';
import { callMachine, effectMachine, lateWriteMachine, questionMachine } from '../../machines/lives.ts';
import { questionLife } from '../../machines/question-life.ts';
import { nodesOf, transitionsOf } from './transitions.ts';

type Subject = Readonly<Record<string, unknown>>;
type AnyLife = Life<string, string, string, Subject>;
type AnyWay = Way<string, string, Subject>;

/** A life of any kind; each is asked with subjects of its own only. */
const anyLife = (life: unknown): AnyLife => life as AnyLife;

/** Every combination of the values that a life reads. */
const subjectsOf = (values: Readonly<Record<string, readonly unknown[]>>): readonly Subject[] =>
  Object.entries(values).reduce<readonly Subject[]>(
    (subjects, [name, each]) =>
      subjects.flatMap((subject) => each.map((value) => ({ ...subject, [name]: value }))),
    [{}],
  );

const flag = [false, true];
const lives = [
  [
    'call',
    anyLife(callLife),
    callMachine,
    subjectsOf({ isWrite: flag, underWay: flag, prior: ['none', 'committed', 'undone'], isDenied: flag }),
  ],
  ['effect', anyLife(effectLife), effectMachine, [{}]],
  ['late write', anyLife(lateWriteLife), lateWriteMachine, subjectsOf({ isKnown: flag, mayRecover: flag })],
  [
    'question',
    anyLife(questionLife),
    questionMachine,
    subjectsOf({ mayRevise: flag, mayApprove: flag, isLast: flag, isAbsent: flag, isDefaulted: flag }),
  ],
] as const;

describe.each(lives)('the life of a %s', (_, life, machine, subjects) => {
  const states = Object.keys(life.states);
  const events = [...new Set(Object.values(life.states).flatMap(({ on }) => Object.keys(on ?? {})))];
  const waysOf = (state: string, event: string): readonly AnyWay[] =>
    [life.states[state]?.on?.[event] ?? []].flat();

  test('moves as XState moves its chart, for every state, event and subject', () => {
    for (const subject of subjects)
      for (const state of states)
        for (const event of events) {
          const before = machine.resolveState({ value: state, context: subject });
          const after = createActor(machine, {
            snapshot: machine.getPersistedSnapshot(before),
            input: subject,
          });
          after.start().send({ type: event });
          const { value, context } = after.getSnapshot();
          const way = wayOf(life, state, event, subject);
          const expected = [way?.target ?? state, { ...subject, ...way?.actions?.params }];
          expect([subject, state, event, value, context]).toEqual([subject, state, event, ...expected]);
        }
  });

  test('begins in `new`, with what it is given', () => {
    const [input = {}] = subjects;
    const { value, context } = createActor(machine, { input }).start().getSnapshot();
    expect([value, context]).toEqual(['new', input]);
  });

  test('has no transition that another one hides', () => {
    for (const state of states)
      for (const event of events)
        for (const way of waysOf(state, event))
          expect(subjects.map((subject) => wayOf(life, state, event, subject))).toContain(way);
  });

  test('reaches every state from `new`, and cites a source for every transition', () => {
    const reached = new Set(['new']);
    for (let size = 0; size !== reached.size;) {
      size = reached.size;
      for (const state of reached)
        for (const event of events) for (const { target } of waysOf(state, event)) reached.add(target);
    }
    expect([...reached].toSorted()).toEqual(states.toSorted());
    expect(transitionsOf(machine).filter(({ cites }) => cites === undefined)).toEqual([]);
    expect(nodesOf(machine.root).length).toBe(states.length + 1);
  });
});

test('a call whose tool gave no last word is doubted if it writes, and has failed if it reads', () => {
  const subject = { underWay: false, prior: 'none' } as const;
  const life = anyLife(callLife);
  expect(wayOf(life, 'started', 'call.doubted', { ...subject, isWrite: true })?.target).toBe('doubted');
  expect(wayOf(life, 'started', 'call.doubted', { ...subject, isWrite: false })?.target).toBe('failed');
});

test('an event that begins no life throws', () => {
  expect(() => firstState(anyLife(effectLife), 'rollback.started', {})).toThrow(/no effect begins/);
});
