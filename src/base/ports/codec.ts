/** Encodes what a store keeps, for example with a key of the host. Both functions return at once: a store cannot wait for a promise. */
export interface Codec {
  readonly encode: (plain: Uint8Array) => Uint8Array;
  /** Returns what `encode` was given. Throws if it cannot, for example for bytes that were changed. */
  readonly decode: (stored: Uint8Array) => Uint8Array;
}
