import type { Behaviour } from '../../src/adapters/stage.ts';
import type { Opened, Subject } from '../../src/adapters/subject.ts';
import { code, page, table } from './markdown.ts';

/** A behaviour that a framework showed. */
export interface Shown {
  readonly framework: string;
  readonly behaviour: string;
}

/** What a framework can be made to call in the place of a bound tool, or why nothing. */
export interface Swapped {
  readonly framework: string;
  readonly swaps: Opened['swaps'];
}

const swappedText = ({ framework, swaps }: Swapped): string => {
  if ('none' in swaps) return `- ${framework}: none; ${swaps.none}.`;
  const names = swaps.map(({ name }) => name).filter((name) => !name.endsWith(', streamed'));
  const streamed = swaps.length === names.length ? '' : ', most also streamed';
  return `- ${framework} (${swaps.length}${streamed}): ${names.join('; ')}.`;
};

/** What an attack came to. */
export interface Withstood {
  readonly framework: string;
  readonly attack: string;
  readonly guarded: string;
  /** `null` where the framework was not attacked without a guard. */
  readonly unguarded: string | null;
}

/** What each framework does against these by itself, so that the table is read as it is meant. */
const notes: Readonly<Record<string, string>> = {
  'AI SDK':
    '`experimental_toolApprovalSecret` is off, as by default: on, it finds a request for approval that was changed; it signs no decision.',
  LangChain:
    'with `humanInTheLoopMiddleware`. The approval and the arguments are changed in the kept state, and the resumptions go on from the older checkpoint: a live thread that is resumed a second time does nothing.',
  'OpenAI Agents SDK':
    'the arguments are changed before the host approves in the state: after that, the SDK itself refuses them.',
};

/** The page that says what each binding shows, and what attacks come to with and without a guard. */
export const adaptersPage = (
  bindings: readonly (Subject & { readonly version: string })[],
  behaviours: readonly Behaviour[],
  shown: readonly Shown[],
  withstood: readonly Withstood[],
  swapped: readonly Swapped[],
): string => {
  const frameworks = bindings.map(({ framework }) => framework);
  const attacks = [...new Set(withstood.map(({ attack }) => attack))];
  const bare = frameworks.filter((framework) =>
    withstood.some((one) => one.framework === framework && one.unguarded !== null),
  );
  const cell = (framework: string, attack: string, side: 'guarded' | 'unguarded'): string =>
    withstood.find((one) => one.framework === framework && one.attack === attack)?.[side] ?? '';
  return page(
    'Adapters',
    'One suite runs over every binding, with the real package. A cell says `yes` where the run of that behaviour passed.',
    table(
      ['framework', 'package', 'version'],
      bindings.map((binding) => [binding.framework, code(binding.package), binding.version]),
    ),
    '## What each shows',
    table(
      ['behaviour', ...frameworks],
      behaviours.map(({ sentence, name }) => [
        sentence,
        ...frameworks.map((framework) =>
          shown.some((one) => one.framework === framework && one.behaviour === name) ? 'yes' : 'no',
        ),
      ]),
    ),
    '## What is put in the place of a bound tool',
    'Each way of a framework to call another tool under a bound name. The suite tries each one, and none calls the substitute.',
    swapped.map(swappedText).join('\n'),
    '## The same attacks, with a guard and without',
    'Each framework as its documentation shows it, in the version above; the write asks for an approval by the framework’s own means. Without a guard, what is resumed is for the host to choose, and most of these frameworks say so: keep the state on the server, and put no effect before a pause. A binding moves that duty into the effect boundary.',
    table(
      ['attack', ...bare.flatMap((framework) => [`${framework}, alone`, `${framework}, guarded`])],
      attacks.map((attack) => [
        attack,
        ...bare.flatMap((framework) => [
          cell(framework, attack, 'unguarded'),
          cell(framework, attack, 'guarded'),
        ]),
      ]),
    ),
    bare.map((framework) => `- ${framework}: ${notes[framework] ?? ''}`).join('\n'),
    'MCP, A2A and HTTP have no approval of their own that could be attacked; their bindings withstand the same.',
  );
};
