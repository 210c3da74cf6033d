import type { Context, Fact } from '../../../machines/index.ts';
import { factsIn } from './facts.ts';
import { projectRun, projectTightened } from './project.ts';
import { inputIn, type World } from './world.ts';

/** How either chart is explored in a world: what `explore` takes beside the chart. */
export const inWorld = (world: World) => ({
  input: inputIn(world),
  events: ({ context }: { readonly context: Context }): readonly Fact[] => factsIn(world, context),
  project: world.tightened === undefined ? projectRun : projectTightened,
});
