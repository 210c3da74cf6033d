/** How often a text is decoded that may be encoded more than once. */
const mostRounds = 4;

/** The share of characters that are printed in a text of another character set than UTF-8, at least. */
const leastPrinted = 0.95;

/** How deep base64 is looked for in base64. */
const mostDepth = 2;

/** The fewest bytes in base64 that are taken for a text of another character set than UTF-8. */
const fewestBytes = 48;

const printed = (read: string): string => read.replaceAll(/(?!\s)[\p{Cc}\uFFFD]/gu, '');

const text = new TextDecoder('utf-8', { fatal: true });

/** Returns the text of bytes, without what is not printed; `undefined` for bytes that are no UTF-8. */
const textOf = (bytes: Uint8Array): string | undefined => {
  try {
    return printed(text.decode(bytes));
  } catch {
    return undefined;
  }
};

/** The most character sets that are tried for one text. */
const mostCharsets = 4;

/** What reads the bytes of a character set. */
type Decoder = InstanceType<typeof TextDecoder>;

/** Returns the decoder of a character set; nothing for one that is not known. */
const decoderOf = (charset: string): Decoder | [] => {
  try {
    return new TextDecoder(charset);
  } catch {
    return [];
  }
};

/** Returns decoders of the character sets that a mail names, but for UTF-8, and of Latin 1 as the last. */
const decodersIn = (given: string): readonly Decoder[] => {
  const names = new Set(
    [...given.matchAll(/(?:charset=["']?|=\?)([\w-]{3,20})/gi)].map(([, name = '']) => name.toLowerCase()),
  );
  names.delete('utf-8');
  return [...[...names].slice(0, mostCharsets), 'latin1'].flatMap(decoderOf);
};

/** Returns the text of pairs of hexadecimal digits: that of UTF-8, or of the first other character set. */
const textOfHex = (hex: string, [first]: readonly Decoder[]): string => {
  const bytes = Buffer.from(hex, 'hex');
  return textOf(bytes) ?? first?.decode(bytes) ?? '';
};

const entities: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
  ...['shy', 'zwj', 'zwnj', 'lrm', 'rlm'].map((unseen) => [unseen, ''] as const),
  ['szlig', 'ss'],
]);

const ofCodePoint = (digits: string, base: number): string => {
  const point = Number.parseInt(digits, base);
  return point <= 0x10_ff_ff ? String.fromCodePoint(point) : '';
};

/** Returns a text with its quoted-printable escapes decoded once. */
const unquoted = (given: string, decoders: readonly Decoder[]): string =>
  given
    .replaceAll(/=[ \t]*\r?\n/g, '')
    .replaceAll(/(?:=[\da-f]{2})+/gi, (run) => textOfHex(run.replaceAll('=', ''), decoders));

/** Returns a text with its other escapes decoded once: percent, JSON, HTML. */
const unescaped = (given: string, decoders: readonly Decoder[]): string =>
  given
    .replaceAll(/(?:%[\da-f]{2})+/gi, (run) => textOfHex(run.replaceAll('%', ''), decoders))
    .replaceAll(
      /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2}))/gi,
      (_, ...[wide, four, two]: string[]) => ofCodePoint(wide ?? four ?? two ?? '', 16),
    )
    .replaceAll(/\\[bfnrt]/g, ' ')
    .replaceAll(/&#(?:x([\da-f]{1,6})|(\d{1,7}));?/gi, (_, hex?: string, decimal?: string) =>
      hex === undefined ? ofCodePoint(decimal ?? '', 10) : ofCodePoint(hex, 16),
    )
    // a mark of a letter is taken off later, as it is from the letter itself
    .replaceAll(/&([a-z])(?:acute|grave|circ|uml|tilde|cedil|ring|slash|caron);/gi, '$1')
    .replaceAll(/&([ao]e)lig;/gi, '$1')
    .replaceAll(/&([a-z]+);/gi, (entity, name: string) => entities.get(name.toLowerCase()) ?? entity);

/** Returns a text with the encoded words of its headers decoded; between two of them a blank is none. */
const withoutEncodedWords = (given: string, decoders: readonly Decoder[]): string =>
  given
    .replaceAll(/\?=\s+(?==\?)/g, '?=')
    .replaceAll(/=\?[\w-]{1,20}\?b\?([\w+/]*)=*\?=/gi, (_, run: string) =>
      textOfHex(Buffer.from(run, 'base64').toString('hex'), decoders),
    )
    .replaceAll(/=\?[\w-]{1,20}\?q\?([^?\s]*)\?=/gi, (_, words: string) => words.replaceAll('_', ' '));

/** Returns the texts of bytes: that of UTF-8, or those of other character sets, unless they look like a picture. */
const textsOf = (bytes: Uint8Array, decoders: readonly Decoder[]): readonly string[] => {
  const read = textOf(bytes);
  if (read !== undefined) return [read];
  if (bytes.length < fewestBytes) return [];
  return decoders.flatMap((decoder) => {
    const other = decoder.decode(bytes);
    const clean = printed(other);
    return clean.length < other.length * leastPrinted ? [] : [clean];
  });
};

/** Returns what stands in base64 and in hexadecimal digits in a text. */
const hiddenIn = (given: string, decoders: readonly Decoder[]): readonly string[] => {
  const unwrapped = given.replaceAll(/(?<=[\w+/]{60})\r?\n(?=[\w+/])/g, '');
  const base64 = unwrapped.matchAll(/[\w+/-]{8,}={0,2}/g);
  const hex = given.matchAll(/(?:[\da-f]{2}[\s:]?){5,}/gi);
  return [
    ...[...base64].flatMap(([run]) => textsOf(Buffer.from(run, 'base64'), decoders)),
    ...[...hex].flatMap(([run]) => textOf(Buffer.from(run.replaceAll(/[\s:]/g, ''), 'hex')) ?? []),
  ];
};

/** Returns a text without its tags of HTML, if it has some. */
const untagged = (given: string): readonly string[] => {
  const without = given.replaceAll(/<[a-z/!][^<>]{0,1000}>/gi, '');
  return without === given ? [] : [without];
};

/** Returns a text, and what it is after each round of decoding, the last one first. */
const roundsOf = (given: string, decode: (text: string) => string): readonly string[] => {
  const rounds = [given];
  for (let round = 0; round < mostRounds; round += 1) {
    const plain = decode(rounds[0] ?? '');
    if (plain === rounds[0]) break;
    rounds.unshift(plain);
  }
  return rounds;
};

const decodedTo = (encoded: string, depth: number, decoders: readonly Decoder[]): readonly string[] => {
  const given = withoutEncodedWords(encoded, decoders);
  const rounds = new Set([
    ...roundsOf(given, (one) => unescaped(unquoted(one, decoders), decoders)),
    ...roundsOf(given, (one) => unescaped(one, decoders)), // `iban=3894&#50;` has no quoted-printable escape
  ]);
  const [whole = ''] = rounds;
  if (depth === 0) return [...rounds];
  // what is decoded once too often was something else: `iban=27…` has no escape
  const hidden = new Set([whole, given].flatMap((one) => hiddenIn(one, decoders)));
  return [
    ...rounds,
    ...[...rounds].flatMap(untagged),
    ...[...hidden].flatMap((one) => decodedTo(one, depth - 1, decoders)),
  ];
};

/**
 * Returns a text with its escapes decoded, and then what else it may be read as: with fewer of them decoded, without tags,
 * and what it has in base64 and hexadecimal digits.
 */
export const decoded = (given: string): readonly string[] => [
  ...new Set(decodedTo(given, mostDepth, decodersIn(given))),
];

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
      [4, '万'],
      [5, 'lakh lakhs'],
      [
        6,
        'm mn mio mln million millions millionen millones milioni milioane milhoes millon milhao миллион миллиона миллионов млн',
      ],
      [7, 'crore crores'],
      [8, '億'],
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
  const numbers = [
    ...plain.matchAll(/(?<!\d)(\d{1,16}(?:[.,]\d{1,16})?)(?:e\+?(\d{1,2})| ?([万億]|\p{L}+))/gu),
  ].flatMap(([, digits = '', power, word = '']) => {
    const places = power === undefined ? zeros.get(word) : Number(power);
    return (places === undefined ? undefined : scaled(digits, places)) ?? [];
  });
  return [plain, ...numbers].join(' ');
};
