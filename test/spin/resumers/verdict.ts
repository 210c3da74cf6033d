import { fileURLToPath } from 'node:url';
import { once } from '../once.ts';
import { inFolder, numberIn, run } from '../spin.ts';
import { prepare, stepsIn, walk, type Source } from '../walk.ts';
import { endings, properties, type Ending, type Property, type Size, type Variant } from './variants.ts';

/** What Spin says of the resumers. */
export interface Verdict {
  readonly states: number;
  readonly breaks: readonly Property[];
  readonly ends: readonly Ending[];
  /** The shortest way to where the property breaks that is shown; of a task that never ends, what is done over and over. */
  readonly way: readonly string[];
}

const file = fileURLToPath(new URL('resumers.pml', import.meta.url));

const sourceOf = ({ switches, processes, crashes, shows }: Variant): Source => ({
  file,
  defines: [...switches, `N=${processes}`, `CRASHES=${crashes}`],
  shown: shows === null ? 0 : properties.indexOf(shows) + 1,
});

/** What can be done over and over: where nothing can, every run ends, and no fairness is needed for it. */
const round = (variant: Variant): Promise<readonly string[]> =>
  inFolder(async (folder) => {
    await prepare(folder, sourceOf({ ...variant, shows: null }), ['-DNP', '-O0']);
    const said = await run(folder, './pan', '-l', '-E', '-w16', '-m10000');
    if (said.includes('max search depth too small')) throw new Error('Spin did not search to the end');
    if (numberIn(said, /errors: (\d+)/) === 0) return [];
    const [, over = ''] = (await run(folder, './pan', '-r', 'resumers.pml.trail', '-n')).split(
      'START OF CYCLE>>>>>',
    );
    return stepsIn(over);
  });

/** Has Spin walk a variant; of the larger ones, whether they end is asked where nothing more happens alone. */
export const verdictOn = once(async (variant: Variant): Promise<Verdict> => {
  const { states, broken, ended, way } = await walk(sourceOf(variant), variant.processes > 2 ? 26 : 16);
  const found = {
    states,
    breaks: properties.filter((_, at) => broken.includes(at + 1)),
    ends: endings.filter((_, at) => ended.includes(at + 4)),
    way,
  };
  if (found.breaks.length > 0 || variant.processes > 2) return found;
  const over = await round(variant);
  return over.length === 0 ? found : { ...found, breaks: ['ends'], way: over };
});

/** A variant with more processes, or more crashes. */
export const enlarged = (variant: Variant, { processes, crashes, states }: Size): Variant => ({
  ...variant,
  processes,
  crashes,
  states,
});
