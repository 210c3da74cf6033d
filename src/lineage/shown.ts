/** All but letters, marks, digits and what means nothing to the grammar; the word `end`, which closes a block, too. */
const special = /[^\p{L}\p{M}\p{N} .,?!-]|\b[eE](?=[nN][dD]\b)/gu;

/**
 * A text from outside as a diagram shows it: on one line, of at most `most` characters, and nothing but text.
 *
 * What the grammar could take for its own is an entity code of Mermaid; a control or format character, which could turn
 * the line round, is U+FFFD.
 */
export const shown = (text: string, most: number): string => {
  const words = text.replaceAll(/\s+/gu, ' ').trim();
  const characters = Array.from(words.slice(0, 2 * most + 2)); // of one or two code units each
  const short = characters.length > most ? `${characters.slice(0, most).join('')}…` : words;
  return short
    .replaceAll(/\p{C}/gu, '\ufffd')
    .replaceAll(special, (character) => `#${character.codePointAt(0)};`);
};
