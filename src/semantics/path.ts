/** The path of the payload itself. */
export const rootPath = '$';

const plain = /^[\p{L}\p{N}_$@:-]+$/u;

const before = (path: string): string => (path === rootPath ? '' : path);

const after = (path: string, segment: string): string => (path === rootPath ? segment : `${path}.${segment}`);

/** As JSON writes it, and control characters that JSON leaves as they are escaped as well. */
const quoted = (name: string): string =>
  JSON.stringify(name).replaceAll(
    /\p{Cc}/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** The path of a member: `candidates[].email`; a name that could be read as more than a name is quoted: `a["b.c"]`. */
export const memberPath = (path: string, name: string): string =>
  plain.test(name) && after(path, name) !== rootPath ? after(path, name) : `${before(path)}[${quoted(name)}]`;

/** The path of the members that have no name of their own: `prices.*`. */
export const anyMemberPath = (path: string): string => after(path, '*');

/** The path of an array's elements, `candidates[]`, or of the one at a place of its own in a tuple, `range[0]`. */
export const elementPath = (path: string, index?: number): string => `${before(path)}[${index ?? ''}]`;

/** One step of a path: a member, the elements of an array (or the one at an index), the members without a name of their own. */
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

/** The steps of a path, from the payload on; `undefined` for a text that is no path. */
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

/** How far a path may lead in a payload, which is no deeper, and to which place of a tuple. */
export const nearest = { steps: 64, index: 1_000 };

/** Whether a payload can hold what a path leads to. */
export const isNear = (steps: readonly Segment[]): boolean =>
  steps.length <= nearest.steps &&
  steps.every((step) => step.kind !== 'element' || (step.index ?? 0) < nearest.index) &&
  steps.every((step) => step.kind !== 'member' || step.name !== '__proto__');

/** The path of some steps. */
export const pathOf = (steps: readonly Segment[]): string => {
  let path = rootPath;
  for (const step of steps) path = stepAfter(path, step);
  return path;
};
