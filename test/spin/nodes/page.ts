import { format } from 'prettier';
import { code, table } from '../../docs/reference/markdown.ts';
import { inWords } from '../words.ts';
import { verdictOn } from './verdict.ts';
import { designs, properties, variants, type Variant } from './variants.ts';

const titles = ['variant', 'crashes', 'states', ...properties];

const row = async (variant: Variant): Promise<readonly string[]> => {
  const { states } = await verdictOn(variant);
  return [
    variant.name,
    String(variant.crashes),
    states.toLocaleString('en'),
    ...properties.map((property) => (variant.breaks.includes(property) ? '**fails**' : 'holds')),
  ];
};

const way = async (variant: Variant): Promise<string> => {
  const { way: steps } = await verdictOn(variant);
  return `- **${variant.name}** (${code(variant.switches.join(' '))}), _${variant.shows}_: ${inWords(steps)}.`;
};

/** The page as it is published. */
export const page = async (): Promise<string> => {
  const failing = variants.filter(({ shows }) => shows !== null);
  const text = [
    intro,
    table(titles, await Promise.all([...designs, ...variants].map(row))),
    '## How each fails\n\nThe shortest way there, as Spin finds it; nodes go by number.',
    (await Promise.all(failing.map(way))).join('\n'),
    limits,
  ].join('\n\n');
  return format(text, { parser: 'markdown', printWidth: 110 });
};

const intro = `# Nodes on one store

Two nodes share a task that owes a write, and its rollback if somebody cancels. \`nodes.pml\` says what leases, fences and the quarantine
make of that. [Spin](https://spinroot.com) walks every order of it: a node that pauses at any step, a lease that lapses meanwhile, a
renewal after it, a hold that is let go, a crash, a request that is lost, a cancellation, and a person who is asked. Without switches the
model is the design; each switch takes one part of it away, and the properties that need that part must fail.

    SLOW=1 npx vitest run --config test/vitest.config.ts test/spin/nodes   # prints this page with -u

| property | in every order |
| --- | --- |
| once | the write has at most one effect, and its rollback |
| true | a write that is recorded as done had exactly one effect, one recorded as not done had none |
| fenced | an old fence records nothing |
| ends | where nothing more happens, the task is settled, or no node is left |

What follows: the fence in the store guards the ledger, and only the resource guards the effect. A resource that refuses older fences
needs no quarantine, if each look-up tells it the new fence. A resource that can do neither is safe only if a call and its node pause for
less than the deadline of the call: a person who is asked after that sees what is final.`;

const limits = `## What is left out

- Time passes in parts of a deadline, and alike for all: the server's clock does not jump.
- One write and one rollback, two leases that lapse though their holder lives, one hold that is let go, one request that is lost.
- People see the world as it is. They answer in one step.
- Each node does one thing at a time, waits for the end of what it asked, and looks nothing up while a person is asked.
- Write and rollback are declared alike, and both versions of a deployment give a call the same deadline.
- Steps are the port's: what a store does within one commit is tested with the stores.`;
