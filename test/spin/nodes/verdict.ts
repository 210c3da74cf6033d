import { fileURLToPath } from 'node:url';
import { once } from '../once.ts';
import { walk } from '../walk.ts';
import { endings, properties, type Ending, type Property, type Variant } from './variants.ts';

/** What Spin says of the nodes. */
export interface Verdict {
  readonly states: number;
  readonly breaks: readonly Property[];
  readonly ends: readonly Ending[];
  /** The shortest way to where the property breaks that is shown. */
  readonly way: readonly string[];
}

const file = fileURLToPath(new URL('nodes.pml', import.meta.url));

/** Has Spin walk a variant. */
export const verdictOn = once(async ({ switches, crashes, shows }: Variant): Promise<Verdict> => {
  const shown = shows === null ? 0 : properties.indexOf(shows) + 1;
  const { states, broken, ended, way } = await walk(
    { file, defines: [...switches, `CRASHES=${crashes}`], shown },
    22,
  );
  return {
    states,
    breaks: properties.filter((_, at) => broken.includes(at + 1)),
    ends: endings.filter((_, at) => ended.includes(at + 1)),
    way,
  };
});
