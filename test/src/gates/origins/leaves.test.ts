import { describe, expect, it } from 'vitest';
import {
  leavesOf,
  normalForm,
  soughtForm,
  standsIn,
  textForm,
  tokensOf,
} from '../../../../src/gates/origins/leaves.ts';

it('a JSON value has a leaf for each value without members, at its pointer', () => {
  expect(leavesOf({ a: [1, { 'b/c~': null }], d: '' })).toEqual([
    { pointer: '/a/0', value: 1 },
    { pointer: '/a/1/b~1c~0', value: null },
    { pointer: '/d', value: '' },
  ]);
  expect(leavesOf('x')).toEqual([{ pointer: '', value: 'x' }]);
});

describe('the normal form of a value', () => {
  it.each<[string, unknown, string | undefined]>([
    ['is trimmed, in one case, with single spaces', '  Ada \n\t LOVELACE ', 'ada lovelace'],
    ['is composed', 'Ame\u0301lie', 'am\u00e9lie'],
    ['keeps look-alikes apart', 'p\u0430yment', 'p\u0430yment'],
    [
      'keeps compatible letters apart',
      '\uff21\uff22\uff23\uff24\uff25\uff26',
      '\uff41\uff42\uff43\uff44\uff45\uff46',
    ],
    ['keeps characters that are not seen', 'abc\u200bdef', 'abc\u200bdef'],
    ['is none of five characters', 'abcde', undefined],
    ['is none of five characters and spaces', '   abcde   ', undefined],
    ['is there of six characters', 'abcdef', 'abcdef'],
    ['is none of an empty text', '', undefined],
    ['is none of four digits', 1234, undefined],
    ['is none of four digits and a sign', -12.34, undefined],
    ['is there of five digits', 123.45, '123.45'],
    ['is none of a boolean', true, undefined],
    ['is none of null', null, undefined],
  ])('%s', (_, value, expected) => expect(normalForm(value)).toBe(expected));
});

describe('a value in a longer text', () => {
  it.each([
    ['pay account-1', true],
    ['(account-1)', true],
    ['"account-1", today', true],
    ['to account-1.', true],
    ['to account-1. then', true],
    ['«account-1»!', true],
    ['<account-1>', true],
    ['account-1', true],
    ['xaccount-1 and account-1', true],
    ['xaccount-1', false],
    ['account-12', false],
    ['account-1.example.net', false],
    ['my-account-1', false],
    ['account-1/2', false],
    ['account-1@example.net', false],
    ['iban=account-1;', false],
    ['iban:account-1', false],
    ['one,account-1', false],
    ["o'account-1", false],
    ['account-1;x', false],
    ['account-1?to=x', false],
    ['-account-1', false],
    ['.account-1', false],
    ['account-1…', false],
    ['account-1...', false],
    ['', false],
  ])('%j: %s', (text, expected) => expect(standsIn('account-1', text)).toBe(expected));

  it.each([
    ['0532 0130', 'de89 3704 0044 0532 0130 00', false],
    ['de89 3704 0044', 'de89 3704 0044 0532 0130 00', false],
    ['nwbk 6016 1331 9268 19', 'gb29 nwbk 6016 1331 9268 19', false],
    ['de89 3704 0044 0532 0130 00', 'to (de89 3704 0044 0532 0130 00), 900 euros', true],
    ['234 567,89', '1 234 567,89 €', false],
    ['234 567,89', 'on 27.11.2026 234 567,89 €', true],
    ['30 1234567', '+49 30 1234567', false],
    ['+49 30 55', '+49 30 55 1234', false],
    ['1234567', '+49 (30) 1234567', false],
    ['de89370400440532013000', 'de89370400440532013000 900', true],
  ])('%s of a number in groups, in %s: %s', (value, text, expected) =>
    expect(standsIn(value, text)).toBe(expected),
  );

  it('is looked for in lines that are broken within a token as if they were one', () => {
    expect(textForm('Jean-\r\n> Pierre Martin')).toBe('jean-pierre martin');
    expect(textForm('DE8937040044=\r\n0532013000')).toBe('de89370400440532013000');
    expect(textForm('====\nAda\n-- \nLovelace')).toBe('==== ada -- lovelace');
  });

  it('is looked for by what is seen alone', () => {
    for (const value of [
      'hello\r\nworld',
      'Acme\u2028Bank',
      '\uFEFFaccount-1',
      'acco\u00ADunt-1',
      'a\u00a0bank-1',
    ])
      expect(soughtForm(value)).toBeUndefined();
    expect(soughtForm('https://ban\u212a.example')).toBeUndefined();
    expect(soughtForm('Acme  Bank')).toBe('acme bank');
  });

  it('has the tokens of its text without the punctuation at their edges', () => {
    expect(tokensOf('"pay (account-1), d\u2019angelo!" ...')).toEqual([
      'pay',
      'account-1',
      'd\u2019angelo',
      '',
    ]);
  });
});
