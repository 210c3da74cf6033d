import { describe, expect, it } from 'vitest';
import { tablePolicy, type PolicyRule } from '../../../../src/gates/policies/index.ts';
import { options, refusalOf, request } from './request.ts';

const allow: PolicyRule = { tools: ['mail.send'], verdict: 'allow', reason: 'mail' };
const decide = (...rules: readonly PolicyRule[]) => tablePolicy({ rules }).decide(request, options);
const versionOf = (tools: readonly string[]) => tablePolicy({ rules: [{ ...allow, tools }] }).version;

describe('The authority of an allowed write [UAICP 5.3]', () => {
  it('is that of the rule that allows it', () => {
    expect(decide({ ...allow, authority: 'legal' })).toStrictEqual({
      verdict: 'allow',
      reasons: ['mail'],
      authority: 'legal',
    });
  });

  it('is the first by name when several rules allow it, in any order of rules', () => {
    const [security, legal] = ['security', 'legal'].map((authority) => ({ ...allow, authority }));
    expect(decide(allow, security!, legal!)).toMatchObject({ authority: 'legal' });
    expect(decide(legal!, security!, allow)).toMatchObject({ authority: 'legal' });
  });

  it('is null when no rule names one or the write is denied', () => {
    expect(decide(allow)).toStrictEqual({ verdict: 'allow', reasons: ['mail'] });
    const deny: PolicyRule = { verdict: 'deny', reason: 'closed' };
    expect(decide({ ...allow, authority: 'legal' }, deny)).toStrictEqual({
      verdict: 'deny',
      reasons: ['closed'],
    });
  });
});

describe('The version of a table', () => {
  it('is the digest of its rules', () => {
    // Python's: `hashlib.sha256` of `json.dumps(rules, sort_keys=True, separators=(',', ':'))`.
    expect(versionOf(['mail.send'])).toBe(
      'sha256:77ee16e901c316a62341516cee1a14ab0180c02bb9e8ca81ecb6ea29b8d824e1',
    );
    expect(versionOf(['a', 'b'])).not.toBe(versionOf(['a,b']));
  });

  it('may be any non-empty text', () => {
    expect(tablePolicy({ version: 'rules of 2026', rules: [] }).version).toBe('rules of 2026');
    expect(refusalOf(() => tablePolicy({ version: '', rules: [] }))).toMatchObject({
      details: { issues: [{ path: '/version' }] },
    });
  });

  it('is named in the error for an invalid table', () => {
    const rules = [{ ...allow, reason: '' }];
    expect(refusalOf(() => tablePolicy({ version: '7', rules }))).toMatchObject({
      message: expect.stringMatching(/^table policy "7": /),
    });
    expect(refusalOf(() => tablePolicy({ rules }))).toMatchObject({
      message: expect.stringMatching(/^table policy "": /),
    });
  });
});

it('A condition that returns no boolean denies with that reason', () => {
  const when = (() => 1) as unknown as () => boolean;
  expect(decide({ ...allow, reason: 'odd', when })).toStrictEqual({
    verdict: 'deny',
    reasons: ['the condition of "odd" failed: TypeError: `when` returned no boolean'],
  });
});
