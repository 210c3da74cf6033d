import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  credentialsIn,
  decoded,
  hidden,
  withoutCredentials,
  withoutParts,
} from '../../base/boundary/credentials.ts';
import { oneLine } from '../../base/text/foreign-text.ts';

const spellingsOf = (word: string, cwd: string): readonly string[] => {
  const path = resolve(cwd, word);
  const spelt = [word, path, pathToFileURL(path).href, JSON.stringify(word).slice(1, -1)];
  return spelt.flatMap((text) => [text, oneLine(text)]);
};

/** How the printers of a command hide the credentials of its command line. */
export interface Hiding {
  /** Hides each word that has credentials, however it is spelt. */
  readonly words: (text: string) => string;
  /** Hides each password too. It could be a word of the data: only for messages. */
  readonly all: (text: string) => string;
}

/** A password shorter than this is hidden within its word only: it would be found in any text. */
const shortest = 4;

/** Returns what hides the credentials that the words of a command line have. */
export const hidingOf = (words: readonly string[], cwd: string): Hiding => {
  const given = words
    .flatMap((word) => [word, word.replace(/^-+[^=]*=/u, '')])
    .filter((word) => !word.includes('\0') && withoutCredentials(word) !== word);
  const inWords = (text: string): string =>
    given.reduce(
      (shown, word) => withoutParts(shown, spellingsOf(word, cwd), withoutCredentials(word)),
      text,
    );
  const secrets = given
    .flatMap((word) => [...credentialsIn(word), ...credentialsIn(decoded(word))])
    .flatMap((secret) => [secret, oneLine(secret)])
    .filter((secret) => secret.length >= shortest);
  return { words: inWords, all: (text) => withoutParts(inWords(text), secrets, hidden) };
};
