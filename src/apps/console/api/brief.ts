/** The maximum of characters of a payload in a list. Exports hold longer ones. */
const maxCharacters = 65_536;

/** Returns a document for a list. A payload that is too long is replaced by a note. */
export const brief = <Document extends { readonly payload?: unknown }>(document: Document): Document => {
  const { length } = JSON.stringify(document.payload ?? null);
  if (length <= maxCharacters) return document;
  const note = `${length.toLocaleString('en')} characters; the exports contain the whole payload`;
  return { ...document, payload: { 'too long to show here': note } };
};
