/** How the generated part is written: constants as macros, conditions over all of something, and tables. */

export const define = (name: string, body: string | number): string => `#define ${name} ${body}`;

export const any = (conditions: readonly string[]): string => `(${['false', ...conditions].join(' || ')})`;
export const every = (conditions: readonly string[]): string => `(${['true', ...conditions].join(' && ')})`;
export const each = (steps: readonly string[]): string => ['skip', ...steps].join('; ');
export const isOneOf = (numbers: readonly number[]): string =>
  any(numbers.map((number) => `(one) == ${number}`));

export const places = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** A constant of each thing, by its place; another for every other number. */
export const table = (
  name: string,
  values: readonly (string | number)[],
  otherwise: string | number = 0,
): string =>
  define(
    `${name}(at)`,
    values.reduceRight<string>(
      (rest, value, at) => `((at) == ${at} -> ${value} : ${rest})`,
      String(otherwise),
    ),
  );

/** A number of each pair that has one, by the places of both; 0 for every other pair. */
export const pairs = (name: string, rows: readonly (readonly number[])[]): string =>
  define(
    `${name}(at, of)`,
    rows
      .flatMap((row, at) => row.map((value, of) => ({ value, at, of })))
      .filter(({ value }) => value !== 0)
      .reduceRight<string>(
        (rest, { value, at, of }) => `((at) == ${at} && (of) == ${of} -> ${value} : ${rest})`,
        '0',
      ),
  );

/** What holds under the class that the run began under, and under the one that may come into force. */
export const inForce = (begun: boolean, current: boolean): string => {
  if (begun) return current ? 'true' : '!isTight';
  return current ? 'isTight' : 'false';
};
