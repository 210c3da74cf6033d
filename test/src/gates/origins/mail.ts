import { mimeOf, shownAs, type Encoding } from './mail-encodings.ts';
import type { Locale } from './mail-locales.ts';

/** A value that was written into a mail, as the one who wrote it would say it. */
export interface Written {
  readonly value: string;
  /** What it was written as: itself, between blanks and punctuation; within a longer token; or so that it looks otherwise. */
  readonly form: 'whole' | 'part' | 'encoded';
  /** Where it was written, for what a failure prints. */
  readonly how: string;
}

/** A mail, and the source of what was written into it. */
export interface Mail {
  readonly text: string;
  readonly written: readonly Written[];
}

/** Returns a source of numbers from 0 to before `below`, the same for the same seed. */
export const dice = (seed: number): ((below: number) => number) => {
  let state = seed;
  return (below) => {
    state = (state + 0x6d_2b_79_f5) % 2 ** 32;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
};

type Roll = ReturnType<typeof dice>;
export const valueKinds = ['account', 'amount', 'address', 'name', 'url', 'phone', 'date'] as const;

type Kind = (typeof valueKinds)[number];

const pick = <One>(roll: Roll, from: readonly One[]): One => from[roll(from.length)]!;

const digits = (roll: Roll, count: number): string =>
  Array.from({ length: count }, (_, at) => String(at === 0 ? 1 + roll(9) : roll(10))).join('');

const inGroups = (text: string, size: number, by: string): string =>
  text.replaceAll(new RegExp(`.(?=(?:.{${size}})+$)`, 'gu'), `$&${by}`);

const inFours = (account: string): string => account.replaceAll(/(.{4})(?=.)/g, '$1 ');

/** Returns a value of a kind, as it is said plainly. */
export const plainValue = (roll: Roll, locale: Locale, kind: Kind): string => {
  const host = `${pick(roll, ['bank', 'billing', 'mail-24', 'kunden'])}${digits(roll, 3)}.example.${locale.top}`;
  switch (kind) {
    case 'account':
      return locale.account[0].replace('29', String(10 + roll(89))) + digits(roll, locale.account[1]);
    case 'amount':
      return digits(roll, 5 + roll(3)) + (locale.decimal === '' ? '' : `.${digits(roll, 2)}`);
    case 'address':
      return `${pick(roll, ['brien', 'pay.dept', 'h_mori', 'info'])}${digits(roll, 3)}@${host}`;
    case 'name':
      return pick(roll, [...locale.people, ...locale.companies]);
    case 'url':
      return `https://${host}/${pick(roll, ['pay', 'rechnung', 'a/b'])}/${digits(roll, 4)}`;
    case 'phone':
      return locale.phone + digits(roll, 4);
    case 'date':
      return locale.date(1 + roll(28), pick(roll, locale.months));
  }
};

const moneyOf = (amount: string, { grouping, decimal }: Locale): string => {
  const [whole = '', cents] = amount.split('.');
  return inGroups(whole, 3, grouping) + (cents === undefined ? '' : decimal + cents);
};

/** A text with the values in it. */
interface Piece {
  readonly text: string;
  readonly written: readonly Written[];
}

const around: readonly ((value: string) => string)[] = [
  (value) => value,
  (value) => `(${value})`,
  (value) => `"${value}"`,
  (value) => `«${value}»`,
  (value) => `„${value}“,`,
  (value) => `<${value}>;`,
  (value) => `${value},`,
  (value) => `${value}.`,
  (value) => `[${value}]?`,
  (value) => `| ${value} |`,
  (value) => `> ${value}`,
  (value) => `27.11.2026 ${value}`,
  (value) => `2026-11-27 14:30 ${value}`,
];

/** Returns a value as a whole, as mail shows it. */
const whole = (roll: Roll, locale: Locale, kind: Kind): Piece => {
  const value = plainValue(roll, locale, kind);
  const how = `${kind}, whole`;
  if (kind === 'amount') {
    const shown = moneyOf(value, locale);
    const isSame = shown === value;
    return {
      text: locale.money(shown),
      written: [{ value, form: isSame ? 'whole' : 'encoded', how: `${kind} as money` }],
    };
  }
  if (kind === 'account' && roll(2) === 0)
    return {
      text: pick(roll, around)(inFours(value)),
      written: [
        { value, form: 'encoded', how: `${kind} in groups of four` },
        { value: inFours(value), form: 'whole', how: `${kind} in groups of four` },
      ],
    };
  if (kind === 'address' && roll(2) === 0) {
    const name = pick(roll, locale.people);
    return {
      text: `${name} <${value}>`,
      written: [name, value].map((one) => ({ value: one, form: 'whole', how })),
    };
  }
  const glued = locale.language === 'ja' && roll(2) === 0; // no blanks between words
  if (glued)
    return {
      text: `${pick(roll, locale.labels)}は${value}です。`,
      written: [{ value, form: 'encoded', how: `${how}, no blanks` }],
    };
  return { text: pick(roll, around)(value), written: [{ value, form: 'whole', how }] };
};

/** The tokens that are longer than a value, which is another one. */
const longer: Readonly<
  Record<Exclude<Kind, 'amount' | 'date' | 'phone'>, readonly ((value: string) => string)[]>
> = {
  account: [
    (value) => `${value}7`,
    (value) => `X${value}`,
    (value) => `iban=${value}`,
    (value) => `IBAN:${value}`,
    (value) => `${value}/01`,
    (value) => `${value}…`,
    (value) => `${value}...`,
    (value) => `"${value}",${value.slice(2)}`,
    (value) => `${value};${value.slice(3)}`,
    (value) => `RF18-\r\n${value}`,
  ],
  address: [
    (value) => `o'${value}`,
    (value) => `d’${value}`,
    (value) => `first.${value}`,
    (value) => `news+${value}`,
    (value) => `${value}.evil.example`,
    (value) => `mailto:${value}?subject=x`,
    (value) => `<mailto:${value}>`,
    (value) => `sip:${value};transport=tcp`,
  ],
  name: [
    (value) => `Jean-${value}`,
    (value) => `Jean-\r\n${value}`,
    (value) => `O'${value}`,
    (value) => `${value}-Schmidt`,
    (value) => `${value}@example.net`,
    (value) => `${value}/2`,
    (value) => `cn=${value},ou=x`,
    (value) => `l’${value}`,
  ],
  url: [
    (value) => `${value}:8443/x`,
    (value) => `${value}?to=https://other.example/&n=1`,
    (value) => `https://other.example/?next=${value}`,
    (value) => `${value}/more`,
    (value) => `${value}#top`,
    (value) => `${value}…`,
    (value) => `href="${value}"`,
    (value) => `${value};jsessionid=1`,
    (value) => `<a>${value}</a>`,
  ],
};

/** Returns a value that is only a part of what is written. */
const part = (roll: Roll, locale: Locale): Piece => {
  const kind = pick(roll, [
    'account',
    'account',
    'address',
    'name',
    'url',
    'amount',
    'groups',
    'phone',
  ] as const);
  const of = (text: string, ...values: readonly string[]): Piece => ({
    text,
    written: values
      .filter((value) => value !== text)
      .map((value) => ({ value, form: 'part', how: `${kind} in ${JSON.stringify(text)}` })),
  });
  if (kind === 'phone') {
    const phone = plainValue(roll, locale, 'phone');
    return of(phone, phone.slice(phone.indexOf(' ') + 1), phone.slice(0, phone.lastIndexOf(' ')));
  }
  if (kind === 'groups') {
    const account = inFours(plainValue(roll, locale, 'account'));
    return of(account, account.slice(5), account.slice(0, account.lastIndexOf(' ')), account.slice(10, 19));
  }
  if (kind === 'amount') {
    const money = moneyOf(`${digits(roll, 7 + roll(2))}.${digits(roll, 2)}`, {
      ...locale,
      decimal: locale.decimal || '.',
    });
    const [first] = money.split(locale.grouping);
    return of(
      pick(roll, [locale.money(money), `-${money}`, `${money}%`]),
      money.slice((first ?? '').length + 1).replaceAll(/\s/gu, ' '),
      money.slice(0, -3).replaceAll(/\s/gu, ' '),
    );
  }
  const value = plainValue(roll, locale, kind);
  return of(pick(roll, longer[kind])(value), value);
};

const line = (roll: Roll, locale: Locale): Piece => {
  const piece =
    roll(2) === 0 ? part(roll, locale) : whole(roll, locale, pick(roll, [...valueKinds, 'account']));
  const before = pick(roll, [
    '',
    `${pick(roll, locale.labels)}: `,
    '> > ',
    '| ',
    '- ',
    `${pick(roll, locale.sentences)} `,
  ]);
  return {
    ...piece,
    text: before + piece.text + pick(roll, ['', '', ` ${pick(roll, locale.sentences)}`, ' |']),
  };
};

/** Returns a body: a greeting, lines with values and without, a signature. */
const bodyOf = (roll: Roll, locale: Locale, lines: number): Piece => {
  const signer = pick(roll, locale.people);
  const pieces = Array.from({ length: lines }, () => line(roll, locale));
  const text = [
    pick(roll, locale.sentences),
    '',
    ...pieces.flatMap((piece) => [piece.text, ...(roll(3) === 0 ? [pick(roll, locale.sentences)] : [])]),
    '',
    locale.greeting,
    '-- ',
    signer,
  ].join('\r\n');
  return {
    text,
    written: [
      ...pieces.flatMap(({ written }) => written),
      { value: signer, form: 'whole', how: 'signature' },
    ],
  };
};

const encodings: readonly Encoding[] = [
  'plain',
  'quoted-printable',
  'base64',
  'html',
  'html-quoted-printable',
  'html-base64',
  'subject',
  'subject-base64',
  'legacy',
  'legacy-base64',
];

/** Returns whether a value is also written as whole tokens. */
const isSaid = (value: string, wholes: readonly Written[]): boolean =>
  wholes.some((one) => ` ${one.value.toLowerCase()} `.includes(` ${value.toLowerCase()} `));

/** Returns a mail of some parts, each in an encoding. */
export const mailOf = (seed: number, locale: Locale, lines = 6): Mail => {
  const roll = dice(seed);
  const parts = Array.from({ length: 4 }, (_, at) => {
    const encoding = at === 0 ? 'plain' : pick(roll, encodings);
    const body = bodyOf(roll, locale, lines);
    const shown = shownAs(encoding, body.text, roll, locale);
    const written = body.written.map((one): Written => {
      const how = `${one.how}, ${encoding}`;
      return encoding === 'plain' || one.form === 'part' ? { ...one, how } : { ...one, form: 'encoded', how };
    });
    return {
      ...shown,
      written: [
        ...written,
        ...shown.cut.map((value): Written => ({ value, form: 'part', how: `cut off, ${encoding}` })),
      ],
    };
  });
  const from = plainValue(roll, locale, 'address');
  const sender = pick(roll, locale.people);
  const written: readonly Written[] = [
    ...parts.flatMap((one) => one.written),
    { value: from, form: 'whole', how: 'from' },
    { value: sender, form: 'whole', how: 'from' },
    { value: from.slice(0, -3), form: 'part', how: 'from' },
  ];
  const wholes = written.filter(({ form }) => form !== 'part');
  // in HTML the groups of a number may have entities in them: they are no number there
  const isTold = ({ form, value, how }: Written): boolean =>
    form !== 'part' || (!isSaid(value, wholes) && !/^(?:groups|phone|amount).*, html/s.test(how));
  return {
    text: mimeOf(roll, `${sender} <${from}>`, parts),
    written: written.filter(isTold),
  };
};
