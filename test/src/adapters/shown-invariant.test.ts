import { describe, expect, it } from 'vitest';
import { leakIn, leaks, marked, type Marked, type PlaceName } from './shown-invariant/drive.ts';
import { subjectNames } from './subjects.ts';

/**
 * Where a marked value arrives, binding by binding: by hand, AI SDK, LangChain, OpenAI Agents SDK, HTTP, MCP, A2A.
 *
 * `s`: the agent or its model is shown it, and the run knows. `.`: it is in the ledger, and stays there: for people.
 * `-`: there is no such place, as no route lists tools, and contracts of MCP and A2A have no `output`.
 */
const arrives: Readonly<Record<PlaceName, string>> = {
  'a visible result': 's s s s s s s',
  'a name in a visible result': 's s s s s s s',
  'a hidden result': '. . . . . . .',
  'a held call with a hidden value': '. . . . . . .',
  'a refused call with a hidden value': '. . . . . . .',
  'a result that repeats a hidden value': 's s s s s s s',
  'a schema that quotes a hidden value': '. . . . . . .',
  'a rejection that repeats a hidden value': 's s s s s s s',
  'an answer that repeats a hidden value': 's s s s s s s',
  'a denial that quotes a hidden value': 's s s s s s s',
  'a denial of the run that quotes a hidden value': 's . . . s s s',
  'a review that quotes a hidden value': 's s s s s s s',
  'a verifier that quotes a hidden value': '. . . . . . .',
  'an error of a read': 's s s s s s s',
  'an error of a write': 's s s s s s s',
  'a call that was not done': 's s s s s s s',
  'a result that its schema refuses': 's s s s s - -',
  'a question of a tool': 's . . . s s s',
  'what a tool waits for': 's . . . s s s',
  'why a tool waits': 's . . . s . .',
  'a message of another agent': 's . . . s . .',
  'a message of a tool': 's . . . s . .',
  'the answer of a nested task': 's s s s s s s',
  'a question of a nested task': '. . . . . . .',
  'a held call of a nested task': '. . . . . . .',
  'the description of a foreign tool': 's s s s - s -',
  'the request of an agent': 's . . . s . .',
};

/** What no agent is shown in any binding: hidden results, and the words of code that only people read. */
const forPeople: readonly PlaceName[] = [
  'a hidden result',
  'a held call with a hidden value',
  'a refused call with a hidden value',
  'a schema that quotes a hidden value',
  'a verifier that quotes a hidden value',
  'a question of a nested task',
  'a held call of a nested task',
];

/** What stands in these places is there before the first turn. */
const before: readonly PlaceName[] = ['the description of a foreign tool', 'the request of an agent'];

const names = Object.keys(arrives) as readonly PlaceName[]; // it has these keys only

const signOf = ({ arrivals, isRecorded }: Marked): string => {
  if (arrivals.length > 0) return 's';
  return isRecorded ? '.' : '-';
};

describe.each(subjectNames)('What %s shows an agent', (name) => {
  const expected = (place: PlaceName): string => arrives[place].split(' ')[subjectNames.indexOf(name)] ?? '';

  it.each(names.filter((place) => expected(place) !== '-'))(
    'is counted in what was shown: %s',
    async (place) => {
      const one = await marked(name, place);
      expect(leaks(one)).toEqual([]);
      expect([place, signOf(one)]).toEqual([place, expected(place)]);
      expect(one.atFirst.integrity).toBe(before.includes(place) ? 'untrusted' : 'trusted');
    },
  );

  it('is found to leak with a hidden result in an outcome', async () => {
    expect(leaks(await marked(name, 'a hidden result', leakIn('call')))).not.toEqual([]);
  });
});

it.each(['by-hand', 'http'])(
  '%s is found to leak with a hidden result in the documents of a run',
  async (name) => {
    expect(leaks(await marked(name, 'a hidden result', leakIn('documents')))).not.toEqual([]);
  },
);

it('shows no agent what is for people', () => {
  expect(names.filter((place) => !arrives[place].includes('s'))).toEqual(forPeople);
});
