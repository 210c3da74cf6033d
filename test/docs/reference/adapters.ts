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
  return `- ${framework}: ${swaps.length}, such as: ${names[0] ?? ''}.`;
};

/** What an attack came to. */
export interface Withstood {
  readonly framework: string;
  readonly attack: string;
  readonly guarded: string;
  /** `null` where the framework was not attacked without a guard. */
  readonly unguarded: string | null;
}

/** How each framework was used without a guard. */
const notes: Readonly<Record<string, string>> = {
  'AI SDK':
    '`experimental_toolApprovalSecret` is off, the default. It detects changed requests for approval, and signs no decision.',
  LangChain:
    'with `humanInTheLoopMiddleware`. The attacks change the kept state and resume from an older checkpoint. Resuming a live thread twice does nothing.',
  'OpenAI Agents SDK': 'the arguments change before the approval. Afterwards the SDK itself refuses them.',
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
    'See what each binding does, and what attacks on it come to. One suite runs over every binding, with the real package.',
    table(
      ['framework', 'package', 'version'],
      bindings.map((binding) => [binding.framework, code(binding.package), binding.version]),
    ),
    '## What each shows',
    'Every binding, unless others are named:',
    behaviours
      .map(({ sentence, name }) => {
        const showing = frameworks.filter((framework) =>
          shown.some((one) => one.framework === framework && one.behaviour === name),
        );
        return showing.length === frameworks.length
          ? `- ${sentence}`
          : `- Only ${showing.join(', ')}: ${sentence}`;
      })
      .join('\n'),
    '## Substituted tools',
    'The suite tries every way of a framework to call another tool under a bound name. None calls the substitute.',
    swapped.map(swappedText).join('\n'),
    '## The same attacks, with a guard and without',
    'Alone, a framework is used as its documentation shows, with its own approvals. It then trusts the state that you resume, and most say so: keep the state on the server, and make no write before a pause. A binding enforces this.',
    table(
      ['attack', ...bare.map((framework) => `${framework}, alone`), 'each, guarded'],
      attacks.map((attack) => [
        attack,
        ...bare.map((framework) => cell(framework, attack, 'unguarded')),
        [...new Set(bare.map((framework) => cell(framework, attack, 'guarded')))].join(' or '),
      ]),
    ),
    bare.map((framework) => `- ${framework}: ${notes[framework] ?? ''}`).join('\n'),
    'MCP, A2A and HTTP have no approvals of their own. Their bindings withstand the same attacks.',
  );
};
