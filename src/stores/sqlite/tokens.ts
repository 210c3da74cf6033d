import { uuidOfHex } from './names.ts';

// Digests, UUIDs, trace ids and times as bytes outside the text: deflate cannot shorten them, and keeps their hex digits.

const isoTime = (hex: string): string => new Date(Number.parseInt(hex, 16)).toISOString();

interface Kind {
  readonly bytes: number;
  readonly text: (hex: string) => string;
  /** The kind that begins as the last value of this kind did, and is written without that beginning. */
  readonly near?: Mark;
  /** The kind of the values that this one is near. */
  readonly of?: Mark;
}

type Mark = '\u0001' | '\u0002' | '\u0003' | '\u0004' | '\u0006' | '\u0007';

/** The kinds of values. Each is written as a control character, which JSON never contains. */
const kinds: Readonly<Record<Mark, Kind>> = {
  '\u0001': { bytes: 32, text: (hex) => hex },
  '\u0002': { bytes: 16, text: uuidOfHex, near: '\u0006' },
  '\u0003': { bytes: 16, text: (hex) => hex },
  '\u0004': { bytes: 6, text: isoTime, near: '\u0007' },
  '\u0006': { bytes: 16, text: uuidOfHex, of: '\u0002' },
  '\u0007': { bytes: 6, text: isoTime, of: '\u0004' },
};

/** How much of a value is left out after one that begins alike: UUIDs of version 7 and times within some hours do. */
const sharedBytes = 3;
const sharedDigits = sharedBytes * 2;

/** The character before the number of a value that was written before. */
const again = '\u0005';
/** Stands for the head of the task, which has a place of its own. */
const headMark = '\u0008';
/** The character of value 0. */
const zero = 0x20;
/** The characters after it are surrogates. */
const maxValues = 0xd800 - zero;

/** The maximum length of all values in bytes: a pack has two bytes for it. Further values stay in the text. */
export const maxValueBytes = 2 ** 16 - 1;
const lastDigits = (maxValueBytes - 32) * 2;

/** A value after a quotation mark or a colon. All begin with four digits: that makes the search quick. */
const value =
  /[":][0-9a-f]{4}(?:[0-9a-f]{4}(?:[0-9a-f]{24}(?:[0-9a-f]{32})?|(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)/g;

/** Returns the kind of a value and its bytes as hex digits; `null` if it cannot be restored from them. */
const parsed = (text: string): readonly [Mark, hex: string] | null => {
  if (text.length === 64) return ['\u0001', text];
  if (text.length === 36) return ['\u0002', text.replaceAll('-', '')];
  if (text.length === 32) return ['\u0003', text];
  const time = Date.parse(text);
  if (!(time >= 0) || new Date(time).toISOString() !== text) return null;
  return ['\u0004', time.toString(16).padStart(12, '0')];
};

export interface Writer {
  /** Returns the text with its values replaced. */
  readonly write: (text: string) => string;
  /** Returns the values of all texts so far. */
  readonly values: () => Buffer;
}

/** Returns whether the values of a text can be replaced: it must not contain the characters that replace them. */
// oxlint-disable-next-line no-control-regex -- these are the characters
export const isReplaceable = (text: string): boolean => !/[\u0001-\u0008]/.test(text);

/** Creates a writer for the texts of a task; `head` is its head in hex digits. */
export const createWriter = (head: string): Writer => {
  const known = new Map([[head, headMark]]);
  const begun = new Map<Mark, string>();
  let hex = '';
  const add = ([mark, digits]: readonly [Mark, hex: string]): Mark => {
    const { near } = kinds[mark];
    const begin = digits.slice(0, sharedDigits);
    const isNear = near !== undefined && begun.get(mark) === begin;
    begun.set(mark, begin);
    hex += isNear ? digits.slice(sharedDigits) : digits;
    return isNear ? near : mark;
  };
  return {
    write: (text) =>
      text.replace(value, (found) => {
        const [before, name] = [found.charAt(0), found.slice(1)];
        const written = known.get(name);
        if (written !== undefined) return before + written;
        const hasRoom = known.size < maxValues && hex.length <= lastDigits;
        const made = hasRoom ? parsed(name) : null;
        if (made === null) return found;
        known.set(name, again + String.fromCharCode(zero + known.size - 1)); // the head has no number
        return before + add(made);
      }),
    values: () => Buffer.from(hex, 'hex'),
  };
};

/** Returns a function that restores texts, in the order in which they were written. */
export const createReader = (values: Buffer, head: string): ((text: string) => string) => {
  const known: string[] = [];
  const begun = new Map<Mark, string>();
  let at = 0;
  const take = (mark: Mark): string => {
    const { bytes, text, of } = kinds[mark];
    const begin = of === undefined ? '' : (begun.get(of) ?? '');
    const digits = begin + values.toString('hex', at, (at += bytes - begin.length / 2));
    begun.set(of ?? mark, digits.slice(0, sharedDigits));
    return text(digits);
  };
  // oxlint-disable-next-line no-control-regex -- these are the characters
  const replaced = /[\u0001-\u0004\u0006-\u0008]|\u0005[^]/g;
  return (text) =>
    text.replace(replaced, (found) => {
      if (found.startsWith(again)) return known[found.charCodeAt(1) - zero] ?? '';
      if (found === headMark) return head;
      const made = take(found as Mark);
      known.push(made);
      return made;
    });
};
