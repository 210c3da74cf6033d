const escaped = (text: string): string =>
  text.replaceAll(/./gsu, (char) => `%${char.codePointAt(0)?.toString(16).padStart(2, '0')}`);

// A term `urn` would be read as the beginning of our IRIs, and what every object has from birth trips processors.
const isTaken = (name: string): boolean => name === 'urn' || name in {};

function written(name: string): string {
  if (name === '') return '%';
  const plain = name.replaceAll(/[%:/]|^@/gu, escaped);
  return isTaken(plain) ? `${escaped(plain.slice(0, 1))}${plain.slice(1)}` : plain;
}

/**
 * A member's name as JSON-LD takes it for a term: no keyword, no IRI, never empty. Most names stand as they are.
 *
 * A member `a` of an `a` is `a%`: `jsonld` applies a term's context twice where the term stands in it again.
 */
export const termName = (name: string, holder?: string): string => {
  const term = written(name);
  return term === holder ? `${term}%` : term;
};
