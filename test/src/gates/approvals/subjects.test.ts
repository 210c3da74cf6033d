import { describe, expect, it } from 'vitest';
import { memberPath } from '../../../../src/base/boundary/issues-of.ts';
import {
  jwsApprovals,
  type ApprovalKeySet,
  type JwsApprovalsOptions,
} from '../../../../src/gates/approvals/index.ts';
import {
  asked,
  by,
  claims,
  codeOf,
  compact,
  ecKey,
  edKey,
  granted,
  header,
  now,
  openOf,
  options,
  otherKey,
  token,
  trustedKey,
  verdictOn,
} from './desk.ts';

const setOf = (...keys: readonly object[]) => ({ keys }) as unknown as ApprovalKeySet;
const ed = openOf(edKey);

const byOther = (sub: string): string =>
  compact({ ...header, kid: otherKey.kid }, { ...claims, sub }, by(otherKey));

const refused = (keys: JwsApprovalsOptions['keys']) => () => jwsApprovals({ ...options, keys });
const issue = (path: string, message: string) =>
  expect.objectContaining({
    code: 'definition_invalid',
    message: `approvals "${options.issuer}": ${memberPath(path)}: ${message}`,
    details: { definition: 'approvals', issues: [{ path, message }] },
  });

describe('a key', () => {
  it.each<[string, readonly string[] | 'any', string | null]>([
    ['its one subject', ['kim'], null],
    ['each of its subjects', ['lee', 'kim'], null],
    ['any subject, if the host allows it', 'any', null],
    ['no other person', ['lee'], 'APPROVAL_SUBJECT_MISMATCH'],
    ['no one whose name matches only by case folding', ['KIM', ' kim'], 'APPROVAL_SUBJECT_MISMATCH'],
    ['no person whose name is a part of its subject', ['kim lee'], 'APPROVAL_SUBJECT_MISMATCH'],
  ])('signs for %s', async (_, subjects, expected) => {
    const keys = setOf({ ...ed, subjects });
    expect(await codeOf(token(), { keys })).toBe(expected);
    expect(await codeOf(token(), { keys: () => keys })).toBe(expected);
  });

  it('with the subject list ["any"] signs only for the person named any', async () => {
    const keys = setOf(trustedKey(edKey, ['any']));
    expect(await codeOf(token(), { keys })).toBe('APPROVAL_SUBJECT_MISMATCH');
    expect(await codeOf(token({ sub: 'any' }), { keys })).toBeNull();
  });

  it('for one person does not sign for the person of another key in the set', async () => {
    const keys = setOf(trustedKey(edKey, ['kim']), trustedKey(otherKey, ['lee']));
    expect(await verdictOn(token(), { keys })).toEqual(granted);
    expect(await codeOf(byOther('lee'), { keys })).toBeNull();
    expect(await codeOf(byOther('kim'), { keys })).toBe('APPROVAL_SUBJECT_MISMATCH');
    expect(await codeOf(token({ sub: 'lee' }), { keys })).toBe('APPROVAL_SUBJECT_MISMATCH');
  });

  it('without the right subject is rejected after its signature and before its other claims', async () => {
    const keys = setOf(trustedKey(edKey, ['lee']));
    expect(await codeOf(token({ iss: 'https://elsewhere.example' }), { keys })).toBe(
      'APPROVAL_SUBJECT_MISMATCH',
    );
    expect(await codeOf(compact(header, claims, by(otherKey)), { keys })).toBe('APPROVAL_SIGNATURE_WRONG');
  });
});

const wanted = (kid: string) =>
  `expected the names of the people that key "${kid}" may sign for, such as ["kim"], or "any" for a desk that has authenticated them`;

const unsaid: readonly (readonly [string, object])[] = [
  ['without subjects', {}],
  ['without subjects', { subjects: [] }],
  ['with subjects that are no list', { subjects: 'kim' }],
  ['of "Any"', { subjects: 'Any' }],
  ['of null', { subjects: null }],
  ['of true', { subjects: true }],
  ['of an empty name', { subjects: [''] }],
  ['of a name that no token can hold', { subjects: ['zoë'] }],
  ['with "any" in a list of invalid names', { subjects: [['any']] }],
];

describe.each(unsaid)('a key %s', (_, said) => {
  it('is rejected in a static set, with its kid and what is accepted', () => {
    const keys = setOf(trustedKey(ecKey), { ...ed, ...said });
    expect(refused(keys)).toThrow(issue('/keys/keys/1/subjects', wanted('ed-1')));
  });

  it('verifies no token when a key function returns it', async () => {
    const keys = setOf({ ...ed, ...said });
    expect(await verdictOn(token(), { keys: () => keys })).toEqual({
      refused: 'APPROVAL_SUBJECT_MISMATCH',
      explanation: 'Sign with a key of this approver: the `subjects` of this one do not name them.',
    });
  });
});

it('a key needs subjects as a member of its own; an inherited member does not count', async () => {
  const keys = setOf(Object.assign(Object.create({ subjects: 'any' }) as object, ed));
  expect(await codeOf(token(), { keys: () => keys })).toBe('APPROVAL_SUBJECT_MISMATCH');
});

describe('one key under two kids', () => {
  const twice = setOf(trustedKey(edKey, ['kim']), { ...trustedKey(edKey, ['lee']), kid: 'ed-9' });

  it('is rejected in a static set', () => {
    expect(refused(twice)).toThrow(
      issue('/keys/keys', 'expected each key under one kid: one key under two is one signer'),
    );
  });

  it('is ignored in the result of a key function', async () => {
    expect(await codeOf(token(), { keys: () => twice })).toBe('APPROVAL_KEY_UNKNOWN');
    const other = compact({ ...header, kid: 'ed-9' }, { ...claims, sub: 'lee' }, by(edKey));
    expect(await codeOf(other, { keys: () => twice })).toBe('APPROVAL_KEY_UNKNOWN');
  });
});

it('a static set copies the subjects of its keys', async () => {
  const subjects = ['kim'];
  const { verify } = jwsApprovals({ ...options, keys: setOf({ ...ed, subjects }) });
  subjects[0] = 'lee';
  expect(await verify(token(), asked, now)).toEqual(granted);
  expect(await verify(token({ sub: 'lee' }), asked, now)).toMatchObject({
    refused: 'APPROVAL_SUBJECT_MISMATCH',
  });
});
