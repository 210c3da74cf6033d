import type { CallContext, Policy, TaskClassDefinition, Verifier } from 'agentcharter';
import { z } from 'zod';
import type { Feedback } from '../../../../src/base/feedback/feedback.ts';
import type { ToolSpec } from '../subject.ts';

/** The names of tools and of places in results, as a binding has them. */
export interface Naming {
  readonly prefix: string;
  /** Where the result of a tool stands in its evidence. */
  readonly within: string;
}

/** A run in which a marked value stands in one place. */
export interface Place {
  readonly tools?: readonly ToolSpec[];
  /** Tools that ask or wait, which those of most frameworks cannot: they are bound as our own. */
  readonly own?: readonly ToolSpec[];
  /** One step of the model each; then it answers. */
  readonly calls: readonly (readonly [tool: string, input: object])[];
  /** Tools of the agent of a nested task, and what it calls; the agent under test calls `ask_clerk`. */
  readonly nested?: Pick<Place, 'calls'> & { readonly tools: readonly ToolSpec[]; readonly says: string };
  readonly payload?: Readonly<Record<string, unknown>>;
  /** The run is begun by an agent, or lists a tool that others described: nothing is trusted from the first turn on. */
  readonly isUntrusted?: true;
  readonly taskClass?: Partial<TaskClassDefinition>;
  readonly verifier?: Verifier;
  readonly decide?: Policy['decide'];
  /** What a person answers to each question; if there is none, the run stops there. */
  readonly answer?: Omit<Feedback, 'target'>;
  /** What another agent says that the run waits for. */
  readonly message?: object;
}

const trusted = { '': { integrity: 'trusted' } } as const;

/** A read without arguments, whose result is trusted unless its contract says otherwise. */
const reads = (
  name: string,
  execute: (context: CallContext) => unknown,
  contract: Partial<ToolSpec['contract']> = {},
): ToolSpec => ({
  name,
  description: 'Reads.',
  input: z.object({}),
  execute: (_, context) => execute(context),
  contract: { tier: 'read_only', isForeign: false, ...contract },
});

/** A read whose result, with the mark as a value and in a name, is hidden from the model. */
const mail = (mark: string): ToolSpec =>
  reads('read_mail', () => ({ account: mark, [`${mark}-name`]: 1 }), { isHidden: true });

const writes = (name: string, more: Partial<ToolSpec> = {}, contract: object = {}): ToolSpec => ({
  name,
  description: 'Writes.',
  input: z.strictObject({ to: z.string() }),
  execute: ({ to }) => ({ wrote: to }),
  ...more,
  contract: {
    tier: 'write_low_risk',
    isForeign: false,
    labels: trusted,
    flows: { '/to': {} }, // it takes references
    summary: ({ to }) => `Writes to ${String(to)}.`,
    rollback: {
      describe: ({ to }) => ({ type: 'note.erase', target: String(to), payload: { to } }),
      run: async () => ({}),
    },
    ...contract,
  },
});

const strict = { flows: { '/to': { integrity: 'trusted' } } };

/** Reads the mail, and writes to the account in it by reference. */
const mailThen = (tool: string, { prefix, within }: Naming): Place['calls'] => [
  ['read_mail', {}],
  [tool, { to: { $from: `${prefix}read_mail#1`, pointer: `${within}/account` } }],
];
const rejects = { type: 'reject' } as const;

const refusesAll = (mark: string): z.ZodType =>
  z.looseObject({}).refine(() => false, { error: `not ${mark}` });

/** Every place in which something can stand that an agent is shown, or is not; each is a run. */
export const places = {
  'a visible result': (mark) => ({
    tools: [reads('read_page', () => ({ text: mark }))],
    calls: [['read_page', {}]],
  }),
  'a name in a visible result': (mark) => ({
    tools: [reads('read_page', () => ({ [mark]: 1 }))],
    calls: [['read_page', {}]],
  }),
  'a hidden result': (mark) => ({ tools: [mail(mark)], calls: [['read_mail', {}]] }),
  'a held call with a hidden value': (mark, naming) => ({
    tools: [mail(mark), writes('pay', {}, strict)],
    calls: mailThen('pay', naming),
    answer: rejects,
  }),
  'a refused call with a hidden value': (mark, naming) => ({
    tools: [mail(mark), writes('pay', {}, strict)],
    calls: mailThen('pay', naming),
    taskClass: { flows: 'refuse' },
  }),
  'a result that repeats a hidden value': (mark, naming) => ({
    tools: [mail(mark), writes('note')],
    calls: mailThen('note', naming),
  }),
  'a schema that quotes a hidden value': (mark, naming) => ({
    tools: [
      mail(mark),
      writes('note', {
        input: z.strictObject({
          to: z.string().refine(() => false, { error: ({ input }) => `not ${String(input)}` }),
        }),
      }),
    ],
    calls: mailThen('note', naming),
  }),
  'a rejection that repeats a hidden value': (mark, naming) => ({
    tools: [mail(mark), writes('pay', {}, strict)],
    calls: mailThen('pay', naming),
    answer: { type: 'reject', content: `Never to ${mark}.` },
  }),
  'an answer that repeats a hidden value': (mark) => ({
    tools: [mail(mark)],
    own: [
      reads('ask', ({ answer, needsHuman }) => answer ?? needsHuman({ explanation: 'Which one?' }), {
        labels: trusted,
      }),
    ],
    calls: [
      ['read_mail', {}],
      ['ask', {}],
    ],
    answer: { type: 'instruction', content: `The one to ${mark}.` },
  }),
  'a denial that quotes a hidden value': (mark, naming) => ({
    tools: [mail(mark), writes('note')],
    calls: mailThen('note', naming),
    decide: () => ({ verdict: 'deny', reasons: [`not to ${mark}`], ends: 'call' }),
  }),
  'a denial of the run that quotes a hidden value': (mark, naming) => ({
    tools: [mail(mark), writes('note')],
    calls: mailThen('note', naming),
    decide: () => ({ verdict: 'deny', reasons: [`not to ${mark}`] }),
  }),
  'a review that quotes a hidden value': (mark, naming) => ({
    tools: [mail(mark), writes('note')],
    calls: mailThen('note', naming),
    decide: () => ({ verdict: 'needs_review', reasons: [`is it for ${mark}`] }),
    answer: rejects,
  }),
  'a verifier that quotes a hidden value': (mark) => ({
    tools: [mail(mark)],
    calls: [['read_mail', {}]],
    verifier: {
      id: 'careful',
      verify: () => ({ checks: [{ check_id: 'mail', result: 'fail', details: `it has ${mark}` }] }),
    },
    taskClass: { beforeDeliver: { verifiers: ['careful'] } },
  }),
  'an error of a read': (mark) => ({
    tools: [
      reads('read_page', () => {
        throw new Error(mark);
      }),
    ],
    calls: [['read_page', {}]],
  }),
  'an error of a write': (mark) => ({
    tools: [
      writes(
        'note',
        {
          execute: () => {
            throw new Error(mark);
          },
        },
        { labels: undefined },
      ),
    ],
    calls: [['note', { to: 'a friend' }]],
    answer: rejects,
  }),
  'a call that was not done': (mark) => ({
    own: [reads('read_page', ({ notDone }) => notDone(mark))],
    calls: [['read_page', {}]],
  }),
  'a result that its schema refuses': (mark) => ({
    tools: [reads('read_page', () => ({ text: mark }), { output: refusesAll(mark) })],
    calls: [['read_page', {}]],
  }),
  'a question of a tool': (mark) => ({
    own: [
      reads('ask', ({ answer, needsHuman }) =>
        answer === null ? needsHuman({ explanation: mark, payload: { mark } }) : { done: true },
      ),
    ],
    calls: [['ask', {}]],
    answer: { type: 'instruction', content: 'Go on.' },
  }),
  'what a tool waits for': (mark) => ({
    own: [reads('wait', ({ notYet }) => notYet({ dependency: mark, explanation: 'Not yet.' }))],
    calls: [['wait', {}]],
  }),
  'why a tool waits': (mark) => ({
    own: [reads('wait', ({ notYet }) => notYet({ dependency: 'search', explanation: mark }))],
    calls: [['wait', {}]],
  }),
  'a message of another agent': (mark) => ({
    own: [
      reads(
        'wait',
        ({ met, notYet }) =>
          met === null
            ? notYet({ dependency: 'search', agent: 'scout', explanation: 'Scout searches.' })
            : { done: true },
        { labels: trusted },
      ),
    ],
    calls: [['wait', {}]],
    message: { state: 'completed', payload: { mark }, explanation: mark },
  }),
  'a message of a tool': (mark) => ({
    own: [
      reads(
        'tell',
        async ({ send }) => {
          await send({ state: 'waiting', payload: { mark }, explanation: mark });
          return { done: true };
        },
        { labels: trusted },
      ),
    ],
    calls: [['tell', {}]],
  }),
  'the answer of a nested task': (mark) => ({
    nested: { tools: [reads('read_page', () => ({ text: mark }))], calls: [['read_page', {}]], says: mark },
    calls: [['ask_clerk', { what: 'to read' }]],
  }),
  'a question of a nested task': (mark) => ({
    nested: {
      tools: [
        reads('ask', ({ answer, needsHuman }) =>
          answer === null ? needsHuman({ explanation: mark, payload: { mark } }) : { done: true },
        ),
      ],
      calls: [['ask', {}]],
      says: 'done',
    },
    calls: [['ask_clerk', { what: 'to ask' }]],
    answer: { type: 'instruction', content: 'Go on.' },
  }),
  'a held call of a nested task': (mark) => ({
    nested: {
      tools: [reads('read_page', () => ({ text: mark })), writes('pay', {}, strict)],
      calls: [
        ['read_page', {}],
        ['pay', { to: mark }],
      ],
      says: 'done',
    },
    calls: [['ask_clerk', { what: 'to pay' }]],
    answer: rejects,
  }),
  'the description of a foreign tool': (mark) => ({
    tools: [
      {
        ...reads('read_page', () => ({ done: true }), { isForeign: true, labels: trusted }),
        description: mark,
      },
    ],
    calls: [['read_page', {}]],
    isUntrusted: true,
  }),
  'the request of an agent': (mark) => ({
    tools: [reads('read_page', () => ({ done: true }), { labels: trusted })],
    calls: [['read_page', {}]],
    payload: { wish: mark },
    isUntrusted: true,
  }),
} as const satisfies Readonly<Record<string, (mark: string, naming: Naming) => Place>>;
