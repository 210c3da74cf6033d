/** The size of a value, or its limit: levels of containers, members in total, UTF-16 code units of all texts. */
export interface Bounds {
  readonly depth: number;
  readonly members: number;
  readonly text: number;
}
