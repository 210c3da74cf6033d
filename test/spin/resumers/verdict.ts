import { fileURLToPath } from 'node:url';
import { once } from '../once.ts';
import { inFolder, numberIn, run } from '../spin.ts';
import { endings, properties, type Ending, type Property, type Size, type Variant } from './variants.ts';

/** What Spin says of the resumers. */
export interface Verdict {
  readonly states: number;
  readonly breaks: readonly Property[];
  readonly ends: readonly Ending[];
  /** The shortest way to where the property breaks that is shown; of a task that never ends, what is done over and over. */
  readonly way: readonly string[];
}

const source = fileURLToPath(new URL('resumers.pml', import.meta.url));
const trail = 'resumers.pml';

const prepare = async (folder: string, variant: Variant, flags: readonly string[]): Promise<void> => {
  const { switches, processes, crashes, shows } = variant;
  const shown = shows === null ? 0 : properties.indexOf(shows) + 1;
  const given = [...switches, `N=${processes}`, `CRASHES=${crashes}`, `SHOWN=${shown}`];
  await run(folder, 'spin', ...given.map((one) => `-D${one}`), '-a', source);
  await run(folder, 'gcc', '-w', '-DNOREDUCE', ...flags, '-o', 'pan', 'pan.c');
};

/** What a replay tells: steps alone, without what was found on the way and how Spin closes. */
const stepsIn = (replay: string): readonly string[] => {
  const lines = replay.split('\n').map((line) => line.trim());
  const end = lines.findIndex((line) => /^(?:pan:|spin:)/.test(line));
  return lines.slice(0, end).filter((line) => line !== '' && !/^(?:broken|ended)/.test(line));
};

const numbersAfter = (said: string, word: string): readonly number[] =>
  [...said.matchAll(new RegExp(`^${word} (\\d+)$`, 'gm'))].map(([, number]) => Number(number));

/** Every state, in breadth: all properties at once, and the shortest way to the one that is shown. */
const walk = (variant: Variant): Promise<Verdict> =>
  inFolder(async (folder) => {
    const isLarge = variant.processes > 2;
    await prepare(folder, variant, ['-DSAFETY', '-DBFS', isLarge ? '-O2' : '-O0']);
    const said = await run(folder, './pan', '-E', '-c0', '-e', `-w${isLarge ? 26 : 16}`);
    const broken = numbersAfter(said, 'broken');
    const ended = numbersAfter(said, 'ended');
    const isShown = numberIn(said, /errors: (\d+)/) > 0;
    return {
      states: numberIn(said, /^\s*(\d+) states, stored/m),
      breaks: properties.filter((_, at) => broken.includes(at + 1)),
      ends: endings.filter((_, at) => ended.includes(at + 4)),
      way: isShown ? stepsIn(await run(folder, './pan', '-r', `${trail}1.trail`, '-n')) : [],
    };
  });

/** What can be done over and over: where nothing can, every run ends, and no fairness is needed for it. */
const round = (variant: Variant): Promise<readonly string[]> =>
  inFolder(async (folder) => {
    await prepare(folder, { ...variant, shows: null }, ['-DNP', '-O0']);
    const said = await run(folder, './pan', '-l', '-E', '-w16', '-m10000');
    if (said.includes('max search depth too small')) throw new Error('Spin did not search to the end');
    if (numberIn(said, /errors: (\d+)/) === 0) return [];
    const [, over = ''] = (await run(folder, './pan', '-r', `${trail}.trail`, '-n')).split(
      'START OF CYCLE>>>>>',
    );
    return stepsIn(over);
  });

/** Has Spin walk a variant; of the larger ones, whether they end is asked where nothing more happens alone. */
export const verdictOn = once(async (variant: Variant): Promise<Verdict> => {
  const found = await walk(variant);
  if (found.breaks.length > 0 || variant.processes > 2) return found;
  const way = await round(variant);
  return way.length === 0 ? found : { ...found, breaks: ['ends'], way };
});

/** A variant with more processes, or more crashes. */
export const enlarged = (variant: Variant, { processes, crashes, states }: Size): Variant => ({
  ...variant,
  processes,
  crashes,
  states,
});
