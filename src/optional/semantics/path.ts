/** The path of the payload itself. */
export const rootPath = '$';

const plain = /^[\p{L}\p{N}_$@:-]+$/u;

const before = (path: string): string => (path === rootPath ? '' : path);

const after = (path: string, segment: string): string => (path === rootPath ? segment : `${path}.${segment}`);

/** Quotes a name as JSON, with all control characters escaped. */
const quoted = (name: string): string =>
  JSON.stringify(name).replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Returns the path of a member: `candidates[].email`. Special names are quoted: `a["b.c"]`. */
export const memberPath = (path: string, name: string): string =>
  plain.test(name) && after(path, name) !== rootPath ? after(path, name) : `${before(path)}[${quoted(name)}]`;

/** Returns the path of undeclared members: `prices.*`. */
export const anyMemberPath = (path: string): string => after(path, '*');

/** Returns the path of an array's elements, `candidates[]`, or of a tuple position, `range[0]`. */
export const elementPath = (path: string, index?: number): string => `${before(path)}[${index ?? ''}]`;

/** A segment of a path: a member, array elements or one index, or undeclared members. */
export type Segment =
  | { readonly kind: 'member'; readonly name: string }
  | { readonly kind: 'element'; readonly index: number | null }
  | { readonly kind: 'any' };

const segment =
  /\.?(?:(?<any>\*)|(?<plain>[\p{L}\p{N}_$@:-]+)|\[(?:(?<index>\d*)|(?<quoted>"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"))\])/uy;

const stepOf = ({ any, plain: name, index, quoted: text }: Record<string, string | undefined>): Segment => {
  if (any !== undefined) return { kind: 'any' };
  if (name !== undefined) return { kind: 'member', name };
  if (text !== undefined) return { kind: 'member', name: String(JSON.parse(text)) };
  return { kind: 'element', index: index === undefined || index === '' ? null : Number(index) };
};

/** Returns the segments of a path; `undefined` if it is invalid. */
export function segmentsOf(path: string): readonly Segment[] | undefined {
  if (path === rootPath) return [];
  const steps: Segment[] = [];
  segment.lastIndex = 0;
  while (segment.lastIndex < path.length) {
    const isFirst = segment.lastIndex === 0;
    const hasDot = path[segment.lastIndex] === '.';
    const match = segment.exec(path);
    if (match === null) return undefined;
    const step = stepOf(match.groups ?? {});
    const isBracketed = match[0].includes('[');
    if (hasDot === (isFirst || isBracketed)) return undefined;
    steps.push(step);
  }
  return path === '' ? undefined : steps;
}

const stepAfter = (path: string, step: Segment): string => {
  switch (step.kind) {
    case 'member':
      return memberPath(path, step.name);
    case 'element':
      return elementPath(path, step.index ?? undefined);
    case 'any':
      return anyMemberPath(path);
  }
};

/** The limits of a path. */
export const pathLimits = { steps: 64, index: 1_000 };

/** Returns whether a path is within the limits. */
export const isWithinLimits = (steps: readonly Segment[]): boolean =>
  steps.length <= pathLimits.steps &&
  steps.every((step) => step.kind !== 'element' || (step.index ?? 0) < pathLimits.index) &&
  steps.every((step) => step.kind !== 'member' || step.name !== '__proto__');

/** Returns the path of segments. */
export const pathOf = (steps: readonly Segment[]): string => {
  let path = rootPath;
  for (const step of steps) path = stepAfter(path, step);
  return path;
};
