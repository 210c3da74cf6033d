import { isObject } from '../../../../base/boundary/is-object.ts';
import type { InboxEntry } from '../../../../core/kernel/summary.ts';
import { shownIn } from '../answer/proposal.ts';
import { Action, Details } from './action.tsx';
import { Calls } from './calls.tsx';
import { Thought } from './thought.tsx';
import { Value } from './value.tsx';

const titles: Readonly<Record<InboxEntry['question']['kind'], string>> = {
  information: 'Known so far',
  help: 'Tried so far',
  plan: 'The plan',
  draft: 'The draft',
  approval: 'The write',
  doubt: 'The effect',
  tool: 'The question of the tool',
  host: 'Writes so far',
  limit: 'Writes so far',
  followup: 'The choices',
};

/** Returns what of an action a person does not need to read: all but tool, arguments and rollback. */
const detailsIn = (action: unknown): Readonly<Record<string, unknown>> => {
  if (!isObject(action)) return {};
  const { tool: _tool, arguments: _given, rollback: _rollback, summary: _summary, ...details } = action;
  return details;
};

/** The proposal of a question, as it will be carried out. */
export const Proposal = ({ entry }: { entry: InboxEntry }) => {
  const { evidence: _, calls, action, tier, policy, ...shown } = shownIn(entry); // evidence is shown separately
  const { upThought } = entry.message;
  const without = entry.question.kind === 'information' ? ['questions'] : []; // they are the headline
  const { kind } = entry.question;
  const isWrite = kind === 'approval';
  if (kind === 'host' || kind === 'limit')
    return (
      <section class="card" aria-labelledby="proposal">
        <h2 id="proposal">{titles[kind]}</h2>
        <Calls calls={shown['writes']} none="No write stands." />
      </section>
    );
  const rest = isWrite
    ? shown
    : { ...shown, ...(tier !== undefined && { tier }), ...(policy !== undefined && { policy }) };
  return (
    <section class="card" aria-labelledby="proposal">
      <h2 id="proposal">{titles[kind]}</h2>
      {calls !== undefined && <Calls calls={calls} none="No calls are planned." />}
      {action !== undefined && <Action action={action} />}
      {Object.keys(rest).length > 0 && <Value value={rest} />}
      {upThought && <Thought thought={upThought} without={without} />}
      {action !== undefined && <Details of={{ ...detailsIn(action), ...(isWrite && { tier, policy }) }} />}
    </section>
  );
};
