/** Scripts whose letters join, and whose readers need the joiners U+200C and U+200D between them. */
const joining =
  '\\p{scx=Arabic}\\p{scx=Syriac}\\p{scx=Nko}\\p{scx=Mongolian}\\p{scx=Devanagari}\\p{scx=Bengali}\\p{scx=Gurmukhi}\\p{scx=Gujarati}\\p{scx=Oriya}\\p{scx=Tamil}\\p{scx=Telugu}\\p{scx=Kannada}\\p{scx=Malayalam}\\p{scx=Sinhala}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Tibetan}';
const letter = `(?:(?=[\\p{L}\\p{M}])[${joining}])`;
const picture = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\ufe0f]';

/** Invisible characters that a reader needs: between letters that join, and within one emoji. */
const needed = [
  `(?<=${letter})[\\u200c\\u200d](?=${letter})`,
  `(?<=${picture})\\u200d(?=\\p{Extended_Pictographic})`,
  '(?<=\\p{Extended_Pictographic})\\ufe0f',
].join('|');

/**
 * Characters that no reader sees, or that change where and in which order others are shown: control and format
 * characters, line separators, unassigned and private ones, lone surrogates, blanks that are no spaces, and marks on marks.
 */
const hidden = '[\\p{C}\\p{Zl}\\p{Zp}\\p{DI}\\u2800]|(?<=\\p{M}{6})\\p{M}';

/** Compiled at first use: the tables of Unicode take milliseconds, and most programs start without a text from outside. */
const atFirstUse = (source: string): (() => RegExp) => {
  let compiled: RegExp | undefined;
  return () => (compiled ??= new RegExp(source, 'gu'));
};
const unseen = atFirstUse(`(?!${needed})(?:${hidden})`);
const unseenAnywhere = atFirstUse(hidden);

const spacedOnce = (text: string): string => text.replaceAll(/\p{Zs}+/gu, ' ').trim();

/**
 * What a name looks like: names that are equal here could be taken for one another. They differ by Unicode form, by case, by
 * blanks or by characters that no reader sees. Letters of two scripts that look alike stay apart.
 */
export const likenessOf = (name: string): string => {
  const shown = name.normalize('NFKC').replaceAll(unseenAnywhere(), '');
  const folded = shown.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase(); // sharp s and sigma have several small forms
  return spacedOnce(folded.normalize('NFKC'));
};

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** A text from outside on one line: each character that no reader sees is the escape that JSON has for it, as in `\u202e`. */
export const oneLine = (text: string): string => text.replaceAll(unseen(), escaped);

const inLines = (text: string): readonly string[] =>
  text.replaceAll('\r\n', '\n').replaceAll('\t', '  ').split('\n').map(oneLine);

/** A text from outside that keeps its lines: for a place where none of our own lines stands. */
export const manyLines = (text: string): string => inLines(text).join('\n');

/** What each line of a text from outside begins with, except the first. */
const mark = '> ';

/** The longest text from outside that is kept where people read it, in UTF-16 code units. */
export const mostText = 8_000;

const cut = (text: string, most: number): string => {
  if (text.length <= most) return text;
  const more = ` … (${text.length.toLocaleString('en')} characters in all)`;
  return text.slice(0, most - more.length).replace(/[\ud800-\udbff]$/, '') + more;
};

/**
 * A text from outside among our own: every line but the first begins with `> `, so that none can stand for one of ours,
 * and it is cut at `most` characters. Marking a text twice changes nothing.
 */
export const markedLines = (text: string, most = mostText): string => {
  const [first = '', ...rest] = inLines(cut(text, most));
  return cut([first, ...rest.map((line) => (line.startsWith(mark) ? line : mark + line))].join('\n'), most);
};

/** JSON that reads as the same value everywhere, and in which every reader sees every character. */
export const visibleJson = (value: unknown, indent?: number): string =>
  (JSON.stringify(value, null, indent) ?? 'null').split('\n').map(oneLine).join('\n');

/** A name from outside in a sentence of ours: quoted, every character visible, and cut. */
export const shownName = (name: string): string => visibleJson(cut(name, 128));

/** Names from outside in a sentence of ours: the first ones, and how many more there are. */
export const shownNames = (names: readonly string[], most = 20): string => {
  const rest = names.length > most ? ` and ${names.length - most} more` : '';
  return names.slice(0, most).map(shownName).join(', ') + rest;
};

/** A copy of a JSON value for people, not for programs: its keys and texts are on one line each. */
export const visibleValue = (value: unknown): unknown => {
  if (typeof value === 'string') return oneLine(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(visibleValue);
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [oneLine(key), visibleValue(member)]),
  );
};
