import { expect } from 'vitest';
import { jwsApprovals, type JwsApprovalsOptions } from '../../src/gates/approvals/index.ts';
import type { MayRespond } from '../../src/index.ts';
import { by, compact, edKey, header, openOf, options, otherKey } from '../src/gates/approvals/desk.ts';
import { identity } from '../src/core/shell/scripted.ts';
import { settle } from '../src/core/shell/simulated-clock.ts';
import type { Given } from '../src/core/shell/scene.ts';
import { stopped, unmoved, type Attack, type Stop } from './attack.ts';
import { bank, bring, claimsFor, signed, type Bank } from './bank.ts';

const separation = 'NIST SP 800-53, AC-5';
const everybody: MayRespond = () => true;
const words = { taskClass: { authorities: ['human'] }, options: { mayRespond: everybody } } as const;

/** Says approve without a token. */
const approveAs = (one: Bank, name: string): Promise<void> => one.answer('approve', undefined, { by: name });

const tokenOf = async (one: Bank, sub: string, key = edKey): Promise<string> =>
  compact(
    { ...header, kid: key.kid },
    { ...claimsFor(one, await one.question()), sub, jti: `approval of ${sub.trim()}` },
    by(key),
  );

/** An approval that does not count: the bank is never touched. */
const refusal = (
  attempt: string,
  expected: Stop,
  given: Given,
  tries: (one: Bank) => Promise<void>,
  { before = async () => {}, source = separation }: { before?: typeof tries; source?: string } = {},
): Attack => ({
  number: 41,
  attempt,
  expected,
  source,
  run: async () => {
    const one = bank(undefined, given);
    await one.submit();
    await before(one);
    const stop = await unmoved(one, () => tries(one));
    expect(one.paid).toEqual([]);
    return stop;
  },
});

const trusting = (keys: JwsApprovalsOptions['keys']): Given => ({
  options: { approvals: jwsApprovals({ ...options, keys }) },
});
const ed = openOf(edKey);
const kims = { keys: [{ ...ed, subjects: ['kim'] }] };
const keysWithoutSubjects = (keys: readonly object[]): JwsApprovalsOptions['keys'] =>
  (() => ({ keys })) as JwsApprovalsOptions['keys'];

const underKeys: readonly Attack[] = [
  refusal(
    'a key signs in the name of another person',
    'APPROVAL_SUBJECT_MISMATCH',
    trusting(kims),
    async (one) => bring(one, await tokenOf(one, 'lee')),
  ),
  refusal(
    'one key signs as the two people that a write needs',
    'APPROVAL_SUBJECT_MISMATCH',
    { ...trusting(kims), taskClass: { approvers: 2 } },
    async (one) => bring(one, await tokenOf(one, 'lee')),
    { before: async (one) => bring(one, await tokenOf(one, 'kim')) },
  ),
  ...['Kim', ' kim', 'kim '].map((sub) =>
    refusal(
      `a key signs for ${JSON.stringify(sub)}, and may for "kim"`,
      'APPROVAL_SUBJECT_MISMATCH',
      trusting(kims),
      async (one) => bring(one, await tokenOf(one, sub)),
    ),
  ),
  refusal(
    'a key of a function that names no person it may sign for',
    'APPROVAL_SUBJECT_MISMATCH',
    trusting(keysWithoutSubjects([ed])),
    async (one) => bring(one, await tokenOf(one, 'kim')),
  ),
  refusal(
    'a key of a function of which the subjects are no list',
    'APPROVAL_SUBJECT_MISMATCH',
    trusting(keysWithoutSubjects([{ ...ed, subjects: 'kim' }])),
    async (one) => bring(one, await tokenOf(one, 'kim')),
  ),
  refusal(
    'one key under two names, each for another person',
    'APPROVAL_KEY_UNKNOWN',
    trusting(
      keysWithoutSubjects([
        { ...ed, subjects: ['kim'] },
        { ...ed, kid: otherKey.kid, subjects: ['lee'] },
      ]),
    ),
    async (one) => bring(one, await tokenOf(one, 'kim')),
  ),
  ...(
    [
      ['a static key that names no person it may sign for', [ed]],
      ['a static key that may sign for an empty list', [{ ...ed, subjects: [] }]],
      ['a static key for every subject, spelled otherwise', [{ ...ed, subjects: 'ANY' }]],
      [
        'a static key under two names',
        [ed, { ...ed, kid: 'ed-9' }].map((key, at) => ({ ...key, subjects: [`${at}`] })),
      ],
    ] as const
  ).map(([attempt, keys]): Attack => ({
    number: 41,
    attempt,
    expected: 'definition_invalid',
    source: separation,
    run: () => stopped(() => jwsApprovals({ ...options, keys: { keys: keys as never } })),
  })),
];

const two = { ...words, taskClass: { authorities: ['human', 'approval'], approvers: 2 } } as const;

const otherSpellings: readonly Attack[] = [
  ...['KIM', 'Kim', ' kim', 'kim '].map((name) =>
    refusal(
      `a second approval of kim, by the word of ${JSON.stringify(name)}`,
      'APPROVER_REPEATED',
      two,
      (one) => approveAs(one, name),
      { before: (one) => approveAs(one, 'kim') },
    ),
  ),
  refusal(
    'a second approval of kim, by a token for "KIM "',
    'APPROVER_REPEATED',
    two,
    async (one) => bring(one, await tokenOf(one, 'KIM ')),
    { before: async (one) => bring(one, await signed(one)) },
  ),
  refusal('an approver in full-width letters', 'document_invalid', words, (one) => approveAs(one, 'ｋｉｍ'), {
    source: 'UTS #39',
  }),
  refusal('the requesting agent approves in capitals', 'APPROVER_IS_REQUESTER', words, (one) =>
    approveAs(one, 'RECOMMENDER'),
  ),
  refusal(
    'the requesting agent approves by a token, behind a blank',
    'APPROVER_IS_REQUESTER',
    words,
    async (one) => bring(one, await tokenOf(one, ' Recommender')),
  ),
  refusal(
    'the requesting agent answers in capitals, where no host says who may',
    'identity_refused',
    {},
    (one) => approveAs(one, 'Recommender '),
  ),
];

/** An approval of a task that somebody had begun by an agent. */
const own = (attempt: string, given: Given, name: string, isToken = false): Attack => ({
  number: 41,
  attempt,
  expected: 'APPROVER_IS_REQUESTER',
  source: separation,
  run: async () => {
    const one = bank(undefined, given);
    const request = { taskClass: 'work', payload: {}, identity: { ...identity, user_id: 'kim' } };
    await one.orchestrator.submit(request);
    await settle();
    const stop = await unmoved(one, async () =>
      isToken ? bring(one, await tokenOf(one, name)) : approveAs(one, name),
    );
    expect(one.paid).toEqual([]);
    return stop;
  },
});

const ownTasks: readonly Attack[] = [
  own('the user behind an agent approves for it, by a word', words, 'kim'),
  own('the user behind an agent approves for it, by a token', {}, 'kim', true),
  own('the owner of an agent approves for it, by a word', words, 'acme'),
  own('the owner of an agent approves for it, by a token', {}, 'acme', true),
  own('the owner of an agent approves for it, in capitals', words, 'ACME'),
  own(
    'the owner of an agent approves what the policy wants a person to look at',
    {
      ...words,
      taskClass: { authorities: ['system', 'human'] },
      policy: 'needs_review',
    },
    'acme',
  ),
];

/** Says yes in a way that is none. */
const unclear: readonly (readonly [string, () => unknown])[] = [
  ['"no"', () => 'no'],
  ['1', () => 1],
  ['an object', () => ({ allowed: false })],
  ['a boxed false', () => Object(false)],
  ['a promise of "true"', async () => 'true'],
  ['a function', () => () => false],
];

const notYes: readonly Attack[] = [
  ...unclear.map(([name, mayRespond]) =>
    refusal(
      `a choice of who may answer that says ${name}`,
      'identity_refused',
      { options: { mayRespond: mayRespond as MayRespond } },
      async (one) => bring(one, await signed(one)),
      { source: 'CWE-754' },
    ),
  ),
  refusal(
    'a choice of who may answer that writes another name into what it is given',
    'identity_refused',
    {
      options: {
        mayRespond: (_, { person }) => {
          Object.assign(person, { id: 'kim' });
          return true;
        },
      },
    },
    (one) => approveAs(one, 'mallory'),
    { source: 'CWE-471' },
  ),
];

export const persons: readonly Attack[] = [underKeys, otherSpellings, ownTasks, notYes].flat();
