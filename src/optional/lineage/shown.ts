/** All but letters, marks, digits and harmless punctuation, and the word `end`, which would close a block. */
const special = /[^\p{L}\p{M}\p{N} .,?!-]|\b[eE](?=[nN][dD]\b)/gu;

/**
 * Returns a foreign text for a diagram: one line, at most `most` characters, plain text only.
 *
 * Characters of the grammar become Mermaid entity codes. Control and format characters, which could reverse the
 * line, become U+FFFD.
 */
export const shown = (text: string, most: number): string => {
  const words = text.replaceAll(/\s+/gu, ' ').trim();
  const characters = Array.from(words.slice(0, 2 * most + 2)); // one or two code units each
  const short = characters.length > most ? `${characters.slice(0, most).join('')}…` : words;
  return short
    .replaceAll(/\p{C}/gu, '\ufffd')
    .replaceAll(special, (character) => `#${character.codePointAt(0)};`);
};
