/** The problems that a lineage of messages may have (UpFormat 2.1, Table 1), with the meaning of each code. */
export const lineageMeaning = {
  unreadable: 'It is not plain JSON, or does not fit the schema of a message: it stands in no tree.',
  repeated: 'A message before it is the same in every field: it is left out.',
  duplicate: 'A message before it has its messageId and says something else: the first stands.',
  orphan: 'Its parent is not among the messages: it is shown as a root.',
  stranger: 'Its parent stands in another thread: it is shown as a root of its own thread.',
  cycle: 'It stands under itself: it is the earliest of its circle, and is shown as a root.',
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
