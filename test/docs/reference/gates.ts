import { later, type Attack } from '../../attacks/attack.ts';
import { codes, page, table } from './markdown.ts';

/** What each row of the threat model is about. */
export const rows: Readonly<Record<number, string>> = {
  1: 'An output of the model claims a state',
  2: 'An output of the model asks for more than was offered',
  3: 'A forged approval',
  4: 'An approval at the wrong time',
  5: 'An approval that is used again',
  6: 'An approval of something else',
  7: 'An approver who may not approve',
  8: 'Another algorithm, or another kind of key',
  9: 'A token that was signed for another use',
  10: 'What the approver saw is not what is done',
  11: 'Evidence with a wrong hash',
  12: 'Evidence from elsewhere',
  13: 'Evidence that is too old, or from the future',
  14: 'Evidence that the model made up',
  15: 'A hash that can be read in two ways',
  16: 'Host code that throws, or returns invalid values',
  17: 'Host code that hangs',
  18: 'A report that contradicts itself',
  19: 'A verdict that changes',
  20: 'A tool that lies about its risk',
  21: 'A write without a rollback',
  22: 'Prototype pollution',
  23: 'Too much, or too deep',
  24: 'Numbers that are not finite, or not exact',
  25: 'A repeated key',
  26: 'Texts that look like others',
  27: 'A value that changes between reads',
  28: 'A stream out of order',
  29: 'A result that comes too late',
  30: 'Two answers at the same moment',
  31: 'Two processes, or a crash',
  32: 'A ledger that is changed',
  33: 'A stored snapshot that is changed',
  34: 'Events of XState from outside',
  35: 'Clocks that are wrong',
  36: 'Endless patterns, and log injection',
  37: 'Values changed by host code',
  38: 'An output that a schema changes',
  39: 'A tool that changed',
  40: 'A clearance that lapsed',
  41: 'A person under several names, or in the name of another',
  42: 'Empty rollback metadata',
  43: 'Empty evidence',
  44: 'A model that is not sure, in any round',
  45: 'Clocks that step, and suspended machines',
  46: 'Files, locks and secrets',
  47: 'A ledger without its end, of another chart, or with another delivery',
  48: 'A slow host',
  49: 'A statement of a person about an effect',
  50: 'A child task that is no longer needed',
  51: 'A message in the name of another',
  52: 'Feedback of an agent that would decide',
  53: 'A payload that claims another meaning',
  54: 'A review that the model adopts',
  55: 'A value that hides where it comes from',
  56: 'A view that would not be counted',
};

/** The rows by what is attacked. */
export const groups: Readonly<Record<string, readonly number[]>> = {
  'The model and its outputs': [1, 2, 14, 24, 44],
  'Approvals and clearance': [3, 4, 5, 6, 7, 8, 9, 10, 30, 40, 41],
  'Other participants': [51, 52, 53, 54],
  Evidence: [11, 12, 13, 15, 43, 49, 55, 56],
  'Verifiers, policies and other host code': [16, 17, 18, 19, 37, 38, 48],
  'Tools, tiers and rollbacks': [20, 21, 29, 39, 42, 50],
  'Input from outside': [22, 23, 25, 26, 27, 28, 36],
  'Stores, processes and files': [31, 33, 46],
  'The ledger': [32, 47],
  'Charts and clocks': [34, 35, 45],
};

export type Attacks = Readonly<Record<string, readonly Attack[]>>;

/** Names, the most frequent first. */
const byFrequency = (names: readonly string[]): string => {
  const countOf = (name: string): number => names.filter((other) => other === name).length;
  return codes([...new Set(names)].toSorted((one, other) => countOf(other) - countOf(one)));
};

/** One row: how many attacks, what stops them, an example, and the tests. */
const rowPart = (attacks: Attacks, number: number): string => {
  const files = Object.entries(attacks).filter(([, some]) => some.some((one) => one.number === number));
  const own = files.flatMap(([, some]) => some.filter((one) => one.number === number));
  const links = files.map(([file]) => `[${file}](../../test/attacks/${file})`).join(', ');
  const stops = byFrequency(own.map(({ expected }) => expected));
  return `${own.length} in ${links}: ${own[0]?.attempt ?? ''} (${stops}).`;
};

const trapTable = (attacks: Attacks): string => {
  const trapped = Object.values(attacks)
    .flat()
    .filter(({ trap }) => trap !== undefined);
  const names = [...new Set(trapped.map(({ trap }) => trap ?? ''))];
  return table(
    ['trap', 'attacks'],
    names.map((name) => [name, String(trapped.filter(({ trap }) => trap === name).length)]),
  );
};

export const gatesPage = (attacks: Attacks): string => {
  const all = Object.values(attacks).flat();
  return page(
    'What the gates stop',
    `Look up how AgentCharter stops an attack, and where its test is. ${Object.keys(rows).length} kinds of attack are tried in ${all.length} ways; the first of each kind is printed, with what stops the kind: a [reason code](reason-codes.md), [error code](errors.md), [finding](ledger.md) or \`output.rejected\` (the model corrects). Each test asserts this, and that nothing else happened. [SECURITY.md](../../SECURITY.md) says what is out of scope.`,
    ...Object.entries(groups).flatMap(([group, numbers]) => [
      `## ${group}`,
      ...numbers.flatMap((number) => [
        `### ${number}. ${rows[number] ?? ''}`,
        Object.hasOwn(later, number) ? `Not tested yet: ${later[number]}` : rowPart(attacks, number),
      ]),
    ]),
    '## Traps of XState',
    'A chart without an orchestrator is open to some of these: `xstate.stop` and `xstate.error.actor.*` end a bare actor, and `createActor` accepts any snapshot. An orchestrator accepts two facts from outside and no event of XState. The ledger holds the hash of each snapshot, and `replay` must reach the same one.',
    trapTable(attacks),
  );
};
