import { bindingNames, type BindingName, type Entry } from '../../src/adapters/corpus/entry.ts';
import type { Findings } from '../../src/adapters/corpus/run.ts';
import { list, page, table } from './markdown.ts';

/** What became of every entry, by binding and by entry. */
export type Found = ReadonlyMap<BindingName, ReadonlyMap<string, Findings>>;

const kinds: Readonly<Record<Entry['kind'], string>> = {
  result: 'What tools return',
  error: 'What tools throw',
  schema: 'Schemas and arguments',
  message: 'Messages and answers',
  id: 'Ids and names',
};

/** A mark, or the number of a note. */
const markOf = (entry: Entry, name: BindingName, found: Found, notes: string[]): string => {
  const findings = found.get(name)?.get(entry.id);
  if (findings?.length === 0) return '✓';
  const note =
    findings === undefined
      ? `Not expressible: ${entry.not?.[name] ?? 'it was not tried'}.`
      : `Not yet: ${entry.notYet?.[name] ?? findings.join('; ')}.`;
  if (!notes.includes(note)) notes.push(note);
  return String(notes.indexOf(note) + 1);
};

const tableOf = (entries: readonly Entry[], found: Found, notes: string[]): string =>
  table(
    ['entry', ...bindingNames],
    entries.map((entry) => [
      `[${entry.says}](${entry.address})`,
      ...bindingNames.map((name) => markOf(entry, name, found, notes)),
    ]),
  );

/** The page that says what each binding does with what tools, models and libraries produce. */
export const corpusPage = (entries: readonly Entry[], found: Found): string => {
  const notes: string[] = [];
  const sections = Object.entries(kinds).flatMap(([kind, title]) => [
    `## ${title}`,
    tableOf(
      entries.filter((entry) => entry.kind === kind),
      found,
      notes,
    ),
  ]);
  return page(
    'Corpus',
    `See what each binding does with what tools, models and libraries produce. Each of the ${entries.length} entries is ours, written after the public report or documentation that it links.`,
    'Each goes through a read, a write that waits for a person, or both. The question is stored in SQLite, the process ends, another one opens the file, a person approves, and the agent resumes. ✓ means: the agent and the ledger have the expected value, the tool got the arguments that the person saw, the write was made once, and the ledger verifies. A number is a note below.',
    ...sections,
    '## Notes',
    list(notes.map((note, at) => [String(at + 1), note] as const)),
  );
};
