import { posix } from 'node:path';

/** What is read of `package.json`. */
export interface Manifest {
  readonly version: string;
  readonly files: readonly string[];
  readonly repository?: { readonly url: string };
}

/** Returns the text of the `package.json` of the tarball: without what only a clone uses. */
export const packedManifest = (text: string): string => {
  const kept = Object.entries(JSON.parse(text) as object).filter(
    ([name]) => !['scripts', 'devDependencies', 'knip'].includes(name),
  );
  return `${JSON.stringify(Object.fromEntries(kept), null, 2)}\n`;
};

const isPacked = (path: string, { files }: Manifest): boolean =>
  ['README.md', 'LICENSE', 'package.json'].includes(path) ||
  files.some((entry) => path === entry || path.startsWith(`${entry}/`));

/** Returns the address of the released files, which ends in `/`; `null` until there is a repository. */
const releasedAt = ({ repository, version }: Manifest): string | null =>
  repository === undefined
    ? null
    : `${repository.url.replace(/^git\+/, '').replace(/\.git$/, '')}/blob/v${version}/`;

// Code comes first: what it holds is no link.
const linkOrCode = /^```.*?^```$|`[^`\n]+`|!?\[((?:[^[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)/gms;

/**
 * Returns the text of a page of the tarball: a link to a file that is not in the tarball is the address of that file at
 * the release, or plain text until there is a repository.
 */
export const packedPage = (page: string, text: string, manifest: Manifest): string => {
  const released = releasedAt(manifest);
  return text.replaceAll(linkOrCode, (whole: string, label?: string, link?: string) => {
    if (label === undefined || link === undefined || /^(?:#|\w+:)/.test(link)) return whole;
    const path = posix.join(posix.dirname(page), link);
    if (isPacked(path.replace(/#.*$/, ''), manifest)) return whole;
    return released === null ? label : whole.replace(`](${link})`, `](${released}${path})`);
  });
};
