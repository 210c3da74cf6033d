/** A payload: a JSON object. */
export type Payload = Readonly<Record<string, unknown>>;

/** Why a Standard Schema refuses a value, and where. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The result of a Standard Schema. */
export type StandardResult<Output> =
  { readonly value: Output; readonly issues?: undefined } | { readonly issues: readonly StandardIssue[] };

/** A schema of any library that implements Standard Schema 1: zod, valibot, arktype and others. */
export interface StandardSchema<Output = unknown, Input = unknown> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Data as it is recorded: a Date is its RFC 3339 text. */
export type AsRecorded<Data> = Data extends Date
  ? string
  : Data extends object
    ? { [Key in keyof Data]: AsRecorded<Data[Key]> }
    : Data;
