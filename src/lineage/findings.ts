/** What may be wrong with the lineage of messages (UpFormat 2.1, Table 1), and what each code means. */
export const lineageMeaning = {
  unreadable: 'It is not plain JSON, or does not fit the schema of a message: it stands in no tree.',
  repeated: 'A message before it is the same in every field: it is left out.',
  duplicate: 'A message before it has its messageId and says something else: the first stands.',
  orphan: 'Its parent is not among the messages: it is shown as a root.',
  stranger: 'Its parent stands in another thread: it is shown as a root of its own thread.',
  cycle: 'It stands under itself: it is the earliest of its circle, and is shown as a root.',
  time_backwards: 'It is older than its parent.',
} as const;

/** What may be wrong with a lineage; `lineageMeaning` says of each what it means. */
export type LineageCode = keyof typeof lineageMeaning;

/** One thing that is wrong with the messages of a lineage. */
export interface LineageFinding {
  readonly code: LineageCode;
  /** Its place among the messages that were given; the first is 0. */
  readonly index: number;
  /** Null where nothing was read. */
  readonly messageId: string | null;
  /** Identifiers, never a payload. */
  readonly message: string;
}
