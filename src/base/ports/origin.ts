import type { HeldCode } from '../../../machines/index.ts';

/** Whether the author of a value may be trusted with what the agent does (UAICP 5.1 asks for evidence, not for this). */
export type Integrity = 'trusted' | 'untrusted';

/** Who may learn a value: anyone, or these, by the names that a tool's argument uses for them. */
export type Readers = 'anyone' | readonly string[];

/** What is known of a value. */
export interface Label {
  readonly integrity: Integrity;
  readonly readers: Readers;
}

/**
 * The labels of a value, by JSON Pointer; `*` in its place matches any one member or element, `''` is the whole value.
 *
 * A pointer covers everything below it, and the most specific one decides, member by member. By default a result is
 * `untrusted`, a request or an answer `trusted`, and `anyone` may read it.
 */
export type Labels = Readonly<Record<string, Partial<Label>>>;

/** What an argument may come from. */
export interface Flow {
  /**
   * The value is trusted, and so is the choice of it: nothing untrusted was shown to the model before it proposed.
   */
  readonly integrity?: 'trusted' | undefined;
  /**
   * The value was found in one of these: `request`, `answers`, or the results of a tool, by its name. What a result only
   * repeats of its call's arguments counts if it is trusted elsewhere: it was looked up. With `integrity`, an untrusted
   * place does not count.
   */
  readonly from?: readonly string[] | undefined;
  /** The model may choose among trusted values, whatever it was shown. */
  readonly choice?: 'any' | undefined;
  /** The arguments, by JSON Pointer, that name who learns the value: all of them must be its readers. */
  readonly readers?: string | readonly string[] | undefined;
}

/**
 * What the arguments of a tool may come from, by JSON Pointer; `*` matches any one member or element.
 *
 * A pointer covers everything below it. The most specific one decides a value whole: what a wider one says is not added. Of several
 * flows, one that holds is enough. An argument that is `null` comes from nowhere.
 */
export type Flows = Readonly<Record<string, Flow | readonly Flow[]>>;

/** A place where the value of an argument was found. */
export interface OriginPlace {
  /** `request`, `answer-1`, or the name of a tool and the number of its result, such as `contacts.find#2`. */
  readonly source: string;
  /** A JSON Pointer into it. */
  readonly pointer: string;
  /** It is not trusted there. */
  readonly isUntrusted?: true;
  /** The result only repeats what its call asked. */
  readonly isEcho?: true;
  /** A person endorsed it: it counts as if the request had it. */
  readonly isEndorsed?: true;
  /** The model is not shown it. */
  readonly isHidden?: true;
}

/** Where one value of a call's arguments comes from. */
export interface Origin extends Label {
  /** A JSON Pointer into the arguments. */
  readonly at: string;
  /** At most eight places where the value was found, the trusted ones first; none if it was found nowhere. */
  readonly found: readonly OriginPlace[];
  /** The model named the place, and code took the value from there. */
  readonly isReference?: true;
  /** It is the name of the member at the pointer, which the tool did not define. */
  readonly isName?: true;
  /** It was not looked for everywhere: the call has too many values for all that the run has read. */
  readonly isUnsearched?: true;
}

/** Why a call is held: a rule, the argument that it is about, and what is wrong with it. */
export interface Hold {
  readonly code: HeldCode;
  /** A JSON Pointer into the arguments; `''` for the call. */
  readonly at: string;
  readonly why: string;
}

/** Where the arguments of a call come from, and what its tool says of that. */
export interface OriginsDocument {
  /** The version of the rules by which values were found; absent for the first. Origins of other versions are not recomputed. */
  readonly version?: number;
  /** The join of everything that the model was shown in this task before it proposed the call, but for what a person endorsed. */
  readonly shown: Label;
  readonly values: readonly Origin[];
  /** What the tool declared when the call was proposed. */
  readonly flows?: Flows;
  readonly holds?: readonly Hold[];
}

/** Where the value of an argument is taken from: `{ "$from": "contacts.find#2", "pointer": "/iban" }`. */
export interface ValueReference {
  /** `request`, `answer-1`, or the name of a tool and the number of its result. */
  readonly $from: string;
  /** A JSON Pointer into it. */
  readonly pointer: string;
}

type OrReference<Value> =
  | ValueReference
  | (Value extends Date
      ? string
      : Value extends object
        ? { [Key in keyof Value]: OrReference<Value[Key]> }
        : Value);

/** The arguments of a tool, in which each value may be a reference. A Date is its RFC 3339 text. */
export type WithReferences<Input> = Input extends object
  ? { [Key in keyof Input]: OrReference<Input[Key]> }
  : Input;
