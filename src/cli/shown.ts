/** Control and format characters, lone surrogates, private ones, and what ends a line: none of them is text. */
const steering = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;

const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
  ).join('');

/** A text from elsewhere on one line: what could steer a terminal, or turn the line round, shows as its escape. */
export const shown = (text: string): string => text.replaceAll(steering, escaped);

/** JSON on one line, which reads as the same value everywhere: the escapes of `shown` are those of JSON. */
export const shownJson = (value: unknown): string => shown(JSON.stringify(value) ?? 'null');
