import type { Context, Fact } from '../../../machines/index.ts';
import { factsIn } from './facts.ts';
import { projectRun, projectTightened } from './project.ts';
import { inputIn, type World } from './world.ts';

/** Returns the options of `explore` for a world. */
export const inWorld = (world: World) => ({
  input: inputIn(world),
  events: ({ context }: { readonly context: Context }): readonly Fact[] => factsIn(world, context),
  project: world.tightened === undefined ? projectRun : projectTightened,
});
