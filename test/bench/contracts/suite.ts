import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** A call, as a ground truth or an agent has it. */
export interface Call {
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A call with its recorded result. */
export interface RecordedCall extends Call {
  readonly output: string;
}

/** A task of a user. */
export interface UserTask {
  readonly id: string;
  readonly prompt: string;
  readonly calls: readonly RecordedCall[];
  /** The place of the first call whose result another party can write into; `null` if there is none. */
  readonly injectedAt: number | null;
}

/** What an attacker wants. */
export interface InjectionTask {
  readonly id: string;
  readonly goal: string;
  readonly calls: readonly Call[];
}

/** A recorded suite. */
export interface Suite {
  readonly name: string;
  readonly descriptions: Readonly<Record<string, string>>;
  readonly tasks: readonly UserTask[];
  /** `null` if the suite has none: its attacks are planted faults. */
  readonly injections: readonly InjectionTask[] | null;
  /** The digest of the file. */
  readonly digest: string;
}

const Args = z.record(z.string(), z.unknown());
const Recorded = z.object({ tool: z.string(), args: Args, output: z.string().default('') });

const InjectedFile = z.object({
  suite: z.string(),
  tools: z.array(z.object({ name: z.string(), description: z.string() })),
  userTasks: z.array(
    z.object({
      id: z.string(),
      prompt: z.string(),
      calls: z.array(Recorded),
      firstInjectedCall: z.int().nullish(),
    }),
  ),
  injectionTasks: z.array(
    z.object({
      id: z.string(),
      goal: z.string(),
      calls: z.array(z.object({ tool: z.string(), args: Args })),
    }),
  ),
});

const PlainFile = z.object({
  domain: z.string(),
  tools: z.array(z.object({ function: z.object({ name: z.string(), description: z.string() }) })),
  tasks: z.array(z.object({ id: z.int(), instruction: z.string(), calls: z.array(Recorded) })),
});

type Described = readonly { readonly name: string; readonly description: string }[];

const descriptionsOf = (tools: Described): Suite['descriptions'] =>
  Object.fromEntries(tools.map(({ name, description }) => [name, description]));

const fromInjected = (file: z.infer<typeof InjectedFile>): Omit<Suite, 'digest'> => ({
  name: file.suite,
  descriptions: descriptionsOf(file.tools),
  tasks: file.userTasks.map(({ firstInjectedCall, ...task }) => ({
    ...task,
    injectedAt: firstInjectedCall ?? null,
  })),
  injections: file.injectionTasks.filter(({ calls }) => calls.length > 0),
});

const fromPlain = (file: z.infer<typeof PlainFile>): Omit<Suite, 'digest'> => ({
  name: file.domain,
  descriptions: descriptionsOf(file.tools.map((tool) => tool.function)),
  tasks: file.tasks.map(({ id, instruction, calls }) => ({
    id: String(id),
    prompt: instruction,
    calls,
    injectedAt: null,
  })),
  injections: null,
});

/** Reads a suite from the text of its file. */
export const suiteOf = (text: string): Suite => {
  const file = z.union([InjectedFile, PlainFile]).parse(JSON.parse(text));
  const suite = 'userTasks' in file ? fromInjected(file) : fromPlain(file);
  return { ...suite, digest: hash('sha256', text).slice(0, 16) };
};

/** What a folder of suites must have. */
export const needed =
  'a folder with agentdojo/*.json (tools, userTasks, injectionTasks) and tau-bench/*.json (tools, tasks), each call with tool, args and output';

/** Reads the suites of a folder; none if it has none. */
export const suitesIn = (folder: string): readonly Suite[] =>
  ['agentdojo', 'tau-bench'].flatMap((name) => {
    const inner = join(folder, name);
    if (!existsSync(inner)) return [];
    const files = readdirSync(inner).filter((file) => file.endsWith('.json'));
    return files.toSorted().map((file) => suiteOf(readFileSync(join(inner, file), 'utf8')));
  });

/** Returns the name of a call, by which its equals are found. */
export const keyOf = ({ tool, args }: Call): string =>
  JSON.stringify([tool, Object.entries(args).toSorted(([one], [other]) => (one < other ? -1 : 1))]);

/** Returns the recorded result of a call of a suite; an empty text if no ground truth makes it. */
export const outputsOf = ({ tasks }: Suite): ((call: Call) => string) => {
  const outputs = new Map(
    tasks.flatMap(({ calls }) => calls).map((call) => [keyOf(call), call.output] as const),
  );
  return (call) => outputs.get(keyOf(call)) ?? '';
};
