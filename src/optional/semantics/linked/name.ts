const escaped = (text: string): string =>
  text.replaceAll(/./gsu, (char) => `%${char.codePointAt(0)?.toString(16).padStart(2, '0')}`);

// `urn` would be read as a prefix of our IRIs, and inherited names break processors
const isTaken = (name: string): boolean => name === 'urn' || name in {};

function written(name: string): string {
  if (name === '') return '%';
  const plain = name.replaceAll(/[%:/]|^@/gu, escaped);
  return isTaken(plain) ? `${escaped(plain.slice(0, 1))}${plain.slice(1)}` : plain;
}

/**
 * Returns a member's name as a JSON-LD term: not a keyword, IRI or empty text. Most names are unchanged.
 *
 * A member `a` of `a` becomes `a%`, because `jsonld` applies the scoped context of a repeated term twice.
 */
export const termName = (name: string, holder?: string): string => {
  const term = written(name);
  return term === holder ? `${term}%` : term;
};
