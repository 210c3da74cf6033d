/** How often a text is decoded that may be encoded more than once. */
const mostRounds = 4;

const text = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of bytes; `undefined` for bytes that are no text. */
const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    const read = text.decode(bytes);
    return /\p{Cc}/u.test(read.replaceAll(/\s/gu, '')) ? undefined : read;
  } catch {
    return undefined;
  }
};

/** Returns the text of pairs of hexadecimal digits: that of UTF-8, or of Latin 1. */
const textOfHex = (hex: string): string => {
  const bytes = Buffer.from(hex, 'hex');
  return textOf(bytes) ?? bytes.toString('latin1');
};

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ['szlig', 'ss'],
]);

const ofCodePoint = (digits: string, base: number): string => {
  const point = Number.parseInt(digits, base);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : '';
};

/** Returns a text with its escapes decoded once: percent, quoted-printable, JSON, HTML. */
const unescaped = (given: string): string =>
  given
    .replaceAll(/=[ \t]*\r?\n/g, '')
    .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => textOfHex(run.replaceAll('%', '')))
    .replaceAll(/(?:=[\da-f]{2})+/gi, (run) => textOfHex(run.replaceAll('=', '')))
    .replaceAll(
      /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi,
      (_, ...[wide, four, two]: string[]) => ofCodePoint(wide ?? four ?? two ?? '', 16),
    )
    .replaceAll(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) =>
      hex === undefined ? ofCodePoint(decimal ?? '', 10) : ofCodePoint(hex, 16),
    )
    // a mark of a letter is taken off later, as it is from the letter itself
    .replaceAll(/&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi, '$1')
    .replaceAll(/&([ao]e)lig;/gi, '$1')
    .replaceAll(/&([a-z]+);/gi, (entity, name: string) => entities.get(name.toLowerCase()) ?? entity);

/** Returns what stands in base64 and in hexadecimal digits in a text. */
const hiddenIn = (given: string): readonly string[] => {
  const unwrapped = given.replaceAll(/(?<=[\w+/]{60})\r?\n(?=[\w+/])/g, '');
  const base64 = unwrapped.matchAll(/[\w+/-]{8,}={0,2}/g);
  const hex = given.matchAll(/(?:[\da-f]{2}[\s:]?){5,}/gi);
  return [
    ...[...base64].map(([run]) => textOf(Buffer.from(run, 'base64'))),
    ...[...hex].map(([run]) => textOf(Buffer.from(run.replaceAll(/[\s:]/g, ''), 'hex'))),
  ].flatMap((read) => read ?? []);
};

/** Returns a text with its escapes decoded, and after it what it has in base64 and hexadecimal digits. */
export const decoded = (given: string): string => {
  let [plain, before] = [given, ''];
  for (let round = 0; round < mostRounds && plain !== before; round += 1)
    [before, plain] = [plain, unescaped(plain)];
  return [plain, ...hiddenIn(plain)].join('\n');
};

/** Letters that look like others, or are written as two, and those. */
const letters: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ß: 'ss',
    æ: 'ae',
    œ: 'oe',
    ø: 'o',
    đ: 'd',
    ð: 'd',
    þ: 'th',
    ł: 'l',
    ı: 'i',
    ...Object.fromEntries(
      ['авекмнорстухіјѕһԁԛԝ abekmhopctyxijshdqw', 'αβεζηικμνορτυχ abezhikmvoptyx'].flatMap((pair) => {
        const [foreign = '', latin = ''] = pair.split(' ');
        return Array.from(foreign, (letter, at) => [letter, latin.charAt(at)] as const);
      }),
    ),
  }),
);

/** Returns the value of a decimal digit of any script: Unicode has them in rows of ten. */
const digitOf = (digit: string): string => {
  const point = digit.codePointAt(0) ?? 0;
  let first = point;
  while (/\p{Nd}/u.test(String.fromCodePoint(first - 1))) first -= 1;
  return String((point - first) % 10);
};

/**
 * Returns a text in one form of its letters: in one case, without marks, what is not seen and forms of width, with Latin
 * letters for those that look like them, and digits of one script. A letter that some write as two is one.
 */
export const folded = (given: string): string =>
  given
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[\p{M}\p{Cf}]/gu, '')
    .replaceAll(/\P{ASCII}/gu, (letter) => letters.get(letter) ?? letter)
    .replaceAll(/(?![0-9])\p{Nd}/gu, digitOf)
    .replaceAll(/([aou])e/g, '$1')
    .replaceAll(/\s+/gu, ' ')
    .trim();

/** Words after a number, by the zeros that they stand for, in the languages of everyday mail. */
const zeros: ReadonlyMap<string, number> = new Map(
  (
    [
      [3, 'k thousand tausend tsd mille mil mila тыс тысяч'],
      [5, 'lakh lakhs'],
      [
        6,
        'm mn mio mln million millions millionen millones milioni milioane milhoes millon milhao миллион миллиона миллионов млн',
      ],
      [7, 'crore crores'],
      [9, 'bn mrd billion billions milliard milliards milliarden miliardi миллиард миллиардов млрд'],
    ] as const
  ).flatMap(([count, words]) => words.split(' ').map((word) => [folded(word), count] as const)),
);

/** Returns a number times a power of ten in digits; `undefined` for one that is no whole number. */
const scaled = (digits: string, power: number): string | undefined => {
  const value = Number(`${digits.replace(',', '.')}e${power}`);
  return Number.isSafeInteger(value) ? String(value) : undefined;
};

/** Returns a folded text, and after it the numbers in it that are shortened: `5 million`, `2.5k`, `5e6`. */
export const spelledOut = (plain: string): string => {
  const numbers = [...plain.matchAll(/(\d+(?:[.,]\d+)?)(?:e\+?(\d{1,2})| ?(\p{L}+))/gu)].flatMap(
    ([, digits = '', power, word = '']) => {
      const places = power === undefined ? zeros.get(word) : Number(power);
      return (places === undefined ? undefined : scaled(digits, places)) ?? [];
    },
  );
  return [plain, ...numbers].join(' ');
};
