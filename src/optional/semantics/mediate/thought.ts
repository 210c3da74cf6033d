import { JsonValue } from '../../../../schema/formats.ts';
import type { UpThought } from '../../../../schema/upformat/up-thought.ts';
import type { Mediation } from './mapping.ts';

const called = ({ to, description }: { readonly to: string; readonly description: string }): string =>
  description === '' ? to : `${to} (${description})`;

/** Returns the result of a mediation as an agent's reasoning. */
export function thoughtOf({
  links,
  choices,
  missing,
}: Pick<Mediation, 'links' | 'choices' | 'missing'>): UpThought {
  const open = choices.filter(({ isRequired }) => isRequired);
  const canProceed = open.length === 0 && missing.length === 0;
  return {
    reasoning: links.map(({ from, to, why }) => `${from} becomes ${to}: ${why.join(', ')}`),
    questions: [
      ...open.map((choice) =>
        choice.alternatives.length === 0 && choice.only !== undefined
          ? `Nothing maps to ${called(choice)}: may it be ${JSON.stringify(choice.only)}, the only value that it takes?`
          : `Which source field becomes ${called(choice)}?`,
      ),
      ...missing.map((one) => `Nothing maps to ${called(one)}: where does it come from?`),
    ],
    confidence: canProceed ? Math.min(1, ...links.map(({ score }) => score)) : 0,
    canProceed,
    alternatives: open.flatMap(({ to, alternatives, only }) => [
      ...alternatives.map(({ from }) => ({ [to]: from })),
      ...(only === undefined ? [] : [{ [to]: { value: JsonValue.parse(only) } }]),
    ]),
  };
}
