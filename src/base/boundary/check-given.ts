import { isObject } from './is-object.ts';
import { refusal } from './parse-document.ts';

const kindOf = (value: unknown): string => {
  if (value === null || value === undefined) return String(value);
  return Array.isArray(value) ? 'an array' : `a value of type ${typeof value}`;
};

/** Throws `document_invalid` for the first argument of an operation that is not a text, such as the id of a task. */
export const checkTexts = (operation: string, given: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(given))
    if (typeof value !== 'string')
      throw refusal(`${operation}()`, [
        { path: `/${name}`, message: `expected a text, not ${kindOf(value)}` },
      ]);
};

/** Throws `document_invalid` for an argument that is not an object; `example` shows one that is. */
export const checkIsObject = (operation: string, value: unknown, example: string): void => {
  if (isObject(value)) return;
  throw refusal(`${operation}()`, [{ path: '', message: `expected ${example}, not ${kindOf(value)}` }]);
};
