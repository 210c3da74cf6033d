import type { Locale } from './mail-locales.ts';

/** How a part of a mail is written. */
export type Encoding =
  | 'plain'
  | 'quoted-printable'
  | 'base64'
  | 'html'
  | 'html-quoted-printable'
  | 'html-base64'
  | 'subject'
  | 'subject-base64'
  | 'legacy'
  | 'legacy-base64';

type Roll = (below: number) => number;

/** A part of a mail as it is sent, and what a line's end cut a value into. */
export interface Shown {
  readonly head: string;
  readonly text: string;
  readonly cut: readonly string[];
}

const lines = (text: string, length: number): string =>
  text.replaceAll(new RegExp(`(.{${length}})(?=.)`, 'g'), '$1\r\n');

const hex = (byte: number): string => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`;

/** Returns the bytes of a text in a character set of one byte a character. */
const bytesIn = (charset: string, text: string): Buffer => {
  const decoder = new TextDecoder(charset);
  const byCharacter = new Map(
    Array.from({ length: 256 }, (_, byte) => [decoder.decode(Uint8Array.of(byte)), byte] as const),
  );
  return Buffer.from(
    Array.from(text.replaceAll('…', '...'), (character) => byCharacter.get(character) ?? 0x3f),
  );
};

/** Returns quoted-printable text on lines of 76, broken anywhere. */
const quotedPrintable = (bytes: Buffer): string =>
  bytes
    .toString('latin1')
    .split('\r\n')
    .map((line) => {
      const units = Array.from(line, (one, at) => {
        const isPlain = /[!-<>-~]/.test(one) || (one === ' ' && at < line.length - 1);
        return isPlain ? one : hex(one.codePointAt(0)!);
      });
      let [text, width] = ['', 0];
      for (const unit of units) {
        if (width + unit.length > 75) [text, width] = [`${text}=\r\n`, 0];
        [text, width] = [text + unit, width + unit.length];
      }
      return text;
    })
    .join('\r\n');

/** Returns the two sides of each soft line break within a token without escapes. */
const cutIn = (text: string): readonly string[] =>
  [...text.matchAll(/(?<=^|\s)([\w@.:/-]{6,})=\r\n([\w@.:/-]{6,})(?=\s|$)/g)].flatMap(
    ([, before = '', after = '']) => [before.replace(/[.:/-]+$/, ''), after.replace(/[.:]+$/, '')],
  );

const names: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '€': '&euro;',
  '\u00a0': '&nbsp;',
  ä: '&auml;',
  ö: '&ouml;',
  ü: '&uuml;',
  ß: '&szlig;',
  é: '&eacute;',
  è: '&egrave;',
  ñ: '&ntilde;',
  ç: '&ccedil;',
};

/** Returns a text as HTML: entities by name and number, tables, and at times tags within a value. */
const htmlOf = (text: string, roll: Roll): string => {
  const rows = text.split('\r\n').map((line) => {
    const escaped = Array.from(line, (one) => {
      const isForeign = /[^ -~]/u.test(one);
      const point = one.codePointAt(0)!;
      if (isForeign || roll(12) === 0)
        return names[one] ?? [`&#${point};`, `&#x${point.toString(16)};`, one][roll(isForeign ? 3 : 2)]!;
      if (one in names) return names[one]!;
      return /[\w]/.test(one) && roll(25) === 0
        ? `${one}${['<wbr>', '&shy;', '&zwnj;', '&#8203;'][roll(4)]}`
        : one;
    }).join('');
    const styled = escaped.replaceAll(
      / (?=\S)/g,
      () => ['</span> <span class="x1">', '&nbsp;', ' ', ' ', ' '][roll(5)]!,
    );
    return `<tr><td style="color:#333333"><span>${styled}</span></td></tr>`;
  });
  return `<html><body><table>\r\n${rows.join('\r\n')}\r\n</table></body></html>`;
};

const inQ = (word: string): string =>
  Buffer.from(word)
    .toString('latin1')
    .replaceAll(/[^A-Za-z0-9 ]/g, (one) => hex(one.codePointAt(0)!))
    .replaceAll(' ', '_');

/** Returns a text as encoded words on folded lines. */
const encodedWords = (text: string, isBase64: boolean): string => {
  const characters = Array.from(text.replaceAll(/\s+/g, ' '));
  const words = Array.from({ length: Math.ceil(characters.length / 12) }, (_, at) =>
    characters.slice(at * 12, at * 12 + 12).join(''),
  );
  return words
    .map((word) =>
      isBase64 ? `=?UTF-8?B?${Buffer.from(word).toString('base64')}?=` : `=?utf-8?Q?${inQ(word)}?=`,
    )
    .join('\r\n ');
};

const head = (type: string, charset: string, encoding: string): string =>
  `Content-Type: text/${type}; charset="${charset}"\r\nContent-Transfer-Encoding: ${encoding}\r\n`;

/** Returns a part of a mail in an encoding. */
export const shownAs = (
  encoding: Encoding,
  text: string,
  roll: Roll,
  { charset = 'utf-8' }: Locale,
): Shown => {
  const isHtml = encoding.startsWith('html');
  const isLegacy = encoding.startsWith('legacy') && charset !== 'utf-8';
  const type = isHtml ? 'html' : 'plain';
  const set = isLegacy ? charset : 'utf-8';
  const body = isHtml ? htmlOf(text, roll) : text;
  const bytes = isLegacy ? bytesIn(charset, body) : Buffer.from(body);
  switch (encoding) {
    case 'plain':
    case 'html':
      return { head: head(type, set, '8bit'), text: body, cut: [] };
    case 'subject':
    case 'subject-base64':
      return {
        head: `Content-Type: message/rfc822\r\n`,
        text: `Subject: ${encodedWords(text, encoding === 'subject-base64')}`,
        cut: [],
      };
    case 'base64':
    case 'html-base64':
    case 'legacy-base64':
      return { head: head(type, set, 'base64'), text: lines(bytes.toString('base64'), 76), cut: [] };
    case 'quoted-printable':
    case 'html-quoted-printable':
    case 'legacy': {
      const written = quotedPrintable(bytes);
      return { head: head(type, set, 'quoted-printable'), text: written, cut: cutIn(written) };
    }
  }
};

/** Returns a mail with its headers and parts. */
export const mimeOf = (roll: Roll, from: string, parts: readonly Shown[]): string => {
  const boundary = `----=_Part_${roll(1e6)}_${roll(1e9)}.${roll(1e9)}`;
  return [
    `Received: from mx${roll(9)}.relay.example (mx.relay.example [192.0.2.${roll(255)}:25])`,
    `\tby mail.example with ESMTPS id ${roll(1e9).toString(36)}; Fri, 27 Nov 2026 14:30:0${roll(9)} +0100`,
    `From: ${from}`,
    `Message-ID: <${roll(1e9).toString(36)}.${roll(1e9)}@relay.example>`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/alternative; boundary="${boundary}"`,
    ...parts.flatMap((part) => ['', `--${boundary}`, part.head, part.text]),
    `--${boundary}--`,
    '',
  ].join('\r\n');
};
