/** The limits of a pattern. */
const limits = { length: 1_000, groups: 16, times: 1_000 };

// characters that match alike in an engine that reads UTF-16 code units: none is a half of another
const isPlain = (char: string): boolean => char < '\ue000' && !/\p{Surrogate}/u.test(char);

const classes: Readonly<Record<string, string>> = { d: '0-9', w: 'A-Za-z0-9_' };
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

/** A translated part of a pattern, and whether it can match in several ways. */
interface Part {
  readonly text: string;
  readonly isOpen: boolean;
}

class NotPortable extends Error {}

const refuse = (): never => {
  throw new NotPortable();
};

const outside = (char: string): string => (/[\^$\\.*+?()[\]{}|]/u.test(char) ? `\\${char}` : char);
const inside = (char: string): string => (/[\\[\]^-]/u.test(char) ? `\\${char}` : char);

class Reader {
  readonly #pattern: string;
  #at = 0;

  constructor(pattern: string) {
    this.#pattern = pattern;
  }

  whole(): string {
    const { text } = this.#alternatives(0);
    return this.#at === this.#pattern.length ? text : refuse();
  }

  #takes(text: string): boolean {
    if (!this.#pattern.startsWith(text, this.#at)) return false;
    this.#at += text.length;
    return true;
  }

  #next(): string {
    const char = this.#pattern.charAt(this.#at);
    this.#at += 1;
    return char !== '' && isPlain(char) ? char : refuse();
  }

  #alternatives(depth: number): Part {
    const parts = [this.#sequence(depth)];
    while (this.#takes('|')) parts.push(this.#sequence(depth));
    const text = parts.map((part) => part.text).join('|');
    return { text, isOpen: parts.length > 1 || parts.some((part) => part.isOpen) };
  }

  #sequence(depth: number): Part {
    let text = '';
    let isOpen = false;
    while (this.#at < this.#pattern.length && !/[|)]/u.test(this.#pattern.charAt(this.#at))) {
      const part = this.#piece(depth);
      text += part.text;
      isOpen ||= part.isOpen;
    }
    return { text, isOpen };
  }

  #piece(depth: number): Part {
    if (this.#takes('^')) return { text: '^', isOpen: false };
    if (this.#takes('$')) return { text: '$', isOpen: false };
    const atom = this.#atom(depth);
    const times = this.#times();
    if (times === '') return atom;
    // a repeated ambiguous part causes catastrophic backtracking
    if (atom.isOpen && times !== '?') return refuse();
    return { text: `${atom.text}${times}`, isOpen: true };
  }

  #times(): string {
    const [text = '', least, , most] =
      /^(?:[*+?]|\{(\d+)(,(\d*))?\})/u.exec(this.#pattern.slice(this.#at, this.#at + 20)) ?? [];
    if (Math.max(Number(least ?? 0), Number(most ?? 0)) > limits.times) return refuse();
    this.#at += text.length;
    return /[*+?{]/u.test(this.#pattern.charAt(this.#at)) && text !== '' ? refuse() : text;
  }

  #atom(depth: number): Part {
    if (this.#takes('(')) return this.#group(depth + 1);
    if (this.#takes('[')) return { text: this.#class(), isOpen: false };
    if (this.#takes('.')) return { text: '[^\n\r\u2028\u2029]', isOpen: false };
    if (this.#takes('\\')) return { text: this.#escape(outside, (set) => `[${set}]`), isOpen: false };
    const char = this.#next();
    return /[*+?{}\]]/u.test(char) ? refuse() : { text: char, isOpen: false };
  }

  #group(depth: number): Part {
    if (depth > limits.groups || (!this.#takes('?:') && this.#pattern.charAt(this.#at) === '?'))
      return refuse();
    const { text, isOpen } = this.#alternatives(depth);
    return this.#takes(')') ? { text: `(${text})`, isOpen } : refuse();
  }

  #escape(plain: (char: string) => string, set: (members: string) => string): string {
    const char = this.#next();
    if (classes[char] !== undefined) return set(classes[char]);
    if (controls[char] !== undefined) return controls[char];
    return /[\^$\\.*+?()[\]{}|/-]/u.test(char) ? plain(char) : refuse();
  }

  #class(): string {
    const isNegated = this.#takes('^');
    let text = '';
    while (!this.#takes(']')) text += this.#range();
    return text === '' ? refuse() : `[${isNegated ? '^' : ''}${text}]`;
  }

  #range(): string {
    const from = this.#member();
    if (this.#pattern.charAt(this.#at) !== '-' || this.#pattern.charAt(this.#at + 1) === ']') return from;
    this.#at += 1;
    return `${from}-${this.#member()}`;
  }

  #member(): string {
    return this.#takes('\\') ? this.#escape(inside, (set) => set) : inside(this.#next());
  }
}

const compiles = (pattern: string, flags: string): boolean => {
  try {
    return new RegExp(pattern, flags).source !== '';
  } catch {
    return false;
  }
};

/**
 * Translates a JSON Schema pattern (ECMAScript) to one of the same meaning in SHACL (XPath). Returns
 * `undefined` if there is none, or if matching may need more than polynomial time.
 */
export function portablePattern(pattern: string): string | undefined {
  if (pattern.length > limits.length || !compiles(pattern, 'u')) return undefined;
  try {
    const text = new Reader(pattern).whole();
    return compiles(text, '') ? text : undefined;
  } catch (error) {
    if (error instanceof NotPortable) return undefined;
    throw error;
  }
}
