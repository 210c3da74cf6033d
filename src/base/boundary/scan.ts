import { unreadable } from '../canonical/unreadable.ts';

/** The limits of one document: `bytes` of UTF-8, `depth` of nested containers, `keys` of all objects together. */
export interface ReadLimits {
  readonly bytes: number;
  readonly depth: number;
  readonly keys: number;
}

interface Level {
  /** The keys of an object so far; `undefined` for an array. */
  readonly seen: Set<string> | undefined;
  key: string | number;
}

const isDigits = (text: string): boolean => /^\d+$/.test(text);

/**
 * Refuses what `JSON.parse` accepts silently: excessive depth, too many keys, a duplicate key, an inexact number
 * (RFC 7493 2.2, 2.3). The text must be valid JSON.
 */
export function scan(document: string, text: string, limits: ReadLimits): void {
  const levels: Level[] = [];
  let keys = 0;
  let awaitsKey = false;

  const refuse = (reason: string, accepted: string): never => {
    throw unreadable(
      document,
      levels.map(({ key }) => key),
      reason,
      accepted,
    );
  };

  const enter = (seen?: Set<string>): void => {
    if (levels.length === limits.depth) refuse('it is nested too deeply', `a depth of ${limits.depth}`);
    levels.push({ seen, key: seen === undefined ? 0 : '' });
    awaitsKey = seen !== undefined;
  };

  const checkKey = (level: Level, key: string): void => {
    level.key = key;
    keys += 1;
    if (keys > limits.keys) refuse('it is one key too many', `${limits.keys} keys in all`);
    if (level.seen?.has(key) === true) refuse('the key occurs twice', 'each key once');
    level.seen?.add(key);
  };

  // The sign is not part of this literal, and does not matter.
  const checkNumber = (literal: string): void => {
    const value = Number(literal);
    if (!Number.isFinite(value)) refuse('it is too large for a number', 'a finite double');
    // 2e19 is refused too: it would be written as 20000000000000000000, which could not be read back.
    if (!Number.isSafeInteger(value) && (isDigits(literal) || isDigits(String(value)))) {
      refuse('it is an integer that not every reader holds exactly', 'up to 2^53-1, or a string');
    }
  };

  let at = 0;
  while (at < text.length) {
    const start = at;
    const char = text.charAt(at);
    const level = levels.at(-1);
    at += 1;
    if (char === '{') enter(new Set());
    else if (char === '[') enter();
    else if (char === '}' || char === ']') levels.pop();
    else if (char === ',') {
      awaitsKey = level?.seen !== undefined;
      if (typeof level?.key === 'number') level.key += 1;
    } else if (char === '"') {
      while (text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
      at += 1;
      if (awaitsKey && level !== undefined) checkKey(level, JSON.parse(text.slice(start, at)) as string);
      awaitsKey = false;
    } else if (char >= '0' && char <= '9') {
      while (/[\d.eE+-]/.test(text.charAt(at))) at += 1;
      checkNumber(text.slice(start, at));
    }
  }
}
