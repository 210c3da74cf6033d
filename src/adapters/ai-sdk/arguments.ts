import { valueBounds } from '../../base/canonical/freeze.ts';

const { depth: mostLevels } = valueBounds;

const endOfString = (text: string, from: number): number => {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at;
};

const isTooDeep = (text: string): boolean => {
  let levels = 0;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (letter === '"') at = endOfString(text, at + 1);
    else if (letter === '{' || letter === '[') levels += 1;
    else if (letter === '}' || letter === ']') levels -= 1;
    if (levels > mostLevels) return true;
  }
  return false;
};

/**
 * Returns the raw arguments of a call; a note instead if they are nested too deeply.
 *
 * The SDK copies parsed arguments recursively, which would overflow the stack. It reports invalid JSON to the
 * model itself.
 */
export const argumentsText = (text: string): string =>
  isTooDeep(text) ? `The arguments are nested deeper than ${mostLevels} levels, and were not read` : text;

/** Parses the arguments of a call as the SDK does; `undefined` for invalid JSON. */
export const readArgumentsText = (text: string): unknown => {
  try {
    return text.trim() === '' ? {} : JSON.parse(text);
  } catch {
    return undefined;
  }
};
