import { expect, it } from 'vitest';
import {
  noProposals,
  withEdit,
  withProposal,
  type Edited,
} from '../../../../../src/core/kernel/projection/proposals.ts';
import type { CallDocument, LedgerEntry } from '../../../../../src/base/ports/ledger.ts';

const listing = (...names: readonly string[]): LedgerEntry =>
  ({
    actor: { kind: 'person', id: 'kim' },
    brought: { calls: names.map((name) => ({ id: `id ${name}`, ref: name, digest: name }) as CallDocument) },
  }) as unknown as LedgerEntry; // nothing else of a record is read

const proposed = withProposal(withProposal(noProposals, listing('a', 'b'), true), listing('c', 'd'), false);

it.each<[Edited, readonly string[], readonly string[]]>([
  ['plan', ['id c', 'id e'], ['a', 'b', 'd']],
  ['further', ['id a', 'id b', 'id c', 'id e'], ['d']],
  ['call', ['id a', 'id b', 'id c', 'id d', 'id e'], []],
])('an edit of a %s removes what it replaces', (what, planned, replaced) => {
  const edited = withEdit(proposed, listing('c', 'e'), what);
  expect([...edited.planned].toSorted()).toEqual(planned);
  expect([...edited.replaced]).toEqual(replaced);
});

it('keeps what earlier edits removed, until a call comes back', () => {
  const first = withEdit(proposed, listing('a'), 'plan');
  expect([...first.replaced]).toEqual(['b', 'c', 'd']);
  const more = withProposal(first, listing('e'), false);
  expect([...withEdit(more, listing('b'), 'further').replaced]).toEqual(['c', 'd', 'e']);
});
