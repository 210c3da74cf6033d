/** Scripts with joining letters, which need the joiners U+200C and U+200D. */
const joining =
  '\\p{scx=Arabic}\\p{scx=Syriac}\\p{scx=Nko}\\p{scx=Mongolian}\\p{scx=Devanagari}\\p{scx=Bengali}\\p{scx=Gurmukhi}\\p{scx=Gujarati}\\p{scx=Oriya}\\p{scx=Tamil}\\p{scx=Telugu}\\p{scx=Kannada}\\p{scx=Malayalam}\\p{scx=Sinhala}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}';
const letter = `(?:(?=[\\p{L}\\p{M}])[${joining}])`;
const picture = '(?:\\p{Extended_Pictographic}\\ufe0f?|\\p{Emoji_Modifier})';

/** Invisible characters that are needed: between joining letters, and within one emoji. */
const needed = [
  `(?<=${letter})[\\u200c\\u200d](?=${letter})`,
  `(?<=${picture})\\u200d(?=\\p{Extended_Pictographic})`,
  '(?<=\\p{Extended_Pictographic})\\ufe0f',
].join('|');

/**
 * Invisible characters, and characters that change the position or order of others: control, format, unassigned and
 * private characters, line separators, lone surrogates, blanks other than spaces, and stacked marks.
 */
const hidden = '[\\p{C}\\p{Zl}\\p{Zp}\\p{DI}\\u2800]|(?<=\\p{M}{6})\\p{M}';

/**
 * Compiles a regular expression at first use: Unicode tables take milliseconds, and most programs start without
 * foreign text.
 */
const atFirstUse = (source: string): (() => RegExp) => {
  let compiled: RegExp | undefined;
  return () => (compiled ??= new RegExp(source, 'gu'));
};
const invisible = atFirstUse(`(?!${needed})(?:${hidden})`);
const invisibleAnywhere = atFirstUse(hidden);

const spacedOnce = (text: string): string => text.replaceAll(/\p{Zs}+/gu, ' ').trim();

/**
 * Returns a key under which confusable names are equal: names that differ only by Unicode form, case, blanks or
 * invisible characters. Similar letters of two scripts stay different.
 */
export const likenessOf = (name: string): string => {
  const shown = name.normalize('NFKC').replaceAll(invisibleAnywhere(), '');
  const folded = shown.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase(); // sharp s and sigma have several small forms
  return spacedOnce(folded.normalize('NFKC'));
};

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** Returns a foreign text on one line, with each invisible character as its JSON escape, such as `\u202e`. */
export const oneLine = (text: string): string => text.replaceAll(invisible(), escaped);

const inLines = (text: string): readonly string[] =>
  text.replaceAll('\r\n', '\n').replaceAll('\t', '  ').split('\n').map(oneLine);

/** Returns a foreign text with its lines kept, for a place without our own lines. */
export const manyLines = (text: string): string => inLines(text).join('\n');

/** The prefix of each line of a foreign text, except the first. */
const mark = '> ';

/** The maximum length of a foreign text for people, in UTF-16 code units. */
export const mostText = 8_000;

const cut = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const more = ` … (${text.length.toLocaleString('en')} characters in all)`;
  return text.slice(0, most - more.length).replace(/\n?[\ud800-\udbff]?$/, '') + more;
};

/**
 * Returns a foreign text for use among our own lines. Every line but the first begins with `> `, so that none can
 * imitate one of ours. The text is cut at `most` characters. Idempotent.
 */
export const markedLines = (text: string, most = mostText): string => {
  const [first = '', ...rest] = inLines(cut(text, most));
  return cut([first, ...rest.map((line) => (line.startsWith(mark) ? line : mark + line))].join('\n'), most);
};

/** Returns JSON text without invisible characters; it parses to the same value. */
export const visibleJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').split('\n').map(oneLine).join('\n');

/** Returns a foreign text for a sentence: quoted, every character visible, and cut. */
export const quotedText = (text: string, most = 1_000): string => visibleJson(cut(text, most));

/** Returns a foreign name for a message: quoted, every character visible, and cut. */
export const shownName = (name: string): string => quotedText(name, 128);

/** Returns the first of several foreign names for a message, and the number of the others. */
export const shownNames = (names: readonly string[], most = 20): string => {
  const rest = names.length > most ? ` and ${names.length - most} more` : '';
  return names.slice(0, most).map(shownName).join(', ') + rest;
};

/** Returns a copy of a JSON value for people, not for programs: its keys and texts are on one line each. */
export const visibleValue = (value: unknown): unknown => {
  if (typeof value === 'string') return oneLine(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(visibleValue);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [oneLine(key), visibleValue(member)]),
  );
};
