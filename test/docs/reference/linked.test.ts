import { expect, it } from 'vitest';
import { expectPrinted, testEveryPageIsPrinted, type PrintedPage } from '../printed.ts';
import { itemsIn } from './markdown.ts';
import { linkedPages } from './linked.ts';

it('docs/reference/linked prints the paper’s candidates as JSON-LD, RDF and SHACL', async () => {
  const printed = await linkedPages();
  expect(printed['linked/message.nq'].match(/schema\.org\/Person> \.$/gm)).toHaveLength(2); // the candidates
  expect(itemsIn(printed['linked.md'])).toBe(3); // what the shapes find
  for (const [file, text] of Object.entries(printed))
    await expectPrinted(`docs/reference/${file}` as PrintedPage, text);
});

testEveryPageIsPrinted();
