import * as z from 'zod';
import { argumentsLine } from '../../base/boundary/call-sentence.ts';
import { oneLine } from '../../base/text/foreign-text.ts';

/** A record of any version of the chart, as far as its decision needs it. */
const Decided = z.looseObject({
  fact: z.looseObject({ type: z.string() }).nullable(),
  brought: z.looseObject({}),
});

const Calls = z
  .array(z.looseObject({ id: z.string(), digest: z.string(), tool: z.string(), arguments: z.unknown() }))
  .catch([]);
type Call = z.output<typeof Calls>[number];

const Shown = z
  .object({ summary: z.string(), reasons: z.array(z.string()) })
  .optional()
  .catch(undefined);
const Reasons = z.array(z.string()).catch([]);
const Text = z.string().catch('');
const Feedback = z.looseObject({ content: Text }).catch({ content: '' });

/** The longest line, in characters. */
const most = 400;

const bounded = (text: string): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}…`;

/**
 * Says who decided what on which arguments, a record at a time: the words that a person saw, the answer, the reasons of
 * a policy, the arguments of the call, and why an output was rejected. It has to see every record, because a later one
 * names a call by its digest.
 */
export class Decisions {
  readonly #calls = new Map<string, Call>();

  /** Returns the lines below a record; none for a record that decides nothing, or cannot be read. */
  of(record: unknown): readonly string[] {
    const read = Decided.safeParse(record);
    if (!read.success) return [];
    const { fact, brought } = read.data;
    for (const call of Calls.parse(brought['calls'])) {
      this.#calls.set(call.id, call);
      this.#calls.set(call.digest, call);
    }
    return fact === null
      ? []
      : this.#lines(fact, brought)
          .filter((line) => line !== '')
          .map(bounded);
  }

  #lines(
    fact: Readonly<Record<string, unknown>>,
    brought: Readonly<Record<string, unknown>>,
  ): readonly string[] {
    const reasons = Reasons.parse(brought['reasons']);
    switch (fact['type']) {
      case 'human.responded': {
        const about = Text.parse(fact['question']).replace(/^[a-z]+:/, '');
        return this.#answer(Text.parse(fact['feedback']), about, brought);
      }
      case 'approval.granted': {
        const way =
          fact['authority'] === 'approval'
            ? 'approve, signed'
            : `approve, as ${Text.parse(fact['authority'])}`;
        return [...this.#answer(way, Text.parse(fact['digest']), brought), ...reasons];
      }
      case 'policy.decided':
        return [
          [Text.parse(fact['verdict']), reasons.join('; ')].filter((text) => text !== '').join(': '),
          this.#call(Text.parse(fact['call'])),
        ];
      case 'call.started':
        return [this.#call(Text.parse(fact['call']))];
      case 'output.rejected':
        return [oneLine(Text.parse(brought['explanation']))];
      default:
        return [];
    }
  }

  #answer(way: string, about: string, brought: Readonly<Record<string, unknown>>): readonly string[] {
    const shown = Shown.parse(brought['shown']);
    const { content } = Feedback.parse(brought['feedback']);
    return [
      shown === undefined ? way : `${way}: ${oneLine(shown.summary)}`,
      ...(content === '' ? [] : [`said: ${oneLine(content)}`]),
      this.#call(about),
      ...Calls.parse(brought['calls']).map(({ id }) => `changed to: ${this.#call(id)}`),
      ...(shown?.reasons ?? []).map((why) => `asked because: ${oneLine(why)}`),
    ];
  }

  #call(about: string): string {
    const call = this.#calls.get(about);
    return call === undefined
      ? ''
      : `${oneLine(call.tool)}: ${argumentsLine(call.arguments) || 'no arguments'}`;
  }
}
