import { createActor } from 'xstate';
import { describe, expect, test } from 'vitest';
import { callLife } from '../../machines/call.ts';
import { effectLife } from '../../machines/effect.ts';
import { lateWriteLife } from '../../machines/late-write.ts';
import { firstState, stepOf, type Lifecycle, type Step } from '../../machines/lifecycle.ts';
import { callMachine, effectMachine, lateWriteMachine, questionMachine } from '../../machines/lives.ts';
import { questionLife } from '../../machines/question.ts';
import { nodesOf, transitionsOf } from './transitions.ts';

type Subject = Readonly<Record<string, unknown>>;
type AnyLife = Lifecycle<string, string, string, Subject>;

/** A table of any life; each is asked with subjects of its own only. */
const anyLife = (life: unknown): AnyLife => life as AnyLife;

/** Every combination of the values that a table reads. */
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
  const steps: readonly Step<string, string, string, Subject>[] = life.steps;
  const states = [...new Set(steps.flatMap(({ from, to }) => [...from, to]))];
  const events = [...new Set(steps.flatMap(({ on }) => on))];

  test('is the same in its chart and in its table, for every state, event and subject', () => {
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
          const step = stepOf(life, state, event, subject);
          const expected = [step?.to ?? state, { ...subject, ...step?.sets }];
          expect([subject, state, event, value, context]).toEqual([subject, state, event, ...expected]);
        }
  });

  test('begins in `new`, with what it is given', () => {
    const [input = {}] = subjects;
    const { value, context } = createActor(machine, { input }).start().getSnapshot();
    expect([value, context]).toEqual(['new', input]);
  });

  test('has no line that another one hides', () => {
    const isTaken = (step: (typeof steps)[number]): boolean =>
      step.from.some((state) =>
        step.on.some((event) =>
          subjects.some(
            (subject) =>
              steps.find(
                ({ from, on, when }) =>
                  from.includes(state) &&
                  on.includes(event) &&
                  (when === undefined || life.conditions[when]?.(subject) === true),
              ) === step,
          ),
        ),
      );
    expect(steps.filter((step) => !isTaken(step))).toEqual([]);
  });

  test('reaches every state from `new`, and cites a source for every step', () => {
    const reached = new Set(['new']);
    for (let size = 0; size !== reached.size;) {
      size = reached.size;
      for (const { from, to } of steps) if (from.some((state) => reached.has(state))) reached.add(to);
    }
    expect([...reached].toSorted()).toEqual(states.toSorted());
    expect(transitionsOf(machine).filter(({ cites }) => cites === undefined)).toEqual([]);
    expect(nodesOf(machine.root).length).toBe(states.length + 1);
  });
});

test('a call whose tool gave no last word is doubted if it writes, and has failed if it reads', () => {
  const subject = { underWay: false, prior: 'none' } as const;
  const life = anyLife(callLife);
  expect(stepOf(life, 'started', 'call.doubted', { ...subject, isWrite: true })?.to).toBe('doubted');
  expect(stepOf(life, 'started', 'call.doubted', { ...subject, isWrite: false })?.to).toBe('failed');
});

test('an event that begins no life throws', () => {
  expect(() => firstState(anyLife(effectLife), 'rollback.started', {})).toThrow(/no effect begins/);
});
