import type { World } from './exploration.ts';
import { handWritten, type HandWritten } from './export.ts';
import type { Search } from './spin.ts';
import { worlds } from './worlds.ts';

/** The text of a file that is another, and what stands in its place. */
type Change = readonly [file: keyof HandWritten, was: string | RegExp, is: string];

/** A guard that is always open, or always shut. */
interface Forced {
  readonly name: string;
  readonly verdict: boolean;
}

/** A chart that is wrong in one place, and the property that tells. */
export interface Fault {
  readonly name: string;
  readonly in: World;
  readonly change: Change;
  /** The guard, where a guard is what is wrong: the chart itself can be made wrong in the same way. */
  readonly guard: Forced | null;
  /** What Spin must say; nothing for a run that never ends, which breaks no assertion. */
  readonly breaks: string | null;
  readonly search: Extract<Search, 'shortest' | 'liveness'>;
}

const worldOf = (name: string): World => {
  const found = worlds.find((one) => one.name.startsWith(name));
  if (found === undefined) throw new Error(`no world is called ${name}`);
  return found;
};

const fault = (name: string, where: string, change: Change, breaks: string | null): Fault => ({
  name,
  in: worldOf(where),
  change,
  guard: null,
  breaks,
  search: breaks === null ? 'liveness' : 'shortest',
});

/** The whole definition of a guard that reads the context alone. */
const body = (guard: string): RegExp => new RegExp(String.raw`^#define ${guard} (?:.*\\\n)*.*`, 'm');

const forced = (name: string, where: string, guard: Forced, breaks: string): Fault => ({
  ...fault(name, where, ['guards', body(guard.name), `#define ${guard.name} ${guard.verdict}`], breaks),
  guard,
});

/** Faults that Spin must find, each in the world that shows it soonest. */
export const faults: readonly Fault[] = [
  forced(
    'deliver is always permitted',
    'a read that must',
    { name: 'mayDeliver', verdict: true },
    'a delivered run passed its verifiers, on this draft and this evidence',
  ),
  fault(
    'a write needs no clearance',
    'a checked',
    ['context', '!ANY_CALL(isUncleared) && ', ''],
    'a write starts only with authority and rollback',
  ),
  forced(
    'the hub always waits for a write',
    'a read that must',
    { name: 'mayWrite', verdict: true },
    'a run that is not settled can be worked on',
  ),
  forced(
    'undoing is over at once',
    'a write that asks',
    { name: 'isUndone', verdict: true },
    'a run fails safe with no write in flight',
  ),
  forced('repairs have no budget', 'a checked', { name: 'mayRepair', verdict: true }, 'budgets are kept'),
  fault(
    'refreshes have no budget',
    'a read that grows',
    ['guards', ' && refreshes < MAX_REFRESHES', ''],
    'budgets are kept',
  ),
  forced(
    'a failing run goes on',
    'one action',
    { name: 'mustUndo', verdict: false },
    'a run that is not settled and has a reason is undoing its writes',
  ),
  forced(
    'a question waits for nobody',
    'a write that asks',
    { name: 'asks', verdict: false },
    'nobody is asked while nobody is told',
  ),
  fault(
    'the oldest write is undone first',
    'two writes',
    ['context', 'LAST_EFFECT(isToGo)', 'FIRST_EFFECT(isToGo)'],
    'the newest write is undone first',
  ),
  fault('corrections are not counted', 'a read that must', ['record', 'corrections++', 'skip'], null),
];

/** The hand-written part with this fault in it. */
export const faulty = ({ name, change: [file, was, is] }: Fault): HandWritten => {
  const text = handWritten[file];
  const broken = text.replace(was, is);
  if (broken === text) throw new Error(`nothing to break: ${name}`);
  return { ...handWritten, [file]: broken };
};
