import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { onOneLine, type Change } from '../verdict.ts';
import { instrumented, mutantsIn, type Numbered, type SourceMutant } from './mutants.ts';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

const switchFile = fileURLToPath(new URL('switch.ts', import.meta.url));

const sources = new Map<string, string>();

/** A source as it was when it was first read: a run that takes long names its mutants by what it judged. */
const sourceOf = (file: string): string => {
  const source = sources.get(file) ?? readFileSync(join(root, file), 'utf8');
  sources.set(file, source);
  return source;
};

/** The condition by which the charts keep what guards ask of a context. It would keep it across mutants: here it always holds. */
const memory = { file: 'machines/owed.ts', condition: 'last?.of !== c' };

const isOfMemory = ({ file, start, end }: SourceMutant): boolean =>
  file === memory.file && sourceOf(file).slice(start, end).includes(memory.condition);

/** Every mutant of the sources of the charts; its number is its place in this list, counted from 1. */
export const chartMutants: readonly SourceMutant[] = readdirSync(join(root, 'machines'), {
  recursive: true,
  encoding: 'utf8',
})
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `machines/${name.replaceAll('\\', '/')}`)
  .toSorted()
  .flatMap((file) => mutantsIn(file, sourceOf(file)))
  .filter((mutant) => !isOfMemory(mutant));

/** Returns the mutant of a number. */
export const mutantOf = (number: number): SourceMutant => {
  const mutant = chartMutants[number - 1];
  if (mutant === undefined) throw new Error(`There is no mutant ${number} of ${chartMutants.length}.`);
  return mutant;
};

/** Returns a source of the charts with all its mutants in it; `null` for any other file. */
export const instrumentedSource = (path: string): string | null => {
  const file = relative(root, path).replaceAll('\\', '/');
  const mutants = chartMutants.flatMap((mutant, index): readonly Numbered[] =>
    mutant.file === file ? [[mutant, index + 1]] : [],
  );
  if (mutants.length === 0) return null;
  const source = instrumented(sourceOf(file), mutants, switchFile);
  return file === memory.file ? source.replace(memory.condition, 'true') : source;
};

/** A mutant as the list of survivors names it: by its text, for lines move. */
export const changeOf = ({ file, start, end, replacement }: SourceMutant): Change => {
  const source = sourceOf(file);
  const begin = source.lastIndexOf('\n', start) + 1;
  const after = source.indexOf('\n', end);
  return {
    file,
    line: onOneLine(source.slice(begin, after === -1 ? source.length : after)),
    code: onOneLine(source.slice(start, end)),
    replacement: onOneLine(replacement),
  };
};
