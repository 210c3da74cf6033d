import type { ExitCode } from './stop.ts';
import type { Terminal } from './terminal.ts';

/** A flag of a command. Without `value` it is a switch. */
export interface Flag {
  readonly description: string;
  /** The placeholder of its value in the help: FILE, MODULE and DIR are file names. */
  readonly value?: string;
  readonly choices?: readonly string[];
  readonly default?: string;
  readonly isRequired?: true;
}

/** A positional argument. */
export interface Argument {
  readonly description: string;
  readonly choices?: readonly string[];
  readonly isOptional?: true;
}

type FlagValue<One extends Flag> = One extends { readonly value: string }
  ? | (One extends { readonly choices: readonly (infer Choice)[] } ? Choice : string)
    | (One extends { readonly default: string } | { readonly isRequired: true } ? never : undefined)
  : boolean;

type ArgumentValue<One extends Argument> =
  | (One extends { readonly choices: readonly (infer Choice)[] } ? Choice : string)
  | (One extends { readonly isOptional: true } ? undefined : never);

type Flags = Readonly<Record<string, Flag>>;
type Arguments = Readonly<Record<string, Argument>>;

/** The parsed flags and arguments of a call. */
interface Given<F extends Flags, A extends Arguments> {
  readonly flags: { readonly [Name in keyof F]: FlagValue<F[Name]> };
  readonly args: { readonly [Name in keyof A]: ArgumentValue<A[Name]> };
}

interface Definition<F extends Flags, A extends Arguments> {
  /** One word, or a group and a subcommand. */
  readonly name: string;
  readonly description: string;
  /** Longer help. */
  readonly details?: string;
  readonly args: A;
  readonly flags: F;
  /** A working example, without the program name. */
  readonly example: string;
  readonly run: (given: Given<F, A>, terminal: Terminal) => Promise<ExitCode>;
}

/** A command in the table. */
export interface Command extends Omit<Definition<Flags, Arguments>, 'run'> {
  readonly run: (
    given: {
      readonly flags: Readonly<Record<string, string | boolean | undefined>>;
      readonly args: Readonly<Record<string, string | undefined>>;
    },
    terminal: Terminal,
  ) => Promise<ExitCode>;
}

/** Defines a command. Types its flags and arguments by their declarations. */
export const command = <const F extends Flags, const A extends Arguments>(
  definition: Definition<F, A>,
): Command => definition as unknown as Command; // the parser produces the declared flags and arguments

/** The name of the program. */
export const program = 'agentcharter';

export const jsonFlag = { description: 'print JSON instead of lines' } as const;
export const storeFlag = {
  description:
    'the store: a file, or postgres://USER@HOST/DATABASE?schema=NAME; AGENTCHARTER_STORE_KEYS has its keys if it is encoded',
  value: 'STORE',
} as const;
export const configFlag = {
  description:
    'a module whose default export is the options of createOrchestrator, or a function that returns them; or the file of a gateway',
  value: 'MODULE',
} as const;
