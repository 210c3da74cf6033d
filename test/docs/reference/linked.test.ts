import { expect, it } from 'vitest';
import { expectPrinted, testEveryPageIsPrinted } from '../printed.ts';
import { itemsIn } from './markdown.ts';
import { linkedPage } from './linked.ts';

it('docs/reference/linked.md prints the paper’s candidates as JSON-LD, RDF and SHACL', async () => {
  const printed = await linkedPage();
  expect(printed.match(/schema\.org\/Person> \.$/gm)).toHaveLength(2); // the candidates
  expect(itemsIn(printed)).toBeGreaterThan(20);
  await expectPrinted('docs/reference/linked.md', printed);
});

testEveryPageIsPrinted();
