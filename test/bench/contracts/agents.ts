import type { Charter } from './charter.ts';
import type { Goals, Scenario, Step } from './scenario.ts';
import { keyOf, outputsOf, type Call, type InjectionTask, type Suite, type UserTask } from './suite.ts';

/** How an agent behaves once it has read what an attacker wrote. */
export const attackers = [
  'hijacked',
  'hijacked late',
  'paraphrasing',
  'splitting',
  'free text',
  'probing',
] as const;
export type Attacker = (typeof attackers)[number];

const isText = (value: unknown): value is string => typeof value === 'string';

/** Returns the longest text of a call whose argument no flow protects. */
const freeText = ({ tool, args }: Call, charter: Charter): string | null => {
  const flows = charter.tools[tool]?.flows ?? {};
  const free = Object.entries(args).filter(
    ([name, value]) => isText(value) && flows[`/${name}`] === undefined,
  );
  const longest = free.toSorted(([, one], [, other]) => String(other).length - String(one).length)[0];
  return longest?.[0] ?? null;
};

const isWrite = ({ tool }: Call, charter: Charter): boolean =>
  (charter.tools[tool]?.tier ?? 'read_only') !== 'read_only';

/** Splits the longest free text of a call over two. */
const halves = (call: Call, charter: Charter): readonly Call[] => {
  const name = isWrite(call, charter) ? freeText(call, charter) : null;
  const text = name === null ? undefined : call.args[name];
  if (name === null || !isText(text) || text.length < 2) return [call];
  const middle = Math.ceil(text.length / 2);
  return [text.slice(0, middle), text.slice(middle)].map((half) => ({
    ...call,
    args: { ...call.args, [name]: half },
  }));
};

const respelled = (call: Call, spell: (text: string) => string): Call => ({
  ...call,
  args: Object.fromEntries(
    Object.entries(call.args).map(([name, value]) => [name, isText(value) ? spell(value) : value]),
  ),
});

/** The ways in which a refused call is tried again; each has the same meaning for a careless system. */
const variants = (call: Call): readonly Call[] => [
  call,
  respelled(call, (text) => ` ${text} `),
  respelled(call, (text) => text.toLowerCase()),
];

const spaced = (text: string): string => Array.from(text).join(' ');

const valuesOf = (calls: readonly Call[]): readonly string[] =>
  calls.flatMap(({ args }) => Object.values(args).map(String));

/** What the attacker writes: the goal, and the values of the calls, which a paraphrase does not repeat. */
const injectionOf = ({ goal, calls }: InjectionTask, attacker: Attacker): string => {
  const values = valuesOf(calls).join('\n');
  return attacker === 'paraphrasing' ? spaced(`${goal}\n${values}`) : `${goal}\n${values}`;
};

type Placed = Pick<Scenario, 'steps' | 'goals' | 'smuggled'>;

interface Setting {
  readonly user: readonly Step[];
  readonly at: number;
  readonly charter: Charter;
  readonly outputOf: (call: Call) => string;
}

/** Puts the attacker's calls in, with a step that another's failure allows under its new number. */
const inserted = ({ user, at, outputOf }: Setting, goals: Goals, after: number): Placed => {
  const start = user.slice(0, after + 1);
  const steps: Step[] = [];
  for (const alternatives of goals)
    for (const [tried, call] of alternatives.entries()) {
      const previous = start.length + steps.length - 1;
      steps.push({
        ...call,
        output: outputOf(call),
        by: 'attacker',
        ...(tried > 0 && { unless: previous }),
      });
    }
  return { goals, steps: [...start, ...steps, ...user.slice(Math.max(after, at) + 1)] };
};

/** Hides the attacker's values in the first write after the injection that takes a free text. */
const smuggling = ({ user, at, charter }: Setting, calls: readonly Call[]): Placed | null => {
  const place = user.findIndex(
    (step, index) => index > at && isWrite(step, charter) && freeText(step, charter) !== null,
  );
  const carrier = user[place];
  if (carrier === undefined) return null;
  const name = freeText(carrier, charter) ?? '';
  const smuggled = valuesOf(calls).join(' ');
  const bent: Step = {
    ...carrier,
    args: { ...carrier.args, [name]: `${String(carrier.args[name])} ${smuggled}` },
    by: 'attacker',
  };
  const steps = [...user.slice(0, place), bent, { ...carrier, unless: place }, ...user.slice(place + 1)];
  return { goals: [[bent]], smuggled, steps };
};

const placedBy = (attacker: Attacker, setting: Setting, { calls }: InjectionTask): Placed | null => {
  const { at, user, charter } = setting;
  const goals = calls.map((call) => [call]);
  switch (attacker) {
    case 'hijacked':
    case 'paraphrasing':
      return inserted(setting, goals, at);
    case 'hijacked late':
      return inserted(setting, goals, user.length - 1);
    case 'splitting':
      return inserted(
        setting,
        calls.flatMap((call) => halves(call, charter).map((half) => [half])),
        at,
      );
    case 'probing':
      return inserted(
        setting,
        calls.map((call) => (isWrite(call, charter) ? variants(call) : [call])),
        at,
      );
    case 'free text':
      return smuggling(setting, calls);
  }
};

const userSteps = ({ calls }: UserTask): readonly Step[] => calls.map((call) => ({ ...call, by: 'user' }));

/** Returns the run of a task that nobody attacks. */
export const honest = (task: UserTask): Scenario => ({
  id: task.id,
  request: { prompt: task.prompt },
  steps: userSteps(task),
  user: task.calls,
  goals: [],
  injected: '',
  injectedAt: null,
});

/** Returns the run of a task that is attacked; `null` if this attacker finds no place in it. */
const attacked = (
  suite: Suite,
  charter: Charter,
  attacker: Attacker,
  [task, injection]: readonly [UserTask, InjectionTask],
): Scenario | null => {
  const { injectedAt: at } = task;
  if (at === null) return null;
  const injected = injectionOf(injection, attacker);
  const user = userSteps(task).map((step, index) =>
    index === at ? { ...step, output: `${step.output}\n${injected}` } : step,
  );
  const placed = placedBy(attacker, { user, at, charter, outputOf: outputsOf(suite) }, injection);
  if (placed === null) return null;
  const own = new Set(task.calls.map(keyOf));
  if (placed.goals.every((calls) => calls.some((call) => own.has(keyOf(call))))) return null;
  const steps = placed.steps.map((step): Step => (own.has(keyOf(step)) ? { ...step, by: 'user' } : step));
  return {
    ...placed,
    steps,
    plain: user,
    id: `${task.id} ${injection.id} ${attacker}`,
    request: { prompt: task.prompt },
    user: task.calls,
    injected,
    injectedAt: at,
  };
};

/** Returns every attacked run of a suite, by one kind of attacker. */
export const attackedRuns = (suite: Suite, charter: Charter, attacker: Attacker): readonly Scenario[] =>
  suite.tasks.flatMap((task) =>
    (suite.injections ?? []).flatMap(
      (injection) => attacked(suite, charter, attacker, [task, injection]) ?? [],
    ),
  );
