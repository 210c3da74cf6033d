import type { UserConsoleLog } from 'vitest';
import { DefaultReporter, type TestModule, type TestSpecification } from 'vitest/node';

/** A run of as many files prints a line for each, and what its tests log. */
const few = 20;

/** Prints failures, warnings, and every twentieth of the run that is done. */
export class ShortReporter extends DefaultReporter {
  #files = 0;
  #ended = 0;

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    this.#files = specifications.length;
    this.#ended = 0;
    super.onTestRunStart(specifications);
  }

  protected override printTestModule(testModule: TestModule): void {
    const before = Math.floor((20 * this.#ended) / this.#files);
    this.#ended += 1;
    const twentieths = Math.floor((20 * this.#ended) / this.#files);
    if (this.#files <= few || testModule.state() === 'failed') super.printTestModule(testModule);
    else if (twentieths > before) this.log(`${5 * twentieths} % of ${this.#files} files`);
  }

  override onUserConsoleLog(log: UserConsoleLog): void {
    if (this.#files <= few || log.type === 'stderr') super.onUserConsoleLog(log);
  }
}
