import type { AnyStateMachine, AnyStateNode } from 'xstate';
import { configOf } from './config.ts';
import { detailOf } from './detail.ts';
import { layout } from './layout.ts';
import { mermaidOf } from './mermaid.ts';
import { overviewOf } from './overview.ts';
import { refusal } from './peers.ts';
import { png } from './png.ts';
import { sourceOf } from './source.ts';
import { svg } from './svg.ts';
import { walk } from './walk.ts';

/** What a chart may be rendered as. */
export interface Rendered {
  /** A picture that carries everything it needs, by day and by night; each state's path is its `data-state`. */
  readonly svg: string;
  /** The same picture by day, at twice its size, in the letters of this machine. */
  readonly png: Uint8Array;
  /** A state diagram as Mermaid draws it. */
  readonly mermaid: string;
  /** The configuration, without functions, for `createMachine`. */
  readonly json: string;
  /** One TypeScript file that exports `machine`. */
  readonly xstate: string;
}

/** What a chart may be rendered as. */
export type RenderFormat = keyof Rendered;

/** What is rendered, and how much of it. */
export interface RenderOptions<Format extends RenderFormat = RenderFormat> {
  readonly format: Format;
  /** Of a picture: everything, or the outer states and what they begin with. `everything` where left out. */
  readonly view?: 'everything' | 'overview';
  /** Of a picture: what it is called for those who do not see it. */
  readonly title?: string;
  /** Of a picture and a diagram: actions by name that are not repeated at every transition. */
  readonly leaveOut?: readonly string[];
}

/** A picture beyond this is read by nobody, and takes long to lay out. */
const most = { states: 300, transitions: 1000 };
const deepest = 128;

const drawn = async (machine: AnyStateMachine, options: RenderOptions, theme: 'both' | 'day') => {
  const { view = 'everything', leaveOut = [], title } = options;
  const walked = walk(machine);
  const { states, transitions } = walked;
  if (states.length > most.states || transitions.length > most.transitions)
    throw refusal(
      '/machine',
      `has ${states.length} states and ${transitions.length} transitions; a picture takes ${most.states} and ${most.transitions}, mermaid, json and xstate take any`,
    );
  return svg(await layout((view === 'overview' ? overviewOf : detailOf)(walked, leaveOut, title)), theme);
};

/** Whether a machine is deeper than any text or picture is written. */
const isTooDeep = ({ root }: AnyStateMachine): boolean => {
  let level: readonly AnyStateNode[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > deepest) return true;
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
  xstate: (machine) => sourceOf(configOf(machine)),
};

/**
 * A chart of XState's as a picture or a text, from the machine as it runs: every state and every transition.
 *
 * The same to the byte for the same machine, but for `png`. Guards and actions go by name; a function without one is `inline`.
 * `json` and `xstate` give the same chart again, without context, input and output.
 *
 * Pictures need the peer `elkjs`, and `png` the peer `@resvg/resvg-js` besides. Rejects with `definition_invalid` where one is
 * missing, for a format that there is not, for what is no machine, for one of more than 128 levels, and for a picture of more than 300 states or 1,000 transitions.
 */
export const render = async <Format extends RenderFormat>(
  machine: AnyStateMachine,
  options: RenderOptions<Format>,
): Promise<Rendered[Format]> => {
  const { format } = options;
  if (!Object.hasOwn(formats, format))
    throw refusal('/format', `must be one of ${Object.keys(formats).join(', ')}`);
  if (!isMachine(machine)) throw refusal('/machine', 'must be a machine of XState 5');
  if (isTooDeep(machine)) throw refusal('/machine', `must not be nested more than ${deepest} deep`);
  return formats[format](machine, options);
};

const isMachine = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'root' in value && 'idMap' in value;
