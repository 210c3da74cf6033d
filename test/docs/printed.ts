import { existsSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

const charts = 'test/docs/charts/charts.test.ts';
const reference = 'test/docs/reference/reference.test.ts';

/** The pages of docs/charts and docs/reference that tests print, and the test that prints each. */
export const printers = {
  'docs/charts/README.md': charts,
  'docs/charts/call.json': charts,
  'docs/charts/call.mmd': charts,
  'docs/charts/call.svg': charts,
  'docs/charts/call.xstate.ts': charts,
  'docs/charts/effect.json': charts,
  'docs/charts/effect.mmd': charts,
  'docs/charts/effect.svg': charts,
  'docs/charts/effect.xstate.ts': charts,
  'docs/charts/execution.execute.svg': charts,
  'docs/charts/execution.json': charts,
  'docs/charts/execution.mmd': charts,
  'docs/charts/execution.outer.svg': charts,
  'docs/charts/execution.svg': charts,
  'docs/charts/execution.xstate.ts': charts,
  'docs/charts/late-write.json': charts,
  'docs/charts/late-write.mmd': charts,
  'docs/charts/late-write.svg': charts,
  'docs/charts/late-write.xstate.ts': charts,
  'docs/charts/overview.svg': charts,
  'docs/charts/question.json': charts,
  'docs/charts/question.mmd': charts,
  'docs/charts/question.svg': charts,
  'docs/charts/question.xstate.ts': charts,
  'docs/charts/task.json': charts,
  'docs/charts/task.mmd': charts,
  'docs/charts/task.outer.svg': charts,
  'docs/charts/task.submitted.execute.svg': charts,
  'docs/charts/task.submitted.svg': charts,
  'docs/charts/task.svg': charts,
  'docs/charts/task.xstate.ts': charts,
  'docs/reference/adapters.md': 'test/docs/reference/adapters.test.ts',
  'docs/reference/checks.md': 'test/docs/reference/checks.test.ts',
  'docs/reference/cluster.md': 'test/docs/reference/cluster.test.ts',
  'docs/reference/compiler.md': 'test/docs/types/types.test.ts',
  'docs/reference/corpus.md': 'test/docs/reference/corpus.test.ts',
  'docs/reference/correspondence.md': reference,
  'docs/reference/crash.md': 'test/docs/reference/crash.test.ts',
  'docs/reference/errors.md': reference,
  'docs/reference/execution.md': reference,
  'docs/reference/facts.md': reference,
  'docs/reference/gates.md': 'test/docs/reference/gates.test.ts',
  'docs/reference/ledger.md': reference,
  'docs/reference/linked.md': 'test/docs/reference/linked.test.ts',
  'docs/reference/linked/context.json': 'test/docs/reference/linked.test.ts',
  'docs/reference/linked/message.jsonld': 'test/docs/reference/linked.test.ts',
  'docs/reference/linked/message.nq': 'test/docs/reference/linked.test.ts',
  'docs/reference/linked/shapes.jsonld': 'test/docs/reference/linked.test.ts',
  'docs/reference/mediation.md': 'test/docs/reference/mediation.test.ts',
  'docs/reference/messages.md': 'test/docs/reference/messages.test.ts',
  'docs/reference/proof.md': 'test/docs/reference/proof.test.ts',
  'docs/reference/reason-codes.md': reference,
  'docs/reference/simulator.md': 'test/docs/reference/simulator.test.ts',
  'docs/reference/sizing.md': 'test/docs/reference/sizing.test.ts',
  'docs/reference/speed.md': 'test/docs/reference/speed.test.ts',
  'docs/reference/study.md': 'test/docs/reference/study.test.ts',
  'docs/reference/task.md': reference,
} as const satisfies Readonly<Record<string, string>>;

/** A page that a test prints, by its path from the root of the project. */
export type PrintedPage = keyof typeof printers;

const testFile = (): string => relative(root, expect.getState().testPath ?? '');

const seen = new Set<PrintedPage>();

/**
 * Expects a page on disk to be the text; with `vitest -u`, writes it.
 *
 * A missing page fails in every other mode, and so does a page that another test is to print.
 */
export const expectPrinted = async (page: PrintedPage, text: string): Promise<void> => {
  const { snapshotState } = expect.getState();
  expect(testFile(), `the test that prints ${page}, by test/docs/printed.ts`).toBe(printers[page]);
  seen.add(page);
  const isUpdating = snapshotState.snapshotUpdateState === 'all';
  const command = `npx vitest run --config test/vitest.config.ts ${printers[page]} -u`;
  if (!isUpdating && !existsSync(root + page)) throw new Error(`${page} is missing. Run ${command}`);
  await expect(text, `${page} is printed by a test. To print it anew: ${command}`).toMatchFileSnapshot(
    root + page,
  );
};

/** Declares the test that a file prints every page that is its to print: call it below the tests that print them. */
export const testEveryPageIsPrinted = (): void => {
  test('prints every page that test/docs/printed.ts expects of it', () => {
    const pages = Object.entries(printers).flatMap(([page, by]) => (by === testFile() ? [page] : []));
    expect(pages.length).toBeGreaterThan(0);
    expect(pages.filter((page) => !seen.has(page as PrintedPage))).toEqual([]); // a key of the table
  });
};
