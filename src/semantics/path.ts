/** The path of the payload itself. */
export const rootPath = '$';

const plain = /^[\p{L}\p{N}_$@:-]+$/u;

const before = (path: string): string => (path === rootPath ? '' : path);

const after = (path: string, segment: string): string => (path === rootPath ? segment : `${path}.${segment}`);

/** The path of a member: `candidates[].email`; a name that could be read as more than a name is quoted: `a["b.c"]`. */
export const memberPath = (path: string, name: string): string =>
  plain.test(name) && after(path, name) !== rootPath
    ? after(path, name)
    : `${before(path)}[${JSON.stringify(name)}]`;

/** The path of the members that have no name of their own: `prices.*`. */
export const anyMemberPath = (path: string): string => after(path, '*');

/** The path of an array's elements, `candidates[]`, or of the one at a place of its own in a tuple, `range[0]`. */
export const elementPath = (path: string, index?: number): string => `${before(path)}[${index ?? ''}]`;
