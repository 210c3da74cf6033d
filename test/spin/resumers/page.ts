import { format } from 'prettier';
import { code, table } from '../../docs/reference/markdown.ts';
import { inWords } from '../words.ts';
import { verdictOn } from './verdict.ts';
import { designs, properties, variants, type Design, type Size, type Variant } from './variants.ts';

const titles = ['variant', 'crashes', 'states', ...properties];

const number = (count: number): string => count.toLocaleString('en');

const row = ({ name, crashes, states, breaks }: Variant): readonly string[] => [
  name,
  String(crashes),
  number(states),
  ...properties.map((property) => (breaks.includes(property) ? '**fails**' : 'holds')),
];

const sizes = ({ name, larger }: Design): readonly (readonly string[])[] =>
  larger.map(({ processes, crashes, states }: Size) => [
    name,
    String(processes),
    String(crashes),
    number(states),
  ]);

const way = async (variant: Variant): Promise<string> => {
  const { name, switches, shows } = variant;
  const { way: steps } = await verdictOn(variant);
  return `- **${name}** (${code(switches.join(' '))}), _${shows}_: ${inWords(steps)}.`;
};

/** The page as it is published. */
export const page = async (): Promise<string> => {
  const failing = variants.filter(({ shows }) => shows !== null);
  const ways: string[] = [];
  for (const variant of failing) ways.push(await way(variant));
  const text = [
    intro,
    table(titles, [...designs, ...variants].map(row)),
    'The design with more processes (`SPIN=full`): every property holds; that nothing goes on for ever is asked of two alone.',
    table(['design', 'processes', 'crashes', 'states'], designs.flatMap(sizes)),
    '## How each fails\n\nThe shortest way there, as Spin finds it; processes go by number.',
    ways.join('\n'),
    limits,
  ].join('\n\n');
  return format(text, { parser: 'markdown', printWidth: 110 });
};

const intro = `# Racing resumers

A task is parked at a question. N processes resume it, each with an answer; it then owes one write. \`resumers.pml\` says what the store
port, the owner and the tools' declarations make of that, and [Spin](https://spinroot.com) walks every order of it: crashes at any
step, a restart or none, a request that is lost, one that arrives after its sender died, a call that is given up, a deadline, a
cancellation, and a person who is asked of a doubt. Without switches the model is the design; each switch takes one part of it away,
and the properties that need that part must fail.

    npx vitest run --config test/vitest.config.ts test/spin/resumers             # two processes; prints this page with -u
    SPIN=full npx vitest run --config test/vitest.config.ts test/spin/resumers   # three and four, too
    npx tsx test/spin/run.ts                                                     # as a script, after the execution chart

| property | in every order |
| --- | --- |
| once | the write has at most one effect |
| true | a task that says that the write was done had exactly one, one that says that it was not done none |
| stopped | a stop that was taken stays taken: no write whose intent it came before has an effect, and none is taken up again |
| heard | the answer whose sender was told that it was taken is the one on record, and one that was refused is not |
| ends | where nothing more happens, the task is settled or asks a person, and every sender was told; nothing goes on for ever |

What follows: compare-and-swap keeps answers and stops, the key keeps a crash from doing it twice, the lock keeps a living holder from
being taken for dead, and the intent keeps a stop from coming too late. None stands in for another.`;

const limits = `## What is left out

- Of a sequence number only whether it is still the last: each process keeps one bit in place of the number, so that states do not tell
  apart how often was written. What others load is forgotten as soon as they have written.
- People, deadlines and cancellations load and commit in one step: who loses with them tries again until it wins or has nothing to say.
  The answers of the resumers, and what they perform, are two steps.
- One question, one write, one answer a process. No policy, verifier, evidence or second call; an approval is used by the one write.
- A rollback is another effect with an intent and an outcome, and is not walked again: \`LANDED\` is where it is owed. What lands after a
  task has settled is left to compensation.
- A tool does the write, or its request is lost. It does not refuse; that it says \`notDone\` is an outcome as any other.
- A person answers a doubt at most twice, one request is lost, and one lease lapses. A crash loses no write that was answered \`ok\`.
- Steps are the port's: what a store does within one commit is tested with the stores.`;
