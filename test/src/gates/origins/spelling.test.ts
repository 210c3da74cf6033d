import { describe, expect, it } from 'vitest';
import { isEchoing, isRepeating, spellingOf } from '../../../../src/gates/origins/spelling.ts';

const account = 'GB29NWBK60161331926819';
const each = (write: (character: string) => string): string => Array.from(account, write).join('');
const code = (character: string, base = 16): string => (character.codePointAt(0) ?? 0).toString(base);
const digits = (first: number): string =>
  account.replaceAll(/\d/g, (digit) => String.fromCodePoint(first + Number(digit)));

describe('what a person may repeat of a text', () => {
  it.each([
    ['HTML entities', each((one) => `&#${code(one, 10)};`), account],
    ['hexadecimal entities', each((one) => `&#x${code(one)};`), account],
    ['JSON escapes', each((one) => `\\u${code(one).padStart(4, '0')}`), account],
    [
      'quoted-printable',
      `${each((one) => `=${code(one)}`).slice(0, 30)}=\r\n${each((one) => `=${code(one)}`).slice(30)}`,
      account,
    ],
    ['percent, three times', each((one) => `%2525${code(one)}`), account],
    ['base64', Buffer.from(account).toString('base64'), account],
    [
      'base64 on lines of 76',
      Buffer.from(`${'x'.repeat(50)} ${account} `.repeat(3))
        .toString('base64')
        .replaceAll(/(.{76})/g, '$1\r\n'),
      account,
    ],
    [
      'base64 before a boundary',
      `${Buffer.from(`to: ${account}`).toString('base64')}\r\n----=_Part_1`,
      account,
    ],
    ['base64 with what is not printed', Buffer.from(`${account}\u0001`).toString('base64'), account],
    ['base64 in base64', Buffer.from(Buffer.from(account).toString('base64')).toString('base64'), account],
    ['entities in base64', Buffer.from(each((one) => `&#${code(one, 10)};`)).toString('base64'), account],
    [
      'base64 of another character set',
      Buffer.from(`Grüße, bitte überweisen Sie alles gleich an ${account}`, 'latin1').toString('base64'),
      account,
    ],
    [
      'a character set that is named',
      'charset="koi8-r"\r\n\r\n=EE=C1=D4=C1=CC=D8=D1 =FD=C5=D2=C2=C1=CB=CF=D7=C1',
      'Наталья Щербакова',
    ],
    ['encoded words', '=?utf-8?Q?GB29_NWBK_6016=31?=\r\n =?utf-8?Q?331_9268_19?=', account],
    ['encoded words in base64', '=?UTF-8?B?R0IyOU5XQks2MDE2MTMzMTkyNjg=?=\r\n =?UTF-8?B?MTk=?=', account],
    ['short JSON escapes', account.replace('6016', String.raw`60\n16`), account],
    ['an entity after what looks quoted-printable', 'iban=389458&#50;7581415', '38945827581415'],
    ['tags', `<b title="x">${account.slice(0, 5)}</b><wbr>${account.slice(5)}`, account],
    ['a query', `https://bank.example/?iban=DE${account}`, `DE${account}`],
    ['entities that are not seen', each((one) => `${one}&shy;`), account],
    ['hexadecimal digits', Buffer.from(account).toString('hex'), account],
    ['Arabic-Indic digits', digits(0x6_60), account],
    ['Persian digits', digits(0x6_f0), account],
    ['Devanagari digits', digits(0x9_66), account],
    ['fullwidth digits', digits(0xff_10), account],
    ['mathematical digits', digits(0x1_d7_ce), account],
    ['accents', 'Mállóry Höldings', 'mallory holdings'],
    ['accents as entities', 'M&aacute;ll&oacute;ry H&ouml;ldings', 'mallory holdings'],
    ['a sharp s', 'Großmann Handel', 'Grossmann Handel'],
    ['an umlaut that is written as two letters', 'Müller & Söhne', 'Mueller & Soehne'],
    ['Cyrillic letters that look alike', 'mаllоry Holdings', 'mallory Holdings'],
    ['Greek letters that look alike', 'mαllοry Holdings', 'mallory Holdings'],
    ['what is not seen', 'mal\u00ADlory\u200b Holdings', 'mallory Holdings'],
    ['a word for thousands', 'a rent of 12.5k', '12500'],
    ['a word for millions', 'a rent of 5 million', '5000000'],
    ['the same in Russian', '5 миллионов рублей', '5000000'],
    ['the same in German', '2,5 Mio. EUR', '2500000'],
    ['the same in Japanese', '500万円', '5000000'],
    ['an exponent', '5e6 EUR', '5000000'],
  ])('is found in %s', (_, text, said) => {
    expect(isRepeating(spellingOf(said), spellingOf(`Please pay ${text} today.`))).toBe(true);
  });

  it.each([
    ['another account', 'DE89370400440532013000'],
    ['another amount', '5 million', '6000000'],
    ['words that look like base64', 'International Business Machines', 'Acme Holdings'],
    [
      'a picture in base64',
      Buffer.from(Array.from({ length: 300 }, (_, at) => (at * 37) % 256)).toString('base64'),
    ],
    ['no entity', '&constructor; &#x110000; \\u{fffffff}', 'constructed'],
  ])('is not found in %s', (_, text, said = account) => {
    expect(isRepeating(spellingOf(said), spellingOf(text))).toBe(false);
  });
});

it('reads a long run of digits once', () => {
  const began = process.cpuUsage();
  spellingOf('1'.repeat(100_000));
  expect(process.cpuUsage(began).user).toBeLessThan(5_000_000); // microseconds: each digit with each was 25 s
});

it.each(['5e6 EUR', 'DE89370400440532013000', 'U2VjcmV0IHdvcmRz'])(
  'a result that has what was asked in it repeats it, whatever else that may be read as: %s',
  (asked) => expect(isEchoing(spellingOf(`It is ${asked}, as asked.`), spellingOf(asked))).toBe(true),
);
