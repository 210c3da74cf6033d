import { valueAt } from '../../base/feedback/place.ts';
import type { Label, Labels, Readers } from '../../base/ports/origin.ts';

/** The label of a tool's result and of another agent's message by default. */
export const unlabelled: Label = Object.freeze({ integrity: 'untrusted', readers: 'anyone' });

/** The label of a request and of a person's answer, and of a model that was shown nothing yet. */
export const trusted: Label = Object.freeze({ integrity: 'trusted', readers: 'anyone' });

/** Returns those who may learn both of two values. */
export const commonReaders = (one: Readers, other: Readers): Readers => {
  if (one === 'anyone') return other;
  return other === 'anyone' ? one : one.filter((reader) => other.includes(reader));
};

/** Returns the label of what was made of both: as trusted as the less trusted, read by those who may read both. */
export const joined = (one: Label, other: Label): Label => ({
  integrity: one.integrity === 'trusted' ? other.integrity : one.integrity,
  readers: commonReaders(one.readers, other.readers),
});

/** Returns the label of what was made of all of them. */
export const joinedAll = (labels: readonly Label[]): Label => labels.reduce<Label>(joined, trusted);

const tokensOf = (pointer: string): readonly string[] => pointer.split('/').slice(1);

/** Returns for each token of a pattern whether it is exact; `null` if the pattern does not cover the pointer. */
const specificity = (pattern: string, tokens: readonly string[]): readonly boolean[] | null => {
  const wanted = tokensOf(pattern);
  const isCovering =
    wanted.length <= tokens.length &&
    wanted.every((token, depth) => token === '*' || token === tokens[depth]);
  return isCovering ? wanted.map((token) => token !== '*') : null;
};

/** Orders the longer pattern first, and of two as long the one that is exact where they first differ. */
const bySpecificity = (one: readonly boolean[], other: readonly boolean[]): number => {
  if (one.length !== other.length) return other.length - one.length;
  const depth = one.findIndex((isExact, at) => isExact !== other[at]);
  if (depth === -1) return 0;
  return one[depth] === true ? -1 : 1;
};

/** Returns the patterns that cover a pointer, the most specific first. */
export const patternsOver = (patterns: readonly string[], pointer: string): readonly string[] => {
  const tokens = tokensOf(pointer);
  return patterns
    .flatMap((pattern) => {
      const rank = specificity(pattern, tokens);
      return rank === null ? [] : [{ rank, pattern }];
    })
    .toSorted((one, other) => bySpecificity(one.rank, other.rank))
    .map(({ pattern }) => pattern);
};

/** Returns the patterns that cover only members of the value at a pointer. */
export const patternsBelow = (patterns: readonly string[], pointer: string): readonly string[] => {
  const tokens = tokensOf(pointer);
  return patterns.filter((pattern) => {
    const wanted = tokensOf(pattern);
    return (
      wanted.length > tokens.length &&
      tokens.every((token, depth) => wanted[depth] === '*' || wanted[depth] === token)
    );
  });
};

const covering = <Entry>(entries: Readonly<Record<string, Entry>>, pointer: string): readonly Entry[] =>
  patternsOver(Object.keys(entries), pointer).flatMap((pattern) => entries[pattern] ?? []);

/** Returns the label at a pointer. */
export const labelAt = (labels: Labels, pointer: string, otherwise: Label = unlabelled): Label => {
  const covered = covering(labels, pointer);
  return {
    integrity: covered.find(({ integrity }) => integrity !== undefined)?.integrity ?? otherwise.integrity,
    readers: covered.find(({ readers }) => readers !== undefined)?.readers ?? otherwise.readers,
  };
};

/**
 * Returns the label of the value at a pointer of a document. A text may have in it what the labels take for members, as one
 * in JSON has: it is no more trusted than they are.
 */
export const labelIn = (
  document: unknown,
  labels: Labels,
  pointer: string,
  otherwise: Label = unlabelled,
): Label => {
  const label = labelAt(labels, pointer, otherwise);
  const below = patternsBelow(Object.keys(labels), pointer);
  if (below.length === 0 || typeof valueAt(document, pointer, '') !== 'string') return label;
  return below.map((pattern) => labelAt(labels, pattern, otherwise)).reduce(joined, label);
};

/** Returns labels that are nowhere more trusting than another label. */
export const lowered = (labels: Labels, by: Label, otherwise: Label): Labels =>
  Object.fromEntries(
    ['', ...Object.keys(labels)].map((pattern) => [pattern, joined(labelAt(labels, pattern, otherwise), by)]),
  );

/** Returns the label of a whole value: the join over every pattern, and over what no pattern covers. */
export const labelOf = (labels: Labels, otherwise: Label = unlabelled): Label =>
  Object.keys(labels)
    .map((pattern) => labelAt(labels, pattern, otherwise))
    .reduce(joined, labelAt(labels, '', otherwise));
