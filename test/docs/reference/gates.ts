import { later, type Attack } from '../../attacks/attack.ts';
import { code, codes, page, table } from './markdown.ts';

/** What each row of the threat model is about. */
export const rows: Readonly<Record<number, string>> = {
  1: 'An output of the model claims a state',
  2: 'An output of the model asks for what nobody offered',
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
  16: 'Code of the host that throws, or answers junk',
  17: 'Code of the host that hangs',
  18: 'A report that contradicts itself',
  19: 'A verdict that changes',
  20: 'A tool that lies about its risk',
  21: 'A write without a way back',
  22: 'Prototype pollution',
  23: 'Too much, or too deep',
  24: 'Numbers that are none, or not exact',
  25: 'A key that is there twice',
  26: 'Texts that look like others',
  27: 'A value that shows two faces',
  28: 'A stream out of order',
  29: 'A result that comes too late',
  30: 'Two answers at the same moment',
  31: 'Two processes, or a crash',
  32: 'A ledger that is changed',
  33: 'A stored snapshot that is changed',
  34: 'Events of XState, from somebody else',
  35: 'Clocks that are wrong',
  36: 'Patterns that never end, and lines of a log',
  37: 'Values changed by host code',
  38: 'An output that a schema changes',
  39: 'A tool that is another one by now',
  40: 'A clearance that lapsed',
  41: 'A person under several names, or in the name of another',
  42: 'Rollback metadata that says nothing',
  43: 'Evidence that says nothing',
  44: 'A model that is not sure, in any round',
  45: 'Clocks that step, and machines that are suspended',
  46: 'Files, locks and secrets',
  47: 'A ledger without its end, of another chart, or with another delivery',
  48: 'A host that is slow',
  49: 'The word of a person for an effect',
  50: 'A child that nothing needs any more',
};

export type Attacks = Readonly<Record<string, readonly Attack[]>>;

/** The attacks of one row, each with the file of its test; the test has the name of the attack, after the number. */
const rowTable = (attacks: Attacks, number: number): string =>
  table(
    ['attack', 'what stops it', 'known from', 'test'],
    Object.entries(attacks).flatMap(([file, some]) =>
      some
        .filter((attack) => attack.number === number)
        .map((attack) => [
          attack.attempt,
          code(attack.expected),
          attack.source ?? '',
          `[${file}](../../test/attacks/${file})`,
        ]),
    ),
  );

/** All of it at one glance: what is attacked, in how many ways, what stops it, and where the tests are. */
const overview = (attacks: Attacks): string =>
  table(
    ['#', 'attack', 'ways', 'expected code', 'test'],
    Object.entries(rows).map(([row, about]) => {
      const number = Number(row);
      const files = Object.entries(attacks).filter(([, some]) => some.some((one) => one.number === number));
      const some = Object.values(attacks)
        .flat()
        .filter((one) => one.number === number);
      return [
        row,
        about,
        some.length === 0 ? 'comes with the durable store' : String(some.length),
        codes([...new Set(some.map(({ expected }) => expected))]),
        files.map(([file]) => `[${file}](../../test/attacks/${file})`).join(', '),
      ];
    }),
  );

const trapTable = (attacks: Attacks): string => {
  const trapped = Object.values(attacks)
    .flat()
    .filter(({ trap }) => trap !== undefined);
  const names = [...new Set(trapped.map(({ trap }) => trap ?? ''))];
  return table(
    ['trap', 'attacks that try it'],
    names.map((name) => [name, String(trapped.filter(({ trap }) => trap === name).length)]),
  );
};

export const gatesPage = (attacks: Attacks): string => {
  const all = Object.values(attacks).flat();
  const tried = new Set(all.map(({ number }) => number));
  return page(
    'What the gates stop',
    `${Object.keys(rows).length} kinds of attack: ${tried.size} are tried, in ${all.length} ways, each by a test that asserts what stops it and that nothing came of it. The name of a test is the number and the attack. What stops it is a [reason code](reason-codes.md), the code of an [error](errors.md), a finding of \`verifyLedger\` or \`replay\`, or the fact that sends an output back to its model. What is out of scope stands in [SECURITY.md](../../SECURITY.md).`,
    overview(attacks),
    ...Object.entries(rows).flatMap(([row, about]) => {
      const number = Number(row);
      const isLater = Object.hasOwn(later, number);
      return [
        `## ${number}. ${about}`,
        isLater ? `${later[number]} Comes with the durable store.` : rowTable(attacks, number),
      ];
    }),
    '## Traps of XState',
    'A chart that is driven without an orchestrator falls for some of these: `xstate.stop` and `xstate.error.actor.*` end a bare actor where it stands, and `createActor` takes any snapshot that it is given. No event of XState moves a bare actor of our charts, which have no `onDone` to hit; an orchestrator takes two facts from outside and no event of XState; and the ledger holds the hash of each snapshot, which `replay` reaches from the facts alone.',
    trapTable(attacks),
  );
};
