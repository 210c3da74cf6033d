import { basename } from 'node:path';
import { inFolder, numberIn, run } from './spin.ts';

/** A model, and what is defined in it. */
export interface Source {
  readonly file: string;
  readonly defines: readonly string[];
  /** The number of the property that the shortest way is told of; 0 for none. */
  readonly shown: number;
}

/** What a model says of itself by says.pml, with numbers for properties and endings. */
export interface Walk {
  /** How many states Spin stores. */
  readonly states: number;
  readonly broken: readonly number[];
  readonly ended: readonly number[];
  /** The shortest way to where the property breaks that is shown. */
  readonly way: readonly string[];
}

/** Has Spin translate a model, and compiles it. */
export const prepare = async (
  folder: string,
  { file, defines, shown }: Source,
  flags: readonly string[],
): Promise<void> => {
  const given = [...defines, `SHOWN=${shown}`];
  await run(folder, 'spin', ...given.map((one) => `-D${one}`), '-a', file);
  await run(folder, 'gcc', '-w', '-DNOREDUCE', ...flags, '-o', 'pan', 'pan.c');
};

/** What a replay tells: steps alone, without what was found on the way and how Spin closes. */
export const stepsIn = (replay: string): readonly string[] => {
  const lines = replay.split('\n').map((line) => line.trim());
  const end = lines.findIndex((line) => /^(?:pan:|spin:)/.test(line));
  return lines.slice(0, end).filter((line) => line !== '' && !/^(?:broken|ended)/.test(line));
};

const numbersAfter = (said: string, word: string): readonly number[] =>
  [...said.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, number]) => Number(number));

/** Visits every state, in breadth. `size` is the power of two of states that Spin expects. */
export const walk = (source: Source, size: number): Promise<Walk> =>
  inFolder(async (folder) => {
    await prepare(folder, source, ['-DSAFETY', '-DBFS', size > 20 ? '-O2' : '-O0']);
    const said = await run(folder, './pan', '-E', '-c0', '-e', `-w${size}`);
    const isShown = numberIn(said, /errors: (\d+)/) > 0;
    const trail = `${basename(source.file)}1.trail`;
    return {
      states: numberIn(said, /^\s*(\d+) states, stored/m),
      broken: numbersAfter(said, 'broken'),
      ended: numbersAfter(said, 'ended'),
      way: isShown ? stepsIn(await run(folder, './pan', '-r', trail, '-n')) : [],
    };
  });
