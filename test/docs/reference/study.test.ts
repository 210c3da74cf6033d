import { expect, it } from 'vitest';
import { readFindings } from '../../bench/contracts/kept.ts';
import { studyPage } from '../../bench/contracts/page.ts';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';

it('docs/reference/study.md prints the findings of the last study, in at most 700 words', async () => {
  const page = studyPage(readFindings());
  await expectPrinted('docs/reference/study.md', page);
  expect(page.split(/[\s|]+/).filter((word) => /[^-]/.test(word)).length).toBeLessThanOrEqual(700);
});

testEveryPageIsPrinted();
