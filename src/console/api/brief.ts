/** Characters of a payload that a list of documents shows: longer ones are in the exports. */
const most = 65_536;

/** A document for a list of them: a payload that is too long says so instead. */
export const brief = <Document extends { readonly payload?: unknown }>(document: Document): Document => {
  const { length } = JSON.stringify(document.payload ?? null);
  if (length <= most) return document;
  const told = `${length.toLocaleString('en')} characters: the exports have them`;
  return { ...document, payload: { 'too long to be shown here': told } };
};
