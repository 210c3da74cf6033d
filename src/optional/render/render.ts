import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { configOf } from './config.ts';
import { layout } from './layout.ts';
import { mermaidOf } from './mermaid.ts';
import { overviewOf } from './overview.ts';
import { refusal } from './peers.ts';
import { png } from './png.ts';
import { sheetsOf } from './sheets.ts';
import type { Simulation } from './simulation.ts';
import { sourceOf } from './source.ts';
import { stacked } from './stack.ts';
import { svg } from './svg.ts';
import { walk } from './walk.ts';

/** The formats and their types. */
export interface Rendered {
  /**
   * A self-contained picture for light and dark mode, at most 1,400 wide where the chart permits. A wider chart
   * becomes several sheets in one picture. The path of each state is its `data-state`.
   */
  readonly svg: string;
  /** The same picture in light mode, at twice its size, with the fonts of this machine. */
  readonly png: Uint8Array;
  /** A Mermaid state diagram. */
  readonly mermaid: string;
  /** The configuration without functions, for `createMachine`. */
  readonly json: string;
  /** A TypeScript file that exports `machine`. */
  readonly xstate: string;
}

/** A format of `render`. */
export type RenderFormat = keyof Rendered;

/** Options of `render`. */
export interface RenderOptions<Format extends RenderFormat = RenderFormat> {
  readonly format: Format;
  /** Of a picture: everything, or the outer states and their initial states. By default `everything`. */
  readonly view?: 'everything' | 'overview';
  /** Of a picture: its accessible title. */
  readonly title?: string;
  /** Of a picture or diagram: names of actions to omit. */
  readonly leaveOut?: readonly string[];
  /** Of an `xstate` file: the facts that its guards read, and what changes them. By default, events pass. */
  readonly simulation?: Simulation;
}

/** The limits of a picture. A larger one is unreadable and slow to lay out. */
const limits = { states: 300, transitions: 1000 };
const maxDepth = 128;

const drawn = async (machine: AnyStateMachine, options: RenderOptions, theme: 'both' | 'day') => {
  const { view = 'everything', leaveOut = [], title } = options;
  const walked = walk(machine);
  const { states, transitions } = walked;
  if (states.length > limits.states || transitions.length > limits.transitions)
    throw refusal(
      '/machine',
      `has ${states.length} states and ${transitions.length} transitions; a picture takes ${limits.states} and ${limits.transitions}, mermaid, json and xstate take any`,
    );
  const placed =
    view === 'overview'
      ? await layout(overviewOf(walked, leaveOut, title))
      : stacked(await sheetsOf(walked, leaveOut, title));
  return svg(placed, theme);
};

/** Returns whether a machine exceeds the maximum depth. */
const isTooDeep = ({ root }: AnyStateMachine): boolean => {
  let level: readonly AnyStateNode[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > maxDepth) return true;
    level = level.flatMap(({ states }) => Object.values(states));
  }
  return false;
};

type Render<Format extends RenderFormat> = (
  machine: AnyStateMachine,
  options: RenderOptions,
) => Rendered[Format] | Promise<Rendered[Format]>;

const formats: { readonly [Format in RenderFormat]: Render<Format> } = {
  svg: (machine, options) => drawn(machine, options, 'both'),
  png: async (machine, options) => png(await drawn(machine, options, 'day')),
  mermaid: (machine, { leaveOut = [] }) => mermaidOf(walk(machine), leaveOut),
  json: (machine) => `${JSON.stringify(configOf(machine).config, null, 2)}\n`,
  xstate: (machine, { simulation }) => sourceOf(machine, configOf(machine), simulation),
};

/**
 * Renders an XState machine, in the form in which it runs: every state and every transition.
 *
 * Deterministic, except for `png`. Guards and actions are shown by name; a function without one is `inline`.
 * `json` and `xstate` reproduce the chart without context, input and output; the context of `xstate` has a fact for each
 * guard.
 *
 * Pictures need the peer `elkjs`, and `png` also `@resvg/resvg-js`. Rejects with `definition_invalid` for a
 * missing peer, an unknown format, a value that is not a machine, more than 128 levels, or a picture of more
 * than 300 states or 1,000 transitions.
 */
export const render = async <Format extends RenderFormat>(
  machine: AnyStateMachine,
  options: RenderOptions<Format>,
): Promise<Rendered[Format]> => {
  const { format } = options;
  if (!Object.hasOwn(formats, format))
    throw refusal('/format', `must be one of ${Object.keys(formats).join(', ')}`);
  if (!isMachine(machine)) throw refusal('/machine', 'must be a machine of XState 5');
  if (isTooDeep(machine)) throw refusal('/machine', `must not be nested more than ${maxDepth} deep`);
  return formats[format](machine, options);
};

const isMachine = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'root' in value && 'idMap' in value;
