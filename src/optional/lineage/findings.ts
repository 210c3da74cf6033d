/** The problems that a lineage of messages may have (UpFormat 2.1, Table 1), with the meaning of each code. */
export const lineageMeaning = {
  unreadable: 'It is not plain JSON, or does not fit the schema of a message: it is in no tree.',
  repeated: 'An earlier message is the same in every field: it is omitted.',
  duplicate: 'An earlier message has the same messageId and other content: the first one is used.',
  orphan: 'Its parent is not among the messages: it is shown as a root.',
  stranger: 'Its parent is in another thread: it is shown as a root of its own thread.',
  cycle: 'It is its own ancestor: it is the earliest message of its cycle, and is shown as a root.',
  time_backwards: 'It is older than its parent.',
} as const;

/** The code of a lineage problem; see `lineageMeaning`. */
export type LineageCode = keyof typeof lineageMeaning;

/** A problem in the messages of a lineage. */
export interface LineageFinding {
  readonly code: LineageCode;
  /** The index of the message in the input, from 0. */
  readonly index: number;
  /** `null` if the message could not be read. */
  readonly messageId: string | null;
  /** Identifiers, never a payload. */
  readonly message: string;
}
