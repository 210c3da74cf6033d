import { BaseSequencer, type TestSpecification } from 'vitest/node';
import project from '../vitest.config.ts';
import { mutatedAreas } from './areas.ts';

/** Short test files first: one failure is enough to notice a mutant, and vitest begins with the long ones. */
class ShortestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- it is a method of the sequencer
    return (await super.sort(files)).toReversed();
  }
}

// without the projects of the whole suite, which have files of their own
const { projects: _, ...test } = project.test ?? {};

export default {
  ...project,
  test: {
    ...test,
    include: ['test/mutation/loads.test.ts', ...mutatedAreas.flatMap(({ tests }) => tests)],
    exclude: ['**/malformed.test.ts'], // long, and what only a random test notices is worth a sentence
    sequence: { sequencer: ShortestFirst },
  },
};
